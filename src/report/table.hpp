// Tables of a report, and how they look on a page, in Markdown and on a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace phe {

struct Cell {
  std::string text;       // lines are separated by '\n'
  bool best = false;      // set off: the best of its kind
  std::string look = {};  // class of the cell on a page: "holds", "wide"
};

struct Table {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows;  // each as long as the head
};

std::string to_html(const Table& table);
std::string to_markdown(const Table& table);

// `text` with what HTML gives a meaning to replaced.
std::string html_text(std::string_view text);
std::string base64(std::string_view bytes);

}  // namespace phe
