// phe: the command line. Exit codes: 0 done, 1 failed, 2 bad input, 130 interrupted.
#include <exception>
#include <new>
#include <system_error>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "output.hpp"

namespace {

int run(int argc, char** argv) try {
  CLI::App app;
  phe::app::Command chosen;
  phe::app::describe(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return phe::app::explain(app, error);
  }
  return phe::app::flushed(chosen());
} catch (const std::bad_alloc&) {
  return phe::app::failed("there is not enough memory for this");
} catch (const std::system_error& error) {  // of printing the results; files are Results
  return phe::app::failed("standard output: " + error.code().message());
} catch (const std::exception& error) {
  return phe::app::failed(error.what());
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
