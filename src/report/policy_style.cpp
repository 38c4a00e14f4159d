#include "report/policy_style.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "report/colours.hpp"

namespace phe {

namespace {

struct Look {
  const char* colour;
  int dash;
  int marker;
};

// Solid and filled for PHE; dashed and open for what it is compared with.
constexpr std::array<Look, 8> looks = {{{colours::orange, 1, 5},
                                        {colours::vermillion, 1, 7},
                                        {colours::purple, 1, 9},
                                        {colours::blue, 2, 6},
                                        {colours::black, 4, 4},
                                        {colours::sky, 5, 12},
                                        {colours::green, 3, 8},
                                        {colours::grey, 2, 2}}};

constexpr std::size_t first_free = 7;  // the looks before belong to the paper's policies

// The policies of the paper, with the positions of their looks.
constexpr std::array<std::pair<std::string_view, std::size_t>, 13> paper_looks = {
    {{"linphe:a=2", 0},
     {"linphe:a=1", 1},
     {"linphe:a=0.5", 2},
     {"lints", 3},
     {"linucb", 4},
     {"lineps", 6},
     {"logphe:a=2", 0},
     {"logphe:a=1", 1},
     {"logphe:a=0.5", 2},
     {"logts", 3},
     {"glmucb", 4},
     {"ucbglm", 5},
     {"logeps", 6}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 23> names = {
    {{"linphe", "LinPHE"},   {"logphe", "LogPHE"},    {"lints", "LinTS"},    {"logts", "LogTS"},
     {"linucb", "LinUCB"},   {"glmucb", "GLM-UCB"},   {"ucbglm", "UCB-GLM"}, {"lineps", "ε-greedy"},
     {"logeps", "ε-greedy"}, {"linfpl", "LinFPL"},    {"logfpl", "LogFPL"},  {"poisphe", "PoisPHE"},
     {"poists", "PoisTS"},   {"poiseps", "ε-greedy"}, {"linens", "LinEns"},  {"lingiro", "LinGiro"},
     {"giro", "Giro"},       {"rffphe", "RffPHE"},    {"xgbphe", "XgbPHE"},  {"ucb1", "UCB1"},
     {"klucb", "KL-UCB"},    {"betats", "Beta-TS"},   {"phe", "PHE"}}};

// The look of the paper's policy that `policy` is, whichever way its keys are written.
std::optional<std::size_t> look_in_paper(const PolicySpec& policy) {
  const std::string canonical = policy.parameters.canonical();
  for (const auto& [spec, look] : paper_looks) {
    if (spec.substr(0, spec.find(':')) != policy.entry->name) continue;
    const auto known = Parameters::parse("policy", spec, policy.entry->parameters);
    if (known && known->canonical() == canonical) return look;
  }
  return std::nullopt;
}

// Look number `position`: the eight above, then the same colours with other dashes and markers.
PolicyStyle style_at(std::size_t position) {
  const Look& look = looks[position % looks.size()];
  const auto turn = static_cast<int>(position / looks.size());
  return {{}, look.colour, 1 + (look.dash - 1 + turn) % 5, 1 + (look.marker - 1 + turn) % 15};
}

// Where two policies have the same label (ε-greedy of two models), both are called by their specs.
void tell_apart(std::vector<PolicyStyle>& styles, const std::vector<PolicySpec>& policies) {
  std::multiset<std::string> labels;
  for (const PolicyStyle& style : styles) labels.insert(style.label);
  for (std::size_t i = 0; i < styles.size(); ++i)
    if (labels.count(styles[i].label) > 1) styles[i].label = policies[i].text;
}

}  // namespace

std::string policy_label(std::string_view spec) {
  const auto colon = std::min(spec.find(':'), spec.size());
  const auto name = spec.substr(0, colon);
  const auto* const known = std::ranges::find(names, name, &decltype(names)::value_type::first);
  std::string label(known == names.end() ? name : known->second);
  if (colon == spec.size()) return label;
  label += ' ';
  for (const char c : spec.substr(colon + 1)) {
    if (c == '=') label += " = ";
    if (c == ',') label += ", ";
    if (c != '=' && c != ',') label += c;
  }
  return label;
}

std::vector<PolicyStyle> styles_of(const std::vector<PolicySpec>& policies) {
  std::vector<std::optional<std::size_t>> positions;
  std::set<std::size_t> taken;
  for (const PolicySpec& policy : policies) {
    auto look = look_in_paper(policy);
    if (look && !taken.insert(*look).second) look.reset();
    positions.push_back(look);
  }
  std::vector<PolicyStyle> styles;
  std::size_t next = first_free;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    while (!positions[i] && !taken.insert(next).second) ++next;
    styles.push_back(style_at(positions[i].value_or(next)));
    styles.back().label = policy_label(policies[i].text);
  }
  tell_apart(styles, policies);
  return styles;
}

}  // namespace phe
