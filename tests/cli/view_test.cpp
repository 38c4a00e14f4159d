#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "cli/program.hpp"
#include "support/text.hpp"
#include "support/unique_fd.hpp"

namespace phe {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class ViewProgram : public test::ProgramTest {
 protected:
  void SetUp() override {
    if (run({"view", "--help"}).exit_code != 0) GTEST_SKIP() << "phe view is not built";
    ASSERT_EQ(run({"simulate", "--problem", "linear:d=3,arms=5", "--policy", "linphe:a=1|2",
                   "--rounds", "50", "--instances", "3", "--quiet", "--out", path("o")})
                  .exit_code,
              0);
  }
  // The port that a started program tells.
  std::uint16_t port_of(const test::Program& program, const std::filesystem::path& folder) {
    std::string text;
    program.wait_until([&] {
      text = test::bytes_of(folder / "stdout");
      return text.ends_with("/\n");
    });
    const auto colon = text.rfind(':');
    return parse_number<std::uint16_t>(text.substr(colon + 1, text.size() - colon - 3)).value();
  }
  static std::string ask(std::uint16_t port, const std::string& request) {
    const UniqueFd socket(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    // In two pieces, as a slow client sends it.
    ::send(socket.get(), request.data(), 5, 0);
    ::send(socket.get(), request.data() + 5, request.size() - 5, 0);
    std::string answer(1 << 20, '\0');
    std::size_t size = 0;
    for (ssize_t got = 1; got > 0; size += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
      got = ::recv(socket.get(), answer.data() + size, answer.size() - size, 0);
    return answer.substr(0, size);
  }
  static std::string get(std::uint16_t port, const std::string& target) {
    return ask(port, "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                         "\r\n\r\n");
  }
  static std::string body_of(const std::string& answer) {
    return answer.substr(answer.find("\r\n\r\n") + 4);
  }
};

TEST_F(ViewProgram, ServesThePageAndTheNumbersOfTheFolder) {
  const auto folder = temporary_ / "view";
  std::filesystem::create_directory(folder);
  const test::Program program(folder, {"view", path("o")});
  const std::uint16_t port = port_of(program, folder);
  const std::string page = get(port, "/");
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy: default-src 'none'; script-src 'self'"));
  EXPECT_THAT(page, HasSubstr("<title>phe view</title>"));
  EXPECT_THAT(get(port, "/page/folder.js"), HasSubstr("Content-Type: text/javascript"));

  const json numbers = json::parse(body_of(get(port, "/folder?against=1")));
  const json& part = numbers["parts"][0];
  EXPECT_EQ(part["state"], "finished");
  EXPECT_EQ(part["done"], 6);
  EXPECT_EQ(part["policies"], json({"linphe:a=1", "linphe:a=2"}));
  const json& problem = part["problems"][0];
  const json told = json::parse(
      run({"compare", path("o"), "--against", "linphe:a=2", "--json"}).out)["results"][0];
  EXPECT_EQ(problem["rounds"].back(), 50);
  EXPECT_EQ(problem["differences"][0]["policy"], 0);
  EXPECT_NEAR(problem["differences"][0]["mean"].back().get<double>(),
              told["difference"].get<double>(), 1e-9);

  EXPECT_THAT(get(port, "/nothing"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(get(port, "/folder?against=x"), StartsWith("HTTP/1.1 400"));
  const std::string own = "\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n\r\n";
  EXPECT_THAT(ask(port, "POST / HTTP/1.1" + own), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(ask(port, "nonsense" + own), StartsWith("HTTP/1.1 400"));
  // A name of somebody else's that leads here.
  EXPECT_THAT(ask(port, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
              StartsWith("HTTP/1.1 403"));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait().exit_code, 0);
}

TEST_F(ViewProgram, RefusesWhatIsNoResultsFolder) {
  EXPECT_THAT(run({"view"}).err, HasSubstr("view needs a results folder"));
  const auto none = run({"view", path("none")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("there is no such folder"));
}

}  // namespace
}  // namespace phe
