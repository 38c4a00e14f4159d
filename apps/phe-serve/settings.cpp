#include "settings.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "support/error.hpp"
#include "support/text.hpp"

namespace phe::serve::app {

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> all = {
      {"data", "phe-data", "folder of the event logs, models and keys; made if it is not there"},
      {"listen", "127.0.0.1:8080", "address and port; port 0 lets the system choose"},
      {"key", "", "a key of the application 'default', instead of a random one"},
      {"key-file", "", "a file with that key"},
      {"config", "", "a TOML file with any of these settings"},
      {"durability", "commit", "commit: answers wait for the disk | async: for the system alone"},
      {"store", "", "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], shared by many nodes"},
      {"store-password", "", "of that Redis; better in the environment, where nobody sees it"},
      {"store-hours", "48",
       "that Redis keeps events and their ids; the nodes' own logs keep theirs"},
      {"store-timeout", "1000", "milliseconds without an answer until Redis counts as away"},
      {"when-store-is-away", "refuse", "refuse: rewards get 429 | buffer: on this node's disk"},
      {"max-buffered", "1000000", "calls on this node's disk while Redis is away"},
      {"snapshot-every", "60", "seconds between two snapshots in Redis, for nodes that start"},
      {"policy", "linphe:a=0.5,memory=1024", "of new applications; `phe policies` lists all"},
      {"dimension", "128", "numbers that features are hashed into, from 8 to 4096"},
      {"tls-certificate", "", "PEM file with the certificate and its chain; read again on change"},
      {"tls-key", "", "PEM file with its private key"},
      {"threads", "0", "that talk to clients; 0: one per core"},
      {"max-actions", "50", "actions of one rank call"},
      {"max-features", "20000", "features of one rank call"},
      {"max-body", "1048576", "bytes of a request's body"},
      {"max-header", "16384", "bytes of a request's header"},
      {"max-connections", "10000", "connections at a time"},
      {"max-waiting", "10000", "calls that wait for the log; more are answered with 429"},
      {"read-timeout", "20", "seconds for a whole request, once it has begun"},
      {"idle-timeout", "120", "seconds between two requests of a connection"},
      {"allow-origin", "*", "pages that may call from a browser (CORS); empty: none"},
      {"log-level", "info", "debug (every request) | info | warn | error"},
      {"log-format", "text", "of standard error: text | json"},
      {"application", "default", "for the commands key and export"},
      {"from", "", "export: events from this time on, as 2026-11-18T04:00:00Z"},
      {"to", "", "export: events before this time"},
  };
  return all;
}

namespace {

const Setting* find_setting(std::string_view name) {
  const auto at = std::ranges::find(all_settings(), name, &Setting::name);
  return at == all_settings().end() ? nullptr : &*at;
}

std::string environment_name(std::string_view name) {
  std::string result = "PHE_SERVE_";
  for (const char c : name) result += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return result;
}

Result<void> read_flags(int argc, char** argv, Settings& flags) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") flags.help = true;
    if (word == "--version") flags.version = true;
    if (word == "--help" || word == "-h" || word == "--version") continue;
    if (!word.starts_with("--")) {
      flags.words.emplace_back(word);
      continue;
    }
    const auto equals = word.find('=');
    const std::string_view name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
    if (find_setting(name) == nullptr)
      return invalid("there is no flag --{}; phe-serve --help lists all", name);
    if (equals != word.npos)
      flags.values[std::string(name)] = word.substr(equals + 1);
    else if (i + 1 < argc)
      flags.values[std::string(name)] = argv[++i];
    else
      return invalid("--{} needs a value", name);
  }
  return {};
}

Result<void> read_toml(const std::string& file, Settings& into) try {
  const toml::table table = toml::parse_file(file);
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    if (find_setting(name) == nullptr || name == "config")
      return invalid("{}: there is no setting '{}'", file, name);
    if (const auto text = value.value<std::string>())
      into.values[name] = *text;
    else if (const auto number = value.value<std::int64_t>())
      into.values[name] = std::to_string(*number);
    else
      return invalid("{}: {} must be a text or a whole number", file, name);
  }
  return {};
} catch (const toml::parse_error& error) {
  return invalid("{}:{}: {}", file, error.source().begin.line, error.description());
}

Result<std::uint64_t> count_of(const Settings& settings, std::string_view name, std::uint64_t low,
                               std::uint64_t high) {
  const auto value = parse_number<std::uint64_t>(settings[name]);
  if (value && *value >= low && *value <= high) return *value;
  return invalid("{} must be a whole number from {} to {}, got '{}'", name, low, high,
                 settings[name]);
}

}  // namespace

Result<Settings> read_settings(int argc, char** argv) {
  Settings flags;
  if (auto done = read_flags(argc, argv, flags); !done) return done.error();
  Settings all;
  all.words = flags.words;
  all.help = flags.help;
  all.version = flags.version;
  for (const Setting& row : all_settings()) all.values.emplace(row.name, row.standard);
  const auto from_environment = [](std::string_view name) {
    return std::getenv(environment_name(name).c_str());
  };
  std::string file = flags.values.contains("config") ? flags["config"] : std::string();
  if (const char* named = from_environment("config"); file.empty() && named != nullptr)
    file = named;
  if (!file.empty())
    if (auto done = read_toml(file, all); !done) return done.error();
  for (const Setting& row : all_settings())
    if (const char* value = from_environment(row.name)) all.values[std::string(row.name)] = value;
  for (const auto& [name, value] : flags.values) all.values[name] = value;
  return all;
}

