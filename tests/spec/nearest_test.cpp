#include "spec/nearest.hpp"

#include <gtest/gtest.h>

namespace phe {
namespace {

TEST(EditDistance, CountsEditsAndSwapsOfNeighboursOnce) {
  EXPECT_EQ(edit_distance("ridge", "ridge"), 0U);
  EXPECT_EQ(edit_distance("", "ridge"), 5U);
  EXPECT_EQ(edit_distance("ridge", ""), 5U);
  EXPECT_EQ(edit_distance("ridg", "ridge"), 1U);
  EXPECT_EQ(edit_distance("ridgee", "ridge"), 1U);
  EXPECT_EQ(edit_distance("rudge", "ridge"), 1U);
  EXPECT_EQ(edit_distance("irdge", "ridge"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, DoesNotMindCase) { EXPECT_EQ(edit_distance("LinPHE", "linphe"), 0U); }

TEST(Nearest, IsTheCandidateWithTheFewestEdits) {
  EXPECT_EQ(nearest("linpeh", {"linucb", "linphe", "logphe"}), "linphe");
}

TEST(Nearest, IsEmptyWhenNothingIsClose) {
  EXPECT_EQ(nearest("banana", {"linucb", "linphe"}), "");
  EXPECT_EQ(nearest("x", {"a"}), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), {"linphe"}), "");
}

}  // namespace
}  // namespace phe
