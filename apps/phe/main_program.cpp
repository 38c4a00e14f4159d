#include "main_program.hpp"

#include <exception>
#include <new>
#include <system_error>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "output.hpp"

namespace phe::app {

int run_program(int argc, char** argv) try {
  CLI::App app;
  Command chosen;
  describe(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain(app, error);
  }
  return flushed(chosen());
} catch (const std::bad_alloc&) {
  return failed("there is not enough memory for this");
} catch (const std::system_error& error) {  // of printing the results; files are Results
  return failed("standard output: " + error.code().message());
} catch (const std::exception& error) {
  return failed(error.what());
}

}  // namespace phe::app
