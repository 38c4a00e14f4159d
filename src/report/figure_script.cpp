#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "report/embedded.hpp"
#include "report/figure.hpp"
#include "report/gnuplot.hpp"

namespace phe {

namespace {

template <class Values>
std::string array_of(std::string_view name, const Values& values) {
  return fmt::format("array {}[{}] = [{}]\n", name, values.size(), fmt::join(values, ", "));
}

// An array with what `value` makes of each item.
template <class Items, class Value>
std::string array_from(std::string_view name, const Items& items, Value value) {
  std::vector<decltype(value(*items.begin()))> values;
  for (const auto& item : items) values.push_back(value(item));
  return array_of(name, values);
}

// Characters, not bytes: all but the second and later bytes of UTF-8.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
}

std::string legend(const std::vector<PolicyStyle>& policies) {
  std::size_t longest = 0;
  for (const PolicyStyle& style : policies) longest = std::max(longest, length_of(style.label));
  return fmt::format("policies = {}\nlongest = {}\n", policies.size(), longest) +
         array_from("label", policies, [](const auto& p) { return report::quoted(p.label); }) +
         array_from("colour", policies, [](const auto& p) { return report::quoted(p.colour); }) +
         array_from("dash", policies, [](const auto& p) { return p.dash; }) +
         array_from("marker", policies, [](const auto& p) { return p.marker; });
}

// Where the axis of regret ends, and who goes beyond. Where one policy's regret would press all
// others to the ground, the panel ends a little above the second highest, and a note says where the
// highest goes.
struct Top {
  double end = 0.0;  // 0: as the data need
  std::string note;
};

Top top_of(const FigurePanel& panel, const std::vector<PolicyStyle>& policies) {
  constexpr double far_above = 2.5;
  std::vector<std::pair<double, std::size_t>> ends;
  for (const FigureLine& line : panel.lines)
    ends.emplace_back(line.regret.back().mean, line.policy);
  std::ranges::sort(ends, std::greater());
  if (ends.size() < 3 || ends[0].first <= far_above * ends[1].first) return {};
  return {1.25 * ends[1].first,
          fmt::format("{} ends above, at {:.0f}", policies[ends[0].second].label, ends[0].first)};
}

// A logarithmic axis of regret: from the lowest mean that it can show to the highest.
struct LogRange {
  double low = 0.1;
  double high = 1.0;
};

LogRange log_range_of(const FigurePanel& panel) {
  std::vector<double> shown;
  for (const FigureLine& line : panel.lines)
    for (const auto& [mean, error] : line.regret)
      if (mean > 0.0) shown.push_back(mean);
  if (shown.empty()) return {};
  const auto [low, high] = std::ranges::minmax(shown);
  return {0.8 * low, 1.25 * high};
}

std::string panels(const RegretFigure& figure) {
  std::vector<Top> tops;
  for (const FigurePanel& panel : figure.panels)
    tops.push_back(figure.log_regret ? Top{log_range_of(panel).high, ""}
                                     : top_of(panel, figure.policies));
  const auto& all = figure.panels;
  return fmt::format("panels = {}\n", all.size()) +
         array_from("heading", all, [](const auto& p) { return report::quoted(p.heading); }) +
         array_from("source", all, [](const auto& p) { return report::quoted(p.source); }) +
         array_from("checkpoints", all, [](const auto& p) { return p.rounds.size(); }) +
         array_from("first_round", all, [](const auto& p) { return p.rounds.front(); }) +
         array_from("last_round", all, [](const auto& p) { return p.rounds.back(); }) +
         array_from("lowest", all, [](const auto& p) { return log_range_of(p).low; }) +
         array_from("highest", tops, [](const Top& top) { return top.end; }) +
         array_from("above", tops, [](const Top& top) { return report::quoted(top.note); });
}

// Two blank lines end a block. A linear axis has an origin, at which every line begins.
std::string data(const RegretFigure& figure) {
  std::string text = "$curves << EOD\n";
  auto out = std::back_inserter(text);
  std::vector<std::size_t> ends;       // the blocks up to the end of each panel
  std::vector<std::size_t> policy_of;  // of each block, from 1
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureLine& line : panel.lines) {
      if (!figure.log_rounds && !figure.log_regret) text += "0 0 0\n";
      for (std::size_t c = 0; c < panel.rounds.size(); ++c)
        fmt::format_to(out, "{} {:.8g} {:.8g}\n", panel.rounds[c], line.regret[c].mean,
                       line.regret[c].standard_error);
      text += "\n\n";
      policy_of.push_back(line.policy + 1);
    }
    ends.push_back(policy_of.size());
  }
  return text + "EOD\n" + array_of("lines_to", ends) + array_of("policy_of", policy_of);
}

std::string note(const std::vector<FigurePanel>& panels) {
  const auto [least, most] = std::ranges::minmax(panels, {}, &FigurePanel::instances);
  if (most.instances == 1) return "One random instance.";
  const std::string count = least.instances == most.instances
                                ? fmt::format("{}", most.instances)
                                : fmt::format("{} to {}", least.instances, most.instances);
  return fmt::format("Mean over {} random instances; shaded: its standard error.", count);
}

}  // namespace

std::string figure_script(const RegretFigure& figure) {
  return fmt::format("title = {}\nnote = {}\nlog_rounds = {:d}\nlog_regret = {:d}\n",
                     report::quoted(figure.title), report::quoted(note(figure.panels)),
                     figure.log_rounds, figure.log_regret) +
         panels(figure) + legend(figure.policies) + data(figure) + std::string(embedded::figure_gp);
}

}  // namespace phe
