#include "analysis/source/manifest/manifest_names.hpp"

#include <gmock/gmock.h>

#include "analysis/platform/test_reference_page.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Rows = std::vector<std::vector<std::string>>;

const std::string kernel_toml =
    "idea = \"n is the size\"  # n: of a row\n"
    "[[parameter]]\n"
    "name = \"n\"\n"
    "values = [1, 2]\n"
    "default = 1\n"
    "[[parameter]]\n"
    "name = \"lda\"  # of A\n"
    "default = \"n\"\n"
    "[[constraint]]\n"
    "require = \"mod(n, 4) == 0 && nn > n\"\n"
    "reason = \"n must be even\"\n"
    "[[buffer]]\n"
    "name = \"in\"\n"
    "count = \"n*n\"\n"
    "[let]\n"
    "half = \"n / 2\"\n"
    "[launch]\n"
    "arguments = [{ buffer = \"in\" }, { buffer = \"in\" },  # in twice\n"
    "             { int = \"2 * n\" }]\n"
    "grid = ['ceil_div(n, 8)', \"n\"]\n"
    "[verify]\n"
    "arguments = [{ buffer = \"in\" }]\n"
    "tolerance = \"1 / n\"\n";

std::string replaced(std::string text, const std::vector<std::pair<const char*, const char*>>& parts) {
  for (const auto& [before, after] : parts) {
    text.replace(text.find(before), std::string(before).size(), after);
  }
  return text;
}

TEST(ManifestNames, ARenamedParameterIsFollowedByAllExpressionsAndNothingElse) {
  EXPECT_EQ(with_name(kernel_toml, "parameter", "n", "N"),
            replaced(kernel_toml, {{"name = \"n\"", "name = \"N\""},
                                   {"default = \"n\"", "default = \"N\""},
                                   {"mod(n, 4) == 0 && nn > n", "mod(N, 4) == 0 && nn > N"},
                                   {"\"n*n\"", "\"N*N\""},
                                   {"n / 2", "N / 2"},
                                   {"2 * n", "2 * N"},
                                   {"'ceil_div(n, 8)', \"n\"", "\"ceil_div(N, 8)\", \"N\""},
                                   {"1 / n", "1 / N"}}));
}

TEST(ManifestNames, ARenamedBufferIsFollowedByItsArguments) {
  EXPECT_EQ(with_name(kernel_toml, "buffer", "in", "left"),
            replaced(kernel_toml, {{"name = \"in\"", "name = \"left\""},
                                   {"{ buffer = \"in\" }, { buffer = \"in\" }",
                                    "{ buffer = \"left\" }, { buffer = \"left\" }"},
                                   {"[{ buffer = \"in\" }]", "[{ buffer = \"left\" }]"}}));
}

TEST(ManifestNames, UsesAreListedByTheirPlaces) {
  EXPECT_THAT(uses_of(kernel_toml, "parameter", "lda"), ElementsAre());
  EXPECT_THAT(uses_of(kernel_toml, "buffer", "in"),
              ElementsAre(NameUse{{"launch", "", "arguments"}, 0}, NameUse{{"launch", "", "arguments"}, 1},
                          NameUse{{"verify", "", "arguments"}, 0}));
  EXPECT_THAT(uses_of(kernel_toml, "parameter", "n"),
              ElementsAre(NameUse{{"buffer", "in", "count"}}, NameUse{{"constraint", "", "require"}},
                          NameUse{{"launch", "", "arguments"}, 2}, NameUse{{"launch", "", "grid"}, 0},
                          NameUse{{"launch", "", "grid"}, 1}, NameUse{{"let", "", "half"}},
                          NameUse{{"parameter", "lda", "default"}}, NameUse{{"verify", "", "tolerance"}}));
}

TEST(ManifestNames, AFunctionIsNoUseOfAParameterOfItsName) {
  EXPECT_THAT(uses_of("[launch]\ngrid = \"max (1, min(2, 3))\"", "parameter", "max"), ElementsAre());
}

TEST(ManifestNames, ANameThatCannotBeTakenIsToldInASentence) {
  const std::pair<const char*, const char*> rows[] = {{"", "is no name"},
                                                      {"2n", "\"2n\" is no name"},
                                                      {"a b", "is no name"},
                                                      {"sms", "Expressions know sms already"},
                                                      {"half", "Expressions know half already"},
                                                      {"lda", "There is a parameter called lda already"}};
  for (const auto& [name, sentence] : rows) {
    EXPECT_THAT(why_no_name(kernel_toml, "parameter", name).value_or(""), HasSubstr(sentence));
  }
  EXPECT_EQ(why_no_name(kernel_toml, "parameter", "rows_2"), std::nullopt);
  EXPECT_EQ(why_no_name(kernel_toml, "buffer", "lda"), std::nullopt);
}

TEST(ManifestNames, WhatIsNotThereCannotBeRenamed) {
  EXPECT_THAT([&] { with_name(kernel_toml, "buffer", "out", "sum"); },
              ThrowsMessage<Error>(HasSubstr("There is no [[buffer]] called out")));
}

// Every key of the reference whose value is an expression, or the name of a buffer.
TEST(ManifestNames, EveryKeyOfTheReferenceIsFollowed) {
  int keys = 0;
  for (const ReferenceSection& section : reference_page("kernels/manifest.md")) {
    for (const std::vector<std::string>& row : section.heading == "arguments" ? Rows{} : section.rows) {
      const bool has_values = row.size() > 2;
      const bool of_buffer = has_values && row.at(1) == "name of a buffer";
      if (of_buffer || (has_values && row.at(1).find("expression") != std::string::npos)) {
        const std::string key = literals(row[0]).at(0);
        const std::string text = "[[" + section.heading + "]]\nname = \"other\"\n" + key + " = \"N\"\n";
        EXPECT_EQ(uses_of(text, of_buffer ? "buffer" : "parameter", "N").size(), 1u) << text;
        ++keys;
      }
    }
  }
  EXPECT_GT(keys, 30);
}

}  // namespace
}  // namespace rooftile
