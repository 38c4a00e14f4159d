// phe view: a results folder in the browser, as it grows. Built where the page is
// (cmake/page.cmake).
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "local_server.hpp"
#include "output.hpp"
#include "page/page.hpp"
#include "phe/registry.hpp"
#include "record/experiment_json.hpp"
#include "support/text.hpp"
#include "view_report.hpp"

namespace phe::app {

namespace {

constexpr const char* about_view = "Show a results folder in the browser, as it grows";

constexpr const char* examples_of_view =
    R"(Prints an address of this machine and serves a page there until Ctrl-C: regret curves of the runs that
are in, zoom, policies on and off, paired differences to one of them. It reads the folder's files alone, so
another process, or another machine, may go on writing them.

Examples:
  phe simulate experiments/linear.toml --out out/linear & phe view out/linear
  phe view out/reproduce --port 8090)";

struct ViewFlags {
  std::string folder;
  std::uint16_t port = 0;
};

LocalAnswer refusal(const std::string& message) {
  return {.status = 400, .body = dumped({{"error", message}})};
}

LocalAnswer answer(std::string_view target, const ViewFlags& flags, const Registry& registry) {
  constexpr std::string_view numbers = "/folder?against=";
  if (target.starts_with(numbers)) {
    const auto against = parse_number<std::size_t>(target.substr(numbers.size()));
    if (!against) return refusal("against must be the position of a policy, from 0");
    auto json = view_json(flags.folder, *against, registry);
    if (!json) return refusal(json.error().message);
    return {.body = std::move(json).value()};
  }
  const auto asset = page::find_asset(page::Kind::folder, target);
  if (!asset) return {.status = 404, .body = R"({"error":"there is no such file"})"};
  return {.content_type = asset->content_type, .body = std::string(asset->body)};
}

int run_view(const ViewFlags& flags) {
  if (flags.folder.empty()) return bad_input("view needs a results folder, as in phe view DIR");
  const Registry registry = Registry::built_in();
  if (const auto first = view_json(flags.folder, 0, registry); !first)
    return bad_input(first.error().message);
  auto server = LocalServer::listen(flags.port, page::headers);
  if (!server) return bad_input("--port: " + server.error().message);
  fmt::print("http://127.0.0.1:{}/\n", server->port());
  std::fflush(stdout);
  catch_interrupts();
  server->serve([&](std::string_view target) { return answer(target, flags, registry); },
                interrupted);
  return exit_done;
}

}  // namespace

void add_view_command(CLI::App& app, Command& chosen) {
  CLI::App* const command = app.add_subcommand("view", about_view);
  const auto flags = std::make_shared<ViewFlags>();
  command->add_option("folder", flags->folder, "results folder, or a folder of them")
      ->type_name("DIR");
  command->add_option("--port", flags->port, "of 127.0.0.1; 0 takes any that is free (0)")
      ->type_name("PORT");
  command->footer(examples_of_view);
  command->callback([&chosen, flags] { chosen = [flags] { return run_view(*flags); }; });
}

}  // namespace phe::app
