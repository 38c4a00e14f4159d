// The event log: any bytes as its file, as a stored request or answer, as a model. An error, or
// something that keeps the rules; never a crash.
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "serve/log_lines.hpp"
#include "serve/model_file.hpp"
#include "serve/sqlite_store.hpp"
#include "target.hpp"

namespace phe::fuzz {

namespace {

using nlohmann::json;

// A log of one event.
class OneEvent final : public serve::EventReader {
 public:
  explicit OneEvent(const serve::LoggedEvent& event) : event_(event) {}
  Result<void> events(std::int64_t, std::int64_t,
                      const std::function<bool(const serve::LoggedEvent&)>& take) override {
    static_cast<void>(take(event_));
    return {};
  }
  Result<int> lessons_after(std::int64_t, int,
                            const std::function<void(const serve::Lesson&)>&) override {
    return 0;
  }
  Result<std::int64_t> last_lesson_before(std::int64_t) override { return std::int64_t{0}; }
  Result<std::optional<serve::StoredModel>> model() override {
    return std::optional<serve::StoredModel>();
  }
  Result<std::optional<std::string>> get(std::string_view) override {
    return std::optional<std::string>();
  }
  Result<std::vector<std::string>> all(std::string_view) override {
    return std::vector<std::string>();
  }
  Result<serve::StoreCounts> counts() override { return serve::StoreCounts(); }
  Result<std::optional<std::string>> answer(std::string_view) override {
    return std::optional<std::string>();
  }
  Result<std::optional<std::int64_t>> next_close() override {
    return std::optional<std::int64_t>();
  }
  Result<std::string> snapshot() override { return std::string(); }
  Result<void> tidy() override { return {}; }

 private:
  serve::LoggedEvent event_;
};

void check_event(std::string_view request, std::string_view answer, std::size_t shown) {
  const serve::LoggedEvent event{.id = "e",
                                 .request = request,
                                 .answer = answer,
                                 .settled = true,
                                 .drawn = shown,
                                 .shown = shown,
                                 .reward = 0.5};
  OneEvent log(event);
  const auto done = serve::write_log_lines(log, 0, 1, {}, [](std::string_view line) {
    demand(json::accept(line), "a line is JSON");
    return true;
  });
  if (!done) demand_one_line(done.error().message);
}

void check_file(std::string_view bytes) {
  // SQLite wants a name that can be resolved: a file in memory that has one.
  static const std::string name = "/dev/shm/phe-fuzz-" + std::to_string(::getpid());
  std::ofstream(name, std::ios::binary) << bytes;
  auto reader = serve::open_sqlite_reader(name);
  ::unlink(name.c_str());
  if (!reader) return demand_one_line(reader.error().message);
  const auto counts = reader.value()->counts();
  if (!counts) return demand_one_line(counts.error().message);
  static_cast<void>(reader.value()->model());
  static_cast<void>(reader.value()->lessons_after(0, 10, [](const serve::Lesson&) {}));
}

}  // namespace

void check(std::string_view input) {
  if (input.empty()) return;
  const std::string_view rest = input.substr(1);
  constexpr std::string_view request = R"({"actions":[{"id":"a","features":[{"x":1}]}]})";
  constexpr std::string_view answer =
      R"({"ranking":[{"id":"a","probability":1}],"eventId":"e","rewardActionId":"a"})";
  switch (static_cast<unsigned char>(input[0]) % 4) {
    case 0:
      return check_event(rest, answer, 0);
    case 1:
      return check_event(request, rest, 0);
    case 2:
      return check_file(rest);
    default:
      if (const auto model = serve::read_model_file(rest); !model)
        demand_one_line(model.error().message);
      demand(!serve::signed_by(rest, "secret"), "nobody guesses a signature");
  }
}

}  // namespace phe::fuzz
