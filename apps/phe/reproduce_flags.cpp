#include "reproduce_flags.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "report/embedded.hpp"
#include "spec/spec_file.hpp"
#include "support/error.hpp"

namespace phe::app {

namespace {

struct Source {
  const char* name;
  const char* title;
  std::string_view toml;
};

constexpr std::array<Source, 2> sources = {
    {{"linear", "Linear bandit", embedded::linear_toml},
     {"logistic", "Logistic bandit", embedded::logistic_toml}}};

constexpr std::uint64_t quick_rounds = 1000;
constexpr std::uint64_t quick_instances = 20;

}  // namespace

void ReproduceFlags::add_to(CLI::App& command) {
  command.add_flag(
      "--quick", quick,
      fmt::format("a small version: {} rounds of {} instances", quick_rounds, quick_instances));
  command.add_option("--only", only, "one experiment alone: linear or logistic")->type_name("NAME");
  command.add_flag("--strict", strict, "exit with 1 when a claim does not hold");
  ExperimentFlags::add_to(command, "folder of the report (out/reproduce, or out/reproduce-quick)");
}

std::string ReproduceFlags::command_line() const {
  std::string line = "phe reproduce";
  if (quick) line += " --quick";
  const auto add = [&](const char* name, const Typed& value) {
    if (value) line += fmt::format(" {} {}", name, *value);
  };
  add("--only", only);
  add("--rounds", rounds);
  add("--instances", instances);
  add("--first-instance", first_instance);
  add("--seed", seed);
  add("--checkpoints", checkpoints);
  add("--columns", columns);
  add("--threads", threads);
  add("--out", out);
  return line;
}

Result<ReproduceRequest> request_from(const ReproduceFlags& flags) {
  ReproduceRequest request;
  request.out = flags.quick ? "out/reproduce-quick" : "out/reproduce";
  for (const Source& source : sources) {
    if (flags.only && *flags.only != source.name) continue;
    auto file = parse_spec_file(source.toml, fmt::format("experiments/{}.toml", source.name));
    if (!file) return file.error();
    if (flags.quick) {
      file->experiment.rounds = quick_rounds;
      file->experiment.instances = quick_instances;
    }
    if (auto done = flags.override(file.value()); !done) return done.error();
    request.threads = ExperimentFlags::threads_for(file.value());
    request.out = file->out.value_or(request.out);
    request.experiments.push_back({source.name, source.title, std::move(file->experiment)});
  }
  if (request.experiments.empty())
    return invalid("--only must be linear or logistic, got '{}'", *flags.only);
  return request;
}

}  // namespace phe::app