Result<HttpOptions> http_options(const Settings& settings) {
  HttpOptions options;
  const std::string& listen = settings["listen"];
  const auto colon = listen.rfind(':');
  const auto port = parse_number<std::uint16_t>(
      colon == std::string::npos ? listen : std::string_view(listen).substr(colon + 1));
  if (!port) return invalid("listen must be ADDRESS:PORT, got '{}'", listen);
  options.port = *port;
  if (colon != std::string::npos) options.address = listen.substr(0, colon);
  if (options.address.starts_with('[') && options.address.ends_with(']'))
    options.address = options.address.substr(1, options.address.size() - 2);
  struct Row {
    std::string_view name;
    std::uint64_t low, high;
    std::function<void(std::uint64_t)> set;
  };
  for (const Row& row : {
           Row{"threads", 0, 1024, [&](auto n) { options.threads = static_cast<unsigned>(n); }},
           Row{"max-connections", 1, 1'000'000, [&](auto n) { options.most_connections = n; }},
           Row{"max-header", 1024, 1 << 20, [&](auto n) { options.most_header = n; }},
           Row{"max-body", 1024, 1 << 30, [&](auto n) { options.most_body = n; }},
           Row{"read-timeout", 1, 3600,
               [&](auto n) { options.read_timeout = static_cast<std::int64_t>(n) * second; }},
           Row{"idle-timeout", 1, 86'400,
               [&](auto n) { options.idle_timeout = static_cast<std::int64_t>(n) * second; }},
       }) {
    const auto value = count_of(settings, row.name, row.low, row.high);
    if (!value) return value.error();
    row.set(value.value());
  }
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  options.certificate = settings["tls-certificate"];
  options.private_key = settings["tls-key"];
  if (options.certificate.empty() != options.private_key.empty())
    return invalid("tls-certificate and tls-key go together");
  options.allow_origin = settings["allow-origin"];
  return options;
}

namespace {

Result<RedisOptions> redis_options(const Settings& settings) {
  const auto address = RedisAddress::parse(settings["store"]);
  if (!address) return address.error();
  RedisOptions options{.address = address.value()};
  if (!settings["store-password"].empty()) options.address.password = settings["store-password"];
  const std::string& away = settings["when-store-is-away"];
  if (away != "refuse" && away != "buffer")
    return invalid("when-store-is-away must be refuse or buffer, got '{}'", away);
  options.buffer_rewards = away == "buffer";
  struct Row {
    std::string_view name;
    std::uint64_t low, high;
    std::int64_t unit;
    std::int64_t* into;
  };
  for (const Row& row : {Row{"store-hours", 1, 876'000, 60 * minute, &options.keep},
                         Row{"store-timeout", 10, 60'000, millisecond, &options.timeout},
                         Row{"max-buffered", 0, 1'000'000'000, 1, &options.most_buffered},
                         Row{"snapshot-every", 1, 86'400, second, &options.snapshot_every}}) {
    const auto value = count_of(settings, row.name, row.low, row.high);
    if (!value) return value.error();
    *row.into = static_cast<std::int64_t>(value.value()) * row.unit;
  }
  return options;
}

}  // namespace

Result<ServiceOptions> service_options(const Settings& settings) {
  ServiceOptions options;
  ApplicationOptions& app = options.application;
  const auto dimension = count_of(settings, "dimension", 8, largest_dimension);
  if (!dimension) return dimension.error();
  app.dimension = dimension.value();
  app.policy = settings["policy"];
  if (const auto policy = make_policy(app.policy, app.dimension); !policy)
    return invalid("policy: {}", policy.error().message);
  const std::string& durability = settings["durability"];
  if (durability != "commit" && durability != "async")
    return invalid("durability must be commit or async, got '{}'", durability);
  app.durability = durability == "commit" ? Durability::commit : Durability::async;
  const auto actions = count_of(settings, "max-actions", 1, 10'000);
  if (!actions) return actions.error();
  app.limits.actions = actions.value();
  const auto features = count_of(settings, "max-features", 1, 10'000'000);
  if (!features) return features.error();
  app.limits.features = features.value();
  const auto waiting = count_of(settings, "max-waiting", 0, 10'000'000);
  if (!waiting) return waiting.error();
  app.most_waiting = waiting.value();
  if (!settings["store"].empty()) {
    const auto redis = redis_options(settings);
    if (!redis) return redis.error();
    app.redis = redis.value();
  }
  if (!settings["key"].empty()) options.key = settings["key"];
  if (const std::string& file = settings["key-file"]; !file.empty()) {
    const auto text = read_file(file);
    if (!text) return text.error();
    options.key = std::string(trim(text.value()));
  }
  return options;
}

}  // namespace phe::serve::app
