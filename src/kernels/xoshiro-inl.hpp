// The generator of phe/rng.hpp, held in registers: one call gives the next 8 words of the stream.

#if defined(PHE_KERNELS_XOSHIRO_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef PHE_KERNELS_XOSHIRO_INL_HPP
#undef PHE_KERNELS_XOSHIRO_INL_HPP
#else
#define PHE_KERNELS_XOSHIRO_INL_HPP
#endif

#include "kernels/lanes-inl.hpp"
#include "phe/rng.hpp"

HWY_BEFORE_NAMESPACE();
namespace phe::kernels::HWY_NAMESPACE {

class Xoshiro {
 public:
  HWY_INLINE explicit Xoshiro(const Rng::State& state) { load(state); }

  HWY_INLINE void load(const Rng::State& state) {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t v = 0; v < vectors; ++v)
        s_[i][v] = hn::LoadU(word_tag, state[i].data() + v * width);
  }

  HWY_INLINE void store(Rng::State& state) const {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t v = 0; v < vectors; ++v)
        hn::StoreU(s_[i][v], word_tag, state[i].data() + v * width);
  }

  HWY_INLINE void next(Word* words) {
    for (std::size_t v = 0; v < vectors; ++v) {
      Word &s0 = s_[0][v], &s1 = s_[1][v], &s2 = s_[2][v], &s3 = s_[3][v];
      words[v] = hn::Add(hn::RotateRight<64 - 23>(hn::Add(s0, s3)), s0);
      const Word t = hn::ShiftLeft<17>(s1);
      s2 = hn::Xor(s2, s0);
      s3 = hn::Xor(s3, s1);
      s1 = hn::Xor(s1, s2);
      s0 = hn::Xor(s0, s3);
      s2 = hn::Xor(s2, t);
      s3 = hn::RotateRight<64 - 45>(s3);
    }
  }

 private:
  Word s_[4][vectors];
};

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
