#include "phe/parameters.hpp"

#include <gtest/gtest.h>

#include "support/sha256.hpp"
#include "support/temporary_folder.hpp"

namespace phe {
namespace {

const std::vector<ParameterInfo> keys = {{"a", "0.5", "a real number"},
                                         {"ridge", "1", "another"},
                                         {"gram", "paper", "a choice"},
                                         {"centred", "false", "a flag"},
                                         {"arms", "100", "a count"},
                                         {"features", "", "a file", true},
                                         {"theory", "false", "sets lambda", false},
                                         {"lambda", "1", "replaced by theory", false, "theory"}};

Parameters parsed(std::string_view spec) {
  auto parameters = Parameters::parse("policy", spec, keys);
  EXPECT_TRUE(parameters.ok()) << parameters.error().message;
  return parameters.value();
}

std::string refusal(std::string_view spec) {
  const auto parameters = Parameters::parse("policy", spec, keys);
  EXPECT_FALSE(parameters.ok());
  return parameters.ok() ? "" : parameters.error().message;
}

std::string real_refusal(std::string_view spec) {
  Parameters parameters = parsed(spec);
  EXPECT_EQ(parameters.real("a"), 0.5) << "the default stands in";
  return parameters.error().error().message;
}

TEST(Parameters, AreDefaultsWhenNothingIsGiven) {
  Parameters parameters = parsed("linphe");
  EXPECT_EQ(parameters.name(), "linphe");
  EXPECT_EQ(parameters.real("a"), 0.5);
  EXPECT_EQ(parameters.count("arms"), 100U);
  EXPECT_EQ(parameters.choice("gram", {"history", "paper"}), 1U);
  EXPECT_FALSE(parameters.flag("centred"));
  EXPECT_FALSE(parameters.given("a"));
  EXPECT_TRUE(parameters.error().ok());
}

TEST(Parameters, AreWhatIsGivenWithBlanksAround) {
  Parameters parameters = parsed(" linphe : a = 1e-2 , gram=history,centred , arms=7 ");
  EXPECT_EQ(parameters.name(), "linphe");
  EXPECT_EQ(parameters.real("a"), 0.01);
  EXPECT_EQ(parameters.text("gram"), "history");
  EXPECT_TRUE(parameters.flag("centred"));
  EXPECT_EQ(parameters.count("arms"), 7U);
  EXPECT_TRUE(parameters.given("a"));
  EXPECT_FALSE(parameters.given("ridge"));
  EXPECT_TRUE(parameters.error().ok());
}

TEST(Parameters, NameTheNearestKeyForAnUnknownOne) {
  EXPECT_EQ(refusal("linphe:ridg=1"),
            "policy linphe has no key 'ridg'; did you mean 'ridge'? "
            "(keys: a, ridge, gram, centred, arms, features, theory, lambda)");
  EXPECT_EQ(refusal("linphe:banana=1"),
            "policy linphe has no key 'banana' (keys: a, ridge, gram, centred, arms, features, "
            "theory, lambda)");
  EXPECT_EQ(Parameters::parse("problem", "flat:x=1", {}).error().message,
            "problem flat has no key 'x'; it takes none");
}

TEST(Parameters, RefuseAMissingKeyOrValue) {
  EXPECT_EQ(refusal("linphe:"), "policy linphe: a key is missing in 'linphe:'");
  EXPECT_EQ(refusal("linphe:a=1,"), "policy linphe: a key is missing in 'linphe:a=1,'");
  EXPECT_EQ(refusal("linphe:=1"), "policy linphe: a key is missing in 'linphe:=1'");
  EXPECT_EQ(refusal("linphe:a="), "policy linphe: a needs a value, as in a=0.5");
  EXPECT_EQ(refusal("linphe:a"), "policy linphe: a needs a value, as in a=0.5");
  EXPECT_EQ(refusal("linphe:centred="),
            "policy linphe: centred needs a value, as in centred=false");
}

TEST(Parameters, RefuseAKeyGivenTwice) {
  EXPECT_EQ(refusal("linphe:a=1,a=1"), "policy linphe: a is given twice in 'linphe:a=1,a=1'");
}

TEST(Parameters, RefuseRealsThatAreNotFiniteNumbers) {
  EXPECT_EQ(real_refusal("linphe:a=x"), "policy linphe: a must be a number, got 'x'");
  EXPECT_EQ(real_refusal("linphe:a=1 2"), "policy linphe: a must be a number, got '1 2'");
  EXPECT_EQ(real_refusal("linphe:a=nan"), "policy linphe: a must be a finite number, got 'nan'");
  EXPECT_EQ(real_refusal("linphe:a=-inf"), "policy linphe: a must be a finite number, got '-inf'");
  EXPECT_EQ(real_refusal("linphe:a=1e999"), "policy linphe: a must be a number, got '1e999'");
}

TEST(Parameters, RefuseCountsThatAreNotWholeNumbers) {
  for (const std::string text : {"-1", "1.5", "1e-3", "ten", "18446744073709551616"}) {
    Parameters parameters = parsed("linphe:arms=" + text);
    EXPECT_EQ(parameters.count("arms"), 100U);
    EXPECT_EQ(parameters.error().error().message,
              "policy linphe: arms must be a whole number, 0 or more, got '" + text + "'");
  }
}

TEST(Parameters, RefuseFlagsAndChoicesOutsideTheirValues) {
  Parameters flag = parsed("linphe:centred=yes");
  EXPECT_FALSE(flag.flag("centred"));
  EXPECT_EQ(flag.error().error().message,
            "policy linphe: centred must be true or false, got 'yes'");
  Parameters choice = parsed("linphe:gram=x");
  EXPECT_EQ(choice.choice("gram", {"paper", "history"}), 0U);
  EXPECT_EQ(choice.error().error().message,
            "policy linphe: gram must be paper or history, got 'x'");
}

TEST(Parameters, RememberTheFirstThingWrong) {
  Parameters parameters = parsed("linphe:a=x,ridge=y");
  EXPECT_EQ(parameters.real("ridge"), 1.0);
  EXPECT_EQ(parameters.real("a"), 0.5);
  EXPECT_EQ(parameters.error().error().message, "policy linphe: ridge must be a number, got 'y'");
}

TEST(Parameters, HaveOneCanonicalTextForEqualThings) {
  EXPECT_EQ(parsed("linphe").canonical(), "linphe");
  EXPECT_EQ(parsed("linphe:a=.50,ridge=1.0,centred=false").canonical(), "linphe");
  EXPECT_EQ(parsed("linphe: arms=007, a=2.50").canonical(), "linphe:a=2.5,arms=7");
  EXPECT_EQ(parsed("linphe:centred").canonical(), parsed("linphe:centred=true").canonical());
}

TEST(Parameters, TellADefaultFromAValueThatReplacesWhatAFlagSets) {
  EXPECT_EQ(parsed("linphe:lambda=1").canonical(), "linphe");
  EXPECT_EQ(parsed("linphe:theory").canonical(), "linphe:theory=true");
  EXPECT_EQ(parsed("linphe:theory,lambda=1.0").canonical(), "linphe:theory=true,lambda=1");
}

TEST(Parameters, TellAKeyThatTheEntryReadsButDoesNotList) {
  Parameters parameters = parsed("linphe");
  EXPECT_FALSE(parameters.given("banana"));
  EXPECT_EQ(parameters.text("banana"), "");
  EXPECT_EQ(parameters.real("banana"), 0.0);
  EXPECT_EQ(parameters.error().error().message,
            "policy linphe reads 'banana', which is none of its keys");
}

TEST(Parameters, TakeAValueWithACommaInQuotes) {
  EXPECT_EQ(parsed(R"(linphe:gram="a, ""b""",a=2)").text("gram"), R"(a, "b")");
  EXPECT_EQ(parsed(R"(linphe:gram="a, ""b""",a=2)").canonical(), R"(linphe:a=2,gram="a, ""b""")");
  EXPECT_EQ(refusal(R"(linphe:gram="a,b)"),
            R"(policy linphe: a value in quotes must end with its quote in 'linphe:gram="a,b')");
}

TEST(Parameters, KnowAFileByItsContentAndShowItByItsName) {
  const test::TemporaryFolder folder;
  test::put(folder / "arms, 1.csv", "1,2\n");
  test::put(folder / "other.csv", "1,2\n");
  const auto locate = [&](const std::string& name) { return folder / name; };
  Parameters parameters = parsed(R"(linphe:features="arms, 1.csv",a=2)");
  ASSERT_TRUE(parameters.find_files(locate).ok());
  EXPECT_EQ(parameters.text("features"), (folder / "arms, 1.csv").string());
  EXPECT_EQ(parameters.shown(), R"(linphe:a=2,features="arms, 1.csv")");
  EXPECT_EQ(parameters.shown({"a", "d"}), R"(linphe:features="arms, 1.csv")");
  EXPECT_EQ(parameters.canonical(), "linphe:a=2,features=sha256:" + sha256("1,2\n"));
  ASSERT_EQ(parameters.files().size(), 1U);
  EXPECT_EQ(parameters.files()[0].name, "arms, 1.csv");
  EXPECT_EQ(parameters.files()[0].sha256, sha256("1,2\n"));

  Parameters elsewhere = parsed("linphe:features=other.csv,a=2.0");
  ASSERT_TRUE(elsewhere.find_files(locate).ok());
  EXPECT_EQ(elsewhere.canonical(), parameters.canonical());
}

TEST(Parameters, RefuseAFileThatCannotBeReadOrNotTwice) {
  const auto message = [](const std::string& file) {
    Parameters parameters = parsed("linphe:features=" + file);
    const auto found = parameters.find_files({});
    return found ? "" : found.error().message;
  };
  EXPECT_EQ(message("/no/such.csv"), "/no/such.csv: No such file or directory");
  EXPECT_EQ(message("/"), "/: is a folder");
  EXPECT_EQ(message("/dev/null"),
            "/dev/null: must be a file that can be read twice, not a pipe or a device");
  const std::string overlong(300, 'x');
  EXPECT_EQ(message(overlong), overlong + ": File name too long");
}

}  // namespace
}  // namespace phe
