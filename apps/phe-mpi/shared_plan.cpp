#include "shared_plan.hpp"

#include <map>

#include "record/journal_header.hpp"
#include "record/renumber.hpp"
#include "support/error.hpp"

namespace phe::mpi {

std::string to_text(const Plan& plan, unsigned threads) {
  Json files = Json::array();
  for (const InputFile& file : plan.files())
    files.push_back({{"name", file.name}, {"path", file.path.string()}});
  return dumped(
      {{"threads", threads}, {"header", to_json(JournalHeader::of(plan))}, {"files", files}});
}

Result<SharedPlan> plan_from(const std::string& text, const Registry& registry) try {
  const Json json = Json::parse(text);
  const auto header = header_from_json(json.at("header"));
  if (!header) return invalid("the plan that came cannot be read");
  std::map<std::string, std::string> paths;
  for (const Json& file : json.at("files"))
    paths[file.at("name").get<std::string>()] = file.at("path").get<std::string>();
  auto plan = Plan::create(header->experiment, registry, [&](const std::string& name) {
    const auto path = paths.find(name);
    return std::filesystem::path(path == paths.end() ? name : path->second);
  });
  if (!plan) return plan.error();
  const JournalHeader ours = JournalHeader::of(plan.value());
  std::string differs = difference(header.value(), ours);
  if (differs.empty()) differs = left_out(header.value(), ours);
  if (!differs.empty()) return invalid("it has not the experiment of rank 0: {}", differs);
  return SharedPlan{std::move(plan).value(), json.at("threads").get<unsigned>()};
} catch (const Json::exception& error) {
  return invalid("the plan that came cannot be read: {}", error.what());
}

}  // namespace phe::mpi
