#include "report/table.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace phe {

namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string html_cell(const Cell& cell, std::string_view tag) {
  std::string text = replaced(html_text(cell.text), "\n", "<br>");
  if (cell.best) text = fmt::format("<strong>{}</strong>", text);
  if (cell.look.empty()) return fmt::format("<{0}>{1}</{0}>", tag, text);
  return fmt::format("<{0} class=\"{2}\">{1}</{0}>", tag, text, cell.look);
}

std::string markdown_cell(const Cell& cell) {
  std::string text = replaced(replaced(cell.text, "|", "\\|"), "\n", "<br>");
  return cell.best ? fmt::format("**{}**", text) : text;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j)
      word = word << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out += i + j <= bytes.size() ? digits[word >> (18 - 6 * j) & 63U] : '=';
  }
  return out;
}

std::string to_html(const Table& table) {
  // The caption stands outside of what scrolls, and so is as wide as the screen.
  std::string text =
      fmt::format("<p class=\"caption\">{}</p>\n<div class=\"scroll\"><table>\n<thead><tr>",
                  html_text(table.caption));
  for (const std::string& name : table.head) text += html_cell({name}, "th");
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) text += html_cell(row[i], i == 0 ? "th" : "td");
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table></div>\n";
}

std::string to_markdown(const Table& table) {
  std::string text = fmt::format("{}\n\n|", table.caption);
  for (const std::string& name : table.head) text += fmt::format(" {} |", name);
  text += "\n|";
  for (std::size_t i = 0; i < table.head.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& row : table.rows) {
    text += '|';
    for (const Cell& cell : row) text += fmt::format(" {} |", markdown_cell(cell));
    text += '\n';
  }
  return text;
}

}  // namespace phe
