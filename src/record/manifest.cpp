#include "record/manifest.hpp"

#include <fstream>

#include "phe/version.hpp"
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
  return {{"format", 1},
          {"program", "phe"},
          {"version", version},
          {"regret", "pseudo-regret"},
          {"spec", to_json(plan.experiment())},
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
