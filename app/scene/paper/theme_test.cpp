#include "app/scene/paper/theme.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace rooftile::scene {
namespace {

using testing::Ge;

TEST(Theme, ContrastIsThatOfWcag) {
  EXPECT_NEAR(contrast(rgb(0x000000), rgb(0xffffff)), 21, 1e-9);
  EXPECT_NEAR(contrast(rgb(0x777777), rgb(0xffffff)), 4.48, 0.01);
  EXPECT_DOUBLE_EQ(contrast(rgb(0x123456), rgb(0x123456)), 1);
}

class BothThemes : public testing::TestWithParam<Theme> {
 protected:
  const Palette& colours = palette(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Theme, BothThemes, testing::Values(Theme::dark, Theme::light),
                         [](const auto& theme) { return theme.param == Theme::dark ? "dark" : "light"; });

TEST_P(BothThemes, WordsReadOnPanelAndBackground) {
  for (const Rgb paper : {colours.panel, colours.background}) {
    EXPECT_THAT(contrast(colours.text, paper), Ge(text_contrast));
    EXPECT_THAT(contrast(colours.dim, paper), Ge(text_contrast));
    EXPECT_THAT(contrast(colours.accent, paper), Ge(text_contrast));
    EXPECT_THAT(contrast(colours.bad, paper), Ge(text_contrast));
  }
  EXPECT_THAT(contrast(colours.on_accent, colours.accent), Ge(text_contrast));
}

TEST_P(BothThemes, LinesAndDotsStandOutFromThePanel) {
  for (const MemoryLevel level : memory_levels) {
    EXPECT_THAT(contrast(colours.level(level), colours.panel), Ge(line_contrast)) << title(level);
  }
  for (const Rgb mark : {colours.compute, colours.good, colours.warn, colours.bad, colours.accent}) {
    EXPECT_THAT(contrast(mark, colours.panel), Ge(line_contrast));
  }
}

TEST_P(BothThemes, WordsInTheColourOfALevelOrAJudgementRead) {
  std::vector<Rgb> inks{colours.compute, colours.good, colours.warn, colours.bad};
  std::ranges::copy(colours.levels, std::back_inserter(inks));
  for (const Rgb ink : inks) {
    EXPECT_THAT(contrast(readable(ink, colours.panel, colours.text), colours.panel), Ge(text_contrast));
  }
}

TEST(Theme, AColourThatReadsAlreadyStaysAsItIs) {
  const Palette& dark = palette(Theme::dark);
  EXPECT_EQ(readable(dark.level(MemoryLevel::dram), dark.panel, dark.text), dark.level(MemoryLevel::dram));
}

}  // namespace
}  // namespace rooftile::scene
