#include "bandit_flags.hpp"

#include <fmt/format.h>

#include "spec/numbers.hpp"
#include "support/error.hpp"

namespace phe::app {

void BanditFlags::add_to(CLI::App& command) {
  command
      .add_option(
          "--problem", problem,
          fmt::format("problem ({}); linear:features=FILE,theta=FILE reads one (phe problems)",
                      problem))
      ->type_name("SPEC");
  command.add_option("--instance", instance, "which random instance of the problem (0)")
      ->type_name("N");
  add_seed(command, seed);
}

std::string Bandit::name() const {
  return fmt::format("{}, instance {} of seed {}", problem, number, seed);
}

Result<Bandit> bandit_from(const BanditFlags& flags, const Registry& registry) {
  Bandit bandit;
  bandit.problem = flags.problem;
  for (auto& done : {read_count("--instance", first_instance_range, flags.instance, bandit.number),
                     read_count("--seed", seed_range, flags.seed, bandit.seed)})
    if (!done) return done.error();
  const auto spec = registry.problem(flags.problem);
  if (!spec) return spec.error();
  bandit.key = spec->instance_key(bandit.seed, bandit.number);
  auto drawn = spec->instance(bandit.seed, bandit.number);
  if (!drawn) return drawn.error();
  bandit.instance = std::move(drawn).value();
  if (bandit.instance->arms().empty())
    return invalid("problem {}: the theory is about fixed arms, not contexts", flags.problem);
  return bandit;
}

}  // namespace phe::app
