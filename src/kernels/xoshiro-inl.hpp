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
    for (std::size_t v = 0; v < vectors; ++v) {
      s0_[v] = hn::LoadU(word_tag, state[0].data() + v * width);
      s1_[v] = hn::LoadU(word_tag, state[1].data() + v * width);
      s2_[v] = hn::LoadU(word_tag, state[2].data() + v * width);
      s3_[v] = hn::LoadU(word_tag, state[3].data() + v * width);
    }
  }

  HWY_INLINE void store(Rng::State& state) const {
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(s0_[v], word_tag, state[0].data() + v * width);
      hn::StoreU(s1_[v], word_tag, state[1].data() + v * width);
      hn::StoreU(s2_[v], word_tag, state[2].data() + v * width);
      hn::StoreU(s3_[v], word_tag, state[3].data() + v * width);
    }
  }

  HWY_INLINE void next(Word* words) {
    for (std::size_t v = 0; v < vectors; ++v) {
      Word &s0 = s0_[v], &s1 = s1_[v], &s2 = s2_[v], &s3 = s3_[v];
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
  Word s0_[vectors], s1_[vectors], s2_[vectors], s3_[vectors];
};

}  // namespace phe::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
