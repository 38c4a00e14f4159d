#include "report/policy_style.hpp"

#include <algorithm>
#include <array>

#include "report/palette.hpp"

namespace phe {

namespace {

struct Known {
  std::string_view spec;
  const char* label;
  std::size_t look;  // position in `looks`
};

struct Look {
  const char* colour;
  int dash;
  int marker;
};

// Solid and filled for PHE; dashed and open for what it is compared with.
constexpr std::array<Look, 8> looks = {{{report::orange, 1, 5},
                                        {report::vermilion, 1, 7},
                                        {report::purple, 1, 9},
                                        {report::blue, 2, 6},
                                        {report::black, 4, 4},
                                        {report::sky_blue, 5, 12},
                                        {report::green, 3, 8},
                                        {report::grey, 2, 2}}};

constexpr std::array<Known, 13> paper = {{{"linphe:a=2", "LinPHE a = 2", 0},
                                          {"linphe:a=1", "LinPHE a = 1", 1},
                                          {"linphe:a=0.5", "LinPHE a = 0.5", 2},
                                          {"lints", "LinTS", 3},
                                          {"linucb", "LinUCB", 4},
                                          {"lineps", "ε-greedy", 6},
                                          {"logphe:a=2", "LogPHE a = 2", 0},
                                          {"logphe:a=1", "LogPHE a = 1", 1},
                                          {"logphe:a=0.5", "LogPHE a = 0.5", 2},
                                          {"logts", "LogTS", 3},
                                          {"glmucb", "GLM-UCB", 4},
                                          {"ucbglm", "UCB-GLM", 5},
                                          {"logeps", "ε-greedy", 6}}};

}  // namespace

PolicyStyle style_of(std::string_view spec, std::size_t position) {
  const auto* const known = std::ranges::find(paper, spec, &Known::spec);
  const bool found = known != paper.end();
  const Look& look = looks[found ? known->look : position % looks.size()];
  return {found ? known->label : std::string(spec), look.colour, look.dash, look.marker};
}

}  // namespace phe
