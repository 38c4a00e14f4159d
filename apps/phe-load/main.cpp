// phe-load: loads a phe-serve of this machine, and sees whether it learns.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace {

int print(const phe::Result<std::string>& report) {
  if (report) return std::printf("%s\n", report->c_str()) < 0;
  std::fprintf(stderr, "phe-load: %s\n", report.error().message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "phe-load: loads a phe-serve of this machine, and sees whether it learns\n\n"
      "  phe-load bench --url http://127.0.0.1:8080 --key KEY --what pair --seconds 5\n"
      "  phe-load play --url http://127.0.0.1:8080 --key KEY --rounds 2000 --runs 20");
  app.require_subcommand(1);
  phe::serve::load::BenchOptions b;
  CLI::App* bench = app.add_subcommand("bench", "requests per second and latency");
  bench->add_option("--url", b.url, "http://127.0.0.1:PORT")->required();
  bench->add_option("--key", b.key, "of the service");
  bench->add_option("--connections", b.connections, "at a time")->capture_default_str();
  bench->add_option("--seconds", b.seconds, "to go on for")->capture_default_str();
  bench->add_option("--requests", b.requests, "at most; 0: any number")->capture_default_str();
  bench->add_option("--rate", b.rate, "requests per second; 0: as fast as they are answered");
  bench->add_option("--what", b.what, "rank | pair (a rank and its reward)")->capture_default_str();
  bench->add_option("--actions", b.actions, "of a rank")->capture_default_str();
  bench->add_option("--features", b.features, "of an action")->capture_default_str();
  bench->add_option("--prefix", b.prefix, "of the event ids")->capture_default_str();

  phe::serve::load::PlayOptions p;
  CLI::App* play = app.add_subcommand("play", "regret of the server beside that of a simulation");
  play->add_option("--url", p.url, "http://127.0.0.1:PORT")->required();
  play->add_option("--key", p.key, "of the service");
  play->add_option("--rounds", p.rounds, "of a run")->capture_default_str();
  play->add_option("--runs", p.runs, "each with a truth of its own")->capture_default_str();
  play->add_option("--seed", p.seed, "of the first run")->capture_default_str();
  play->add_option("--delay", p.delay, "rounds that a reward may be late")->capture_default_str();
  play->add_option("--missing", p.missing, "share of rewards that never come")
      ->capture_default_str();
  play->add_option("--repeated", p.repeated, "share that comes twice")->capture_default_str();
  play->add_option("--connections", p.connections, "at a time")->capture_default_str();
  play->add_option("--curves", p.curves, "a CSV file for regret by round");
  play->add_flag("--apprentice", p.apprentice, "how often it agrees with a baseline");

  std::uint16_t port = 0;
  unsigned threads = 2;
  CLI::App* echo = app.add_subcommand("echo", "a bare echo server, to compare with");
  echo->add_option("--port", port, "0: the system chooses")->capture_default_str();
  echo->add_option("--threads", threads, "that answer")->capture_default_str();

  std::string policy = "linphe:a=0.5,memory=1024";
  std::size_t dimension = 128;
  CLI::App* cost =
      app.add_subcommand("cost", "microseconds of a rank and of a lesson, without HTTP");
  cost->add_option("--policy", policy, "of the model")->capture_default_str();
  cost->add_option("--dimension", dimension, "of its vectors")->capture_default_str();

  CLI11_PARSE(app, argc, argv);
  if (bench->parsed()) return print(phe::serve::load::bench(b));
  if (cost->parsed()) return print(phe::serve::load::cost(policy, dimension));
  if (play->parsed()) return print(phe::serve::load::play(p));
  const auto done = phe::serve::load::echo(port, threads);
  if (done) return 0;
  std::fprintf(stderr, "phe-load: %s\n", done.error().message.c_str());
  return 1;
}
