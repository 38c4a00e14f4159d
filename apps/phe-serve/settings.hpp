// Settings: a row each, which is a flag, a variable of the environment, a key of the file, and a
// line of --help. A flag beats the environment, that beats the file, that beats the default.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "phe/result.hpp"
#include "serve/http_server.hpp"
#include "serve/service.hpp"

namespace phe::serve::app {

struct Setting {
  std::string_view name;  // --listen, PHE_SERVE_LISTEN, listen = ".." in the file
  std::string_view standard;
  std::string_view meaning;
};

const std::vector<Setting>& all_settings();

struct Settings {
  std::map<std::string, std::string, std::less<>> values;
  std::vector<std::string> words;  // what is no flag: the command and its arguments
  bool help = false;
  bool version = false;

  [[nodiscard]] const std::string& operator[](std::string_view name) const {
    return values.find(name)->second;
  }
};

Result<Settings> read_settings(int argc, char** argv);
Result<HttpOptions> http_options(const Settings& settings);
Result<ServiceOptions> service_options(const Settings& settings);

}  // namespace phe::serve::app
