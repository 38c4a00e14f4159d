#include "record/manifest.hpp"

#include <fstream>

#include "phe/draw_revision.hpp"
#include "phe/version.hpp"
#include "record/inputs.hpp"
#include "support/text.hpp"

namespace phe {

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(':'); colon != std::string::npos)
        return std::string(trim(line.substr(colon + 1)));
  return "unknown";
}

Json manifest(const Plan& plan, const std::vector<Curve>& curves, const Machine& machine) {
  Json times = Json::array();
  for (const Curve& curve : curves)
    times.push_back({{"problem", plan.problems()[curve.problem].text},
                     {"policy", plan.policies()[curve.policy].text},
                     {"seconds", curve.seconds},
                     {"ns_per_round", curve.ns_per_round}});
  Json inputs = Json::array();
  for (const InputFile& file : plan.files())
    inputs.push_back({{"name", file.name},
                      {"sha256", file.sha256},
                      {"copy", input_copy("", {file.name, file.sha256}).string()}});
  return {{"format", 1},
          {"program", "phe"},
          {"version", version},
          {"draws", draw_revision},
          {"regret", "pseudo-regret"},
          {"spec", to_json(plan.experiment())},
          {"inputs", inputs},
          {"cpu", machine.cpu},
          {"simd", machine.simd},
          {"threads", machine.threads},
          {"times", times},
          {"files",
           {{"regret.csv", "mean pseudo-regret over instances and its standard error"},
            {"runs.csv", "pseudo-regret of each run"},
            {"runs.log", "journal of finished runs, from which the others are made"}}}};
}

}  // namespace phe
