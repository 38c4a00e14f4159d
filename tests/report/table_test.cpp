#include "report/table.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

TEST(Table, EscapesWhatHtmlGivesAMeaningTo) {
  EXPECT_EQ(html_text("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
}

// The vectors of RFC 4648, section 10.
TEST(Table, EncodesBase64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Table, LooksTheSameOnAPageAndInMarkdown) {
  const Table table{"A <caption>",
                    {"Policy", "d = 5"},
                    {{{"LinPHE"}, {"1 ± 2", true}}, {{"x|y"}, {"one\ntwo", false, "numbers"}}}};
  const std::string html = to_html(table);
  EXPECT_NE(html.find("<p class=\"caption\">A &lt;caption&gt;</p>"), std::string::npos);
  EXPECT_NE(html.find("<tr><th>LinPHE</th><td><strong>1 ± 2</strong></td></tr>"),
            std::string::npos);
  EXPECT_NE(html.find("<td class=\"numbers\">one<br>two</td>"), std::string::npos);
  EXPECT_EQ(to_markdown(table),
            "A <caption>\n\n| Policy | d = 5 |\n|---|---|\n| LinPHE | **1 ± 2** |\n"
            "| x\\|y | one<br>two |\n");
}

}  // namespace
}  // namespace phe
