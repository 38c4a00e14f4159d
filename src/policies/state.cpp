#include "policies/state.hpp"

#include <bit>

#include "phe/policy.hpp"
#include "phe/rng.hpp"
#include "support/crc32.hpp"
#include "support/text.hpp"

namespace phe {

namespace {

constexpr std::string_view first_line = "phe-state 2\n";

}  // namespace

std::string saved_state(const Parts& identity, const Parts& state) {
  Archive archive;
  identity(archive);
  state(archive);
  Archive checksum;
  std::string bytes = std::string(first_line) + archive.written();
  auto crc = crc32(bytes);
  checksum(crc);
  return bytes + checksum.written();
}

Result<void> load_state(std::string_view who, std::string_view bytes, const Parts& identity,
                        const Parts& state) {
  const auto refuse = [&](std::string_view why) {
    return invalid("{}: the state cannot be loaded: {}", who, why);
  };
  std::uint32_t crc = 0;
  if (!bytes.starts_with(first_line) || bytes.size() < first_line.size() + sizeof crc)
    return refuse("it does not begin with the line 'phe-state 2'");
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof crc);
  Archive checksum(bytes.substr(body.size()));
  checksum(crc);
  if (crc != crc32(body)) return refuse("damaged: its checksum is wrong");

  Archive archive(body.substr(first_line.size()));
  identity(archive);
  if (archive.ok()) state(archive);
  archive.require(archive.left().empty(), "there is more than was asked for");
  if (!archive.ok()) return refuse(archive.error().error().message);
  return {};
}

Result<void> check_alike(std::string_view who, const Parts& theirs, const Parts& ours) {
  Archive written;
  theirs(written);
  Archive read(written.written());
  ours(read);
  read.require(read.left().empty(), "the other one has other options");
  if (read.ok()) return {};
  return invalid("{}: cannot merge the other policy: {}", who, read.error().error().message);
}

std::uint64_t digest_of(const Arms& arms) {
  StreamKey key(arms.size());
  for (std::size_t j = 0; j < arms.dimension(); ++j)
    for (ArmId arm = 0; arm < arms.size(); ++arm)
      key = key.with(std::bit_cast<std::uint64_t>(arms.at(arm, j)));
  return key.value();
}

// What a policy of one's own does not do, it need not write.

Result<void> Policy::decide(Rng& /*rng*/, const DecideOptions& /*options*/,
                            Decision& /*decision*/) {
  return invalid("{}: it does not say the probabilities of its choices", name());
}

Result<void> Policy::decide(const Actions& /*actions*/, Rng& /*rng*/,
                            const DecideOptions& /*options*/, Decision& /*decision*/) {
  return invalid("{}: it does not say the probabilities of its choices", name());
}

Result<void> Policy::weigh(double weight) {
  if (weight == 1.0) return {};
  return invalid("{}: it counts whole observations, and rows cannot be weighed", name());
}

Result<std::size_t> Policy::select(const Actions& /*actions*/, Rng& /*rng*/) {
  return invalid("{}: it chooses among fixed arms only", name());
}
Result<void> Policy::update(std::span<const double> /*features*/, double /*reward*/) {
  return invalid("{}: it learns of fixed arms only", name());
}
Result<void> Policy::update(ActionId /*action*/, std::span<const double> /*context*/,
                            double /*reward*/) {
  return invalid("{}: it learns of fixed arms only", name());
}
Result<std::string> Policy::save() const { return invalid("{}: it cannot be saved", name()); }
Result<void> Policy::load(std::string_view /*state*/) {
  return invalid("{}: it cannot be loaded", name());
}
Result<void> Policy::merge(const Policy& /*other*/) {
  return invalid("{}: it cannot be merged", name());
}

Result<void> save(const Policy& policy, const std::filesystem::path& file) {
  const auto state = policy.save();
  if (!state) return state.error();
  return write_file(file, state.value());
}

Result<void> load(Policy& policy, const std::filesystem::path& file) {
  const auto state = read_file(file);
  if (!state) return state.error();
  auto loaded = policy.load(state.value());
  if (!loaded) return invalid("{}: {}", file.string(), loaded.error().message);
  return {};
}

}  // namespace phe
