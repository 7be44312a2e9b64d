#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/manifest/test_manifest.hpp"
#include "analysis/platform/catalogue_files.hpp"

namespace rooftile {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::Optional;
using testing::StartsWith;

// The copy kernel, with these lines for its BLOCK.
std::string with_block(const std::string& lines, const std::string& entry = "copy") {
  std::string text = test::copy_manifest;
  text.replace(text.find("default = 64"), 0, lines);
  const std::string before = "entry = \"copy\"";
  return text.replace(text.find(before), before.size(), "entry = \"" + entry + "\"");
}

TEST(Manifest, AParameterSaysWhatItIsAndWhereItGoes) {
  constexpr auto dial = ParameterRole::dial, size = ParameterRole::size, scalar = ParameterRole::scalar;
  const struct {
    const char* lines;
    ParameterRole role;
    ParameterPlace where;
  } rows[] = {
      {"", dial, ParameterPlace::macro},
      {"role = \"dial\"\n", dial, ParameterPlace::macro},
      {"role = \"size\"\n", size, ParameterPlace::argument},
      {"role = \"scalar\"\n", scalar, ParameterPlace::argument},
      {"where = \"launch\"\n", dial, ParameterPlace::launch},
      {"where = \"argument\"\n", dial, ParameterPlace::argument},
      {"where = \"template\"\n", dial, ParameterPlace::template_argument},
      {"role = \"size\"\nwhere = \"macro\"\n", size, ParameterPlace::macro},
      {"role = \"variant\"\n", size, ParameterPlace::macro},  // in older files
  };
  for (const auto& row : rows) {
    const Parameter block = test::read(with_block(row.lines, "copy<BLOCK>")).parameters[0];
    EXPECT_EQ(block.role, row.role) << row.lines;
    EXPECT_EQ(block.where, row.where) << row.lines;
    EXPECT_EQ(block.is_compiled(),
              row.where == ParameterPlace::macro || row.where == ParameterPlace::template_argument);
  }
}

TEST(Manifest, AParameterOfTheLaunchIsNoArgument) {
  EXPECT_EQ(test::message_of(with_block("where = \"launch\"\n")), "");
  EXPECT_THAT(test::complaint("role = \"size\"", "role = \"size\"\nwhere = \"launch\""),
              HasSubstr("N is a parameter of the launch alone; for an argument say where = \"argument\""));
  EXPECT_THAT(test::complaint("default = 64", "default = 64\nwhere = \"grid\""),
              HasSubstr("\"where\" must be one of macro, constant, template, argument, launch, not \"grid\""));
}

TEST(Manifest, ATemplateArgumentStandsInTheEntry) {
  const std::string in_template = "where = \"template\"\n";
  const Manifest copy = test::read(with_block(in_template, "ours::copy<float, 2 * BLOCK>"));
  EXPECT_EQ(entry_at(copy, complete(copy, {{"BLOCK", 128}})), "ours::copy<float, 2 * 128>");
  const Manifest macro = test::read(with_block("", "copy<BLOCK>"));
  EXPECT_EQ(entry_at(macro, complete(macro, {})), "copy<BLOCK>") << "the compiler knows the macro";
  for (const char* entry : {"copy", "copy<float>", "copy<BLOCKS>"}) {
    EXPECT_THAT(test::message_of(with_block(in_template, entry)),
                HasSubstr("BLOCK is no template argument of the entry \"copy\", as it would be of "
                          "\"copy<BLOCK>\""))
        << entry;
  }
}

std::string with_lets(const std::string& lets, const std::string& grid = "blocks_x") {
  std::string text = test::copy_manifest;
  const std::string before = "ceil_div(N, BLOCK)";
  return text.replace(text.find(before), before.size(), grid) + "[let]\n" + lets;
}

// Keys of TOML have no order, so neither do lets.
TEST(Manifest, ALetNamesAnExpressionOnce) {
  const Manifest copy = test::read(with_lets("blocks_x = \"ceil_div(N, items)\"\nitems = \"2 * BLOCK\"\n"));
  EXPECT_EQ(copy.grid[0].text(), "blocks_x");
  EXPECT_EQ(copy.grid[0].full_text(), "(ceil_div(N, (2 * BLOCK)))");
  EXPECT_EQ(copy.grid[0].evaluate({{"N", 1000}, {"BLOCK", 64}}), 8);
  EXPECT_EQ(test::read(with_lets("half = 0.5\n", "half * N")).grid[0].evaluate({{"N", 1000}}), 500);
}

TEST(Manifest, ALetKnowsWhatIsKnownWhereItIsUsed) {
  EXPECT_EQ(test::message_of(with_lets("twice = \"2 * sms\"\n", "twice")), "");
}

TEST(Manifest, TellsMistakesInLets) {
  const struct {
    const char *lets, *message;
  } rows[] = {
      {"blocks_x = \"ceil_div(N, BLOK)\"\n",
       "copy/kernel.toml:39: blocks_x: the expression \"ceil_div(N, BLOK)\" cannot be read at column 13: "
       "\"BLOK\" is "
       "unknown here; known are BLOCK, N, "},
      {"blocks_x = \"2 * other\"\nother = \"blocks_x / 2\"\n",
       "copy/kernel.toml:40: other needs blocks_x, which needs other itself"},
      {"blocks_x = \"blocks_x + 1\"\n", "copy/kernel.toml:39: blocks_x needs itself"},
      {"blocks_x = 1\nN = 2\n", "copy/kernel.toml:40: the name \"N\" is taken; choose another"},
      {"blocks_x = 1\nsms = 2\n", "copy/kernel.toml:40: the name \"sms\" is taken; choose another"},
      {"blocks_x = 1\n\"\" = 2\n", "copy/kernel.toml:40: the name \"\" is taken; choose another"},
      {"blocks_x = 1\n\"a b\" = 2\n", "copy/kernel.toml:40: \"a b\" must be a C identifier, not \"a b\""},
      {"blocks_x = true\n", "copy/kernel.toml:39: \"blocks_x\" in [let] must be "},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(test::message_of(with_lets(row.lets)),
                testing::AllOf(StartsWith(row.message), Not(HasSubstr("\n"))))
        << row.lets;
  }
  EXPECT_THAT(test::message_of("let = 1\n" + std::string(test::copy_manifest)), HasSubstr("\"let\" must be "));
}

TEST(Manifest, LetsHaveLimits) {
  std::string many, doubling = "x0 = \"N + N\"\n";
  for (int i = 0; i < 65; ++i) {
    many += fmt::format("a{} = 1\n", i);
  }
  for (int i = 1; i < 64; ++i) {
    doubling += fmt::format("x{} = \"x{} + x{}\"\n", i, i - 1, i - 1);
  }
  EXPECT_THAT(test::message_of(with_lets(many, "N")),
              HasSubstr("there are 65 names in [let], more than the 64 that are read"));
  EXPECT_THAT(test::message_of(with_lets(doubling, "N")), HasSubstr("is longer than the 2000 that are read"));
}

class TiledParameters : public testing::Test {
 protected:
  std::optional<std::string> why(const Parameters& given) const {
    return why_illegal(transpose_, complete(transpose_, given));
  }
  const Manifest transpose_ = find_kernel(platform::load_catalogue_with({}).kernels, "transpose_tiled");
};

TEST_F(TiledParameters, DefaultsFollowWhatIsGiven) {
  EXPECT_EQ(complete(transpose_, {}),
            (Parameters{{"TILE", 32}, {"ROWS", 4}, {"PAD", 0}, {"BYTES", 4}, {"N", 8192}, {"M", 8192}}));
  EXPECT_EQ(complete(transpose_, {{"N", 1000}}).at("M"), 1000);
  EXPECT_EQ(complete(transpose_, {{"N", 1000}, {"M", 7}}).at("M"), 7);
  EXPECT_TRUE(transpose_.parameter("M")->follows);
  EXPECT_FALSE(transpose_.parameter("N")->follows);
  EXPECT_EQ(transpose_.parameter("Q"), nullptr);
}

TEST_F(TiledParameters, UnknownNamesAreRefused) {
  EXPECT_THAT(
      [&] {
        complete(transpose_, {{"TYLE", 32}});
      },
      testing::ThrowsMessage<Error>(
          "transpose_tiled has no parameter TYLE; it has TILE, ROWS, PAD, BYTES, N, M"));
}

TEST_F(TiledParameters, IllegalValuesAreExplained) {
  EXPECT_EQ(why({}), std::nullopt);
  EXPECT_THAT(why({{"TILE", 12}}), Optional(std::string("TILE = 12 is not offered: 8, 16, 32 or 64.")));
  EXPECT_THAT(why({{"N", 1000}}), testing::Eq(std::nullopt));
  EXPECT_THAT(why({{"N", 0}}), Optional(std::string("N = 0 is not offered: a whole number from 1 to 32768.")));
  EXPECT_THAT(why({{"N", 1.5}}), Optional(HasSubstr("N = 1.5 is not offered")));
  EXPECT_THAT(why({{"N", 32769}}), Optional(HasSubstr("N = 32769 is not offered")));
  EXPECT_THAT(why({{"TILE", 64}, {"ROWS", 2}}),
              Optional(std::string("A block has at most 1,024 threads: give each thread more rows.")));
  EXPECT_THAT(why_illegal(transpose_, {{"TILE", 32}}), Optional(HasSubstr("ROWS has no value; expected 1, 2")));
}

}  // namespace
}  // namespace rooftile
