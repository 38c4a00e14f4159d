#include "manual.hpp"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "phe/version.hpp"
#include "settings.hpp"

namespace phe::serve::app {

namespace {

constexpr std::string_view about = "decisions over HTTP, learnt by perturbed-history exploration";

struct Row {
  std::string_view words, meaning;
};

constexpr std::array<Row, 7> commands{{
    {"", "serve until SIGTERM or Ctrl-C"},
    {"key add|list", "add a key (and its application), or list them"},
    {"key remove 1|2", "remove the older or the newer key"},
    {"export", "the event log, for phe evaluate and phe learn"},
    {"backup FOLDER", "a copy of --data, also while a server writes it"},
    {"restore FOLDER", "such a copy as --data, which must not be there"},
    {"check", "settings, keys, logs, disk, clock, certificate"},
}};

constexpr std::array<std::string_view, 6> examples{
    "phe-serve --data shop",
    "phe-serve --data shop --listen 0.0.0.0:443 --tls-certificate c.pem --tls-key k.pem",
    "phe-serve --data node1 --store redis://10.0.0.5 --key-file key    # on each node",
    "phe-serve key add --data shop --application news",
    "phe-serve backup copies/monday --data shop",
    "phe-serve export --data shop > log.jsonl && phe evaluate log.jsonl --target uniform"};

std::string standard_of(const Setting& row) {
  return row.standard.empty() ? "" : fmt::format(" [{}]", row.standard);
}

// troff takes a - for a hyphen, and a dot at the start of a line for a command.
std::string troff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '-' || c == '\\') result += '\\';
    if (c == '.' && result.empty()) result += "\\&";
    result += c;
  }
  return result;
}

}  // namespace

std::string help_text() {
  std::string text = fmt::format("phe-serve: {}.\n\n", about);
  const auto out = std::back_inserter(text);
  for (const Row& row : commands)
    fmt::format_to(out, "  {:<37}{}\n",
                   fmt::format("phe-serve {}{}[FLAGS]", row.words, row.words.empty() ? "" : " "),
                   row.meaning);
  text += "\nExamples\n";
  for (const std::string_view line : examples) fmt::format_to(out, "  {}\n", line);
  text +=
      "\nFlags, each also PHE_SERVE_NAME in the environment and a key of the file --config names\n";
  for (const Setting& row : all_settings())
    fmt::format_to(out, "  --{:<16} {}{}\n", row.name, row.meaning, standard_of(row));
  return text;
}

std::string man_page() {
  std::string text =
      fmt::format(".TH PHE\\-SERVE 1 \"\" \"phe {}\"\n.SH NAME\nphe\\-serve \\- {}\n.SH SYNOPSIS\n",
                  version, about);
  const auto out = std::back_inserter(text);
  for (const Row& row : commands)
    fmt::format_to(out, ".B phe\\-serve {}\n[FLAGS]\n.br\n", troff(row.words));
  text += ".SH COMMANDS\n";
  for (const Row& row : commands)
    if (!row.words.empty())
      fmt::format_to(out, ".TP\n.B {}\n{}\n", troff(row.words), troff(row.meaning));
  text +=
      ".SH FLAGS\nEach is also a variable PHE_SERVE_NAME of the environment, and a key of the TOML "
      "file that\n.B \\-\\-config\nnames. A flag beats the environment, that beats the file.\n";
  for (const Setting& row : all_settings())
    fmt::format_to(out, ".TP\n.B \\-\\-{}\n{}{}\n", troff(row.name), troff(row.meaning),
                   troff(standard_of(row)));
  text += ".SH EXIT STATUS\n0 done, 1 failed, 2 bad input.\n.SH EXAMPLES\n.nf\n";
  for (const std::string_view line : examples) fmt::format_to(out, "{}\n", troff(line));
  return text + ".fi\n.SH SEE ALSO\n.BR phe (1)\n";
}

std::string bash_completion() {
  std::string flags;
  for (const Setting& row : all_settings()) flags += fmt::format(" --{}", row.name);
  std::string words;
  for (const Row& row : commands)
    if (const auto word = row.words.substr(0, row.words.find(' ')); words.find(word) == words.npos)
      words += fmt::format("{}{}", words.empty() ? "" : " ", word);
  return fmt::format(R"(# bash completion of phe-serve
_phe_serve() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  case $before in
    key) COMPREPLY=($(compgen -W "add list remove" -- "$word")) ;;
    --data|backup|restore) COMPREPLY=($(compgen -d -- "$word")) ;;
    --config|--key-file|--tls-certificate|--tls-key) COMPREPLY=($(compgen -f -- "$word")) ;;
    --durability) COMPREPLY=($(compgen -W "commit async" -- "$word")) ;;
    --log-level) COMPREPLY=($(compgen -W "debug info warn error" -- "$word")) ;;
    --log-format) COMPREPLY=($(compgen -W "text json" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "{}{} --help --version" -- "$word")) ;;
  esac
}}
complete -F _phe_serve phe-serve
)",
                     words, flags);
}

}  // namespace phe::serve::app
