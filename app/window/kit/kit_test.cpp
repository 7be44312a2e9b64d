// Colours, sizes, words and small marks, without a window.
#include <imgui_internal.h>  // reads letters of UTF-8

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>

#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "app/window/kit/draw_test.hpp"
#include "app/window/kit/icons.hpp"
#include "app/window/kit/widgets.hpp"

namespace rooftile::window {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class KitTest : public DrawTest {};

TEST_F(KitTest, InkKeepsTheColourAndRoundsTheAlpha) {
  constexpr std::tuple<Rgb, float, ImU32> rows[] = {{rgb(0x123456), 1, IM_COL32(0x12, 0x34, 0x56, 255)},
                                                    {rgb(0xff0000), 0, IM_COL32(255, 0, 0, 0)},
                                                    {rgb(0x00ff00), 0.5f, IM_COL32(0, 255, 0, 128)},
                                                    {rgb(0x0000ff), 0.17f, IM_COL32(0, 0, 255, 43)}};
  for (const auto& [colour, alpha, expected] : rows) {
    EXPECT_EQ(ink(colour, alpha), expected) << alpha;
  }
}

TEST_F(KitTest, LengthsScaleFromOneNumber) {
  AppState state;
  for (const auto& [scale, expected] : {std::pair{1.0f, 30.0f}, {1.5f, 45.0f}, {0.6f, 18.0f}}) {
    state.settings.scale = scale;
    EXPECT_FLOAT_EQ(px(state, 30), expected);
  }
}

TEST_F(KitTest, EachThemeHasItsOwnColours) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    AppState state;
    state.settings.theme = theme;
    EXPECT_EQ(colours(state).panel, palette(theme).panel);
    EXPECT_GE(contrast(words(state, palette(theme).warn), palette(theme).panel), text_contrast);
    apply_style(state.settings);
    EXPECT_EQ(ImGui::ColorConvertFloat4ToU32(ImGui::GetStyle().Colors[ImGuiCol_WindowBg]),
              ink(palette(theme).panel));
  }
}

TEST_F(KitTest, AMissingFontIsNamed) {
  try {
    load_fonts("/nowhere");
    FAIL() << "fonts of a folder that is not there";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Roboto-Regular.ttf"));
  }
}

// Words.

TEST_F(KitTest, FiguresAreAllAsWide) {
  for (const Type type : {Type::figure, Type::figure_small}) {
    EXPECT_EQ(text_size(type, "1111").x, text_size(type, "8.0 ").x);
  }
}

TEST_F(KitTest, TextGrowsWithTheScale) {
  const ImVec2 at_one = text_size(Type::heading, "Roofline");
  scale_to(2);
  const ImVec2 at_two = text_size(Type::heading, "Roofline");
  EXPECT_NEAR(at_two.x, 2 * at_one.x, 0.1f * at_one.x);
  EXPECT_NEAR(at_two.y, 2 * at_one.y, 0.1f * at_one.y);
}

TEST_F(KitTest, TextThatFitsIsLeftAlone) {
  const std::string text = "Bound by shared memory";
  EXPECT_EQ(elided(Type::body, text, text_size(Type::body, text).x), text);
  EXPECT_EQ(elided(Type::body, "", 0), "");
}

TEST_F(KitTest, ShortenedTextFitsAndIsABeginningWithAnEllipsis) {
  const std::string text = "Bound by shared memory, not by DRAM", ellipsis = "\u2026";
  for (float width = text_size(Type::body, text).x - 1; width > 30; width -= 7) {
    const std::string shorter = elided(Type::body, text, width);
    EXPECT_LE(text_size(Type::body, shorter).x, width);
    ASSERT_THAT(shorter, EndsWith(ellipsis));
    const std::string kept = shorter.substr(0, shorter.size() - ellipsis.size());
    EXPECT_EQ(text.substr(0, kept.size()), kept);
    EXPECT_THAT(kept, testing::Not(EndsWith(" ")));
  }
}

TEST_F(KitTest, NoHalfOfALetterIsLeft) {
  const std::string text = "\u00b5\u00b5\u00b5\u00b5\u00b5\u00b5\u00b5\u00b5";
  const float whole = text_size(Type::body, text).x;
  for (float width = 10; width < whole; width += 3) {
    const std::string kept = elided(Type::body, text, width);
    EXPECT_EQ((kept.size() - 3) % 2, 0U) << "letters of two bytes and the ellipsis: " << kept;
  }
  EXPECT_GT(elided(Type::body, text, whole - 1).size(), 3U + 2U) << "letters beyond ASCII stay";
}

TEST_F(KitTest, TheFirstTypeThatFitsIsTaken) {
  const std::string text = "Bound by shared memory";
  const float title = text_size(Type::title, text).x, small = text_size(Type::small, text).x;
  const std::pair<float, Type> rows[] = {
      {title, Type::title}, {title - 1, Type::small}, {small, Type::small}, {1, Type::small}};
  for (const auto& [width, expected] : rows) {
    EXPECT_EQ(fitting({Type::title, Type::small}, text, width), expected) << width;
  }
}

TEST_F(KitTest, NoMoreLinesAreWrittenThanAsked) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += "word ";
  }
  const float line = text_size(Type::body, "x").y + ImGui::GetStyle().ItemSpacing.y;
  for (const int most : {0, 1, 3}) {
    const float before = ImGui::GetCursorPosY();
    write_lines(Type::body, red, text, most);
    EXPECT_NEAR(ImGui::GetCursorPosY() - before, line * static_cast<float>(most), 0.5f * line);
  }
  const float before = ImGui::GetCursorPosY();
  write_lines(Type::body, red, "short", 3);
  EXPECT_NEAR(ImGui::GetCursorPosY() - before, line, 0.5f * line);
}

TEST_F(KitTest, ABarIsAsWideAsItsShare) {
  const AppState state;
  const float full = extent(corners([&] { share_bar(state, 1, red, 6); })).width();
  for (const double share : {0.25, 0.5, 1.0, 1.7}) {
    auto drawn = corners([&] { share_bar(state, share, red, 6); });
    std::erase_if(drawn, [](const ImDrawVert& each) { return each.col != ink(red); });
    EXPECT_NEAR(extent(drawn).width(), full * std::min(share, 1.0), 2) << share;
  }
  EXPECT_FALSE(has_ink(corners([&] { share_bar(state, 0, red, 6); }), ink(red)));
}

// Marks.

TEST_F(KitTest, ADotsFillingSaysWhatItIsMadeOf) {
  struct Row {
    Evidence evidence;
    bool has_paper;
  };
  for (const auto& [evidence, has_paper] :
       {Row{Evidence::counted, false}, {Evidence::timed, true}, {Evidence::predicted, false}}) {
    const auto drawn = corners([&, kind = evidence] { draw_dot(list(), {200, 200}, 10, red, 1, kind, paper); });
    EXPECT_TRUE(has_ink(drawn, ink(red)));
    EXPECT_EQ(has_ink(drawn, ink(paper)), has_paper);
    EXPECT_NEAR(extent(drawn).width(), 20, 3);
  }
  const auto hollow = corners([&] { draw_dot(list(), {200, 200}, 10, red, 1, Evidence::predicted, paper); });
  for (const ImDrawVert& each : hollow) {
    EXPECT_GT(std::hypot(each.pos.x - 200, each.pos.y - 200), 5) << "nothing in the middle";
  }
}

TEST_F(KitTest, AFadedDotIsOfThePapersColour) {
  const auto drawn = corners([&] { draw_dot(list(), {200, 200}, 10, red, 0.25f, Evidence::counted, paper); });
  EXPECT_TRUE(has_ink(drawn, ink(mix(paper, red, 0.25))));
  EXPECT_FALSE(has_ink(drawn, ink(red)));
}

TEST_F(KitTest, ADashedLineHasAGapAfterEachDash) {
  const auto dashes = [&](float length) {
    const auto one = corners([&] { draw_dashed_line(list(), {100, 50}, {105, 50}, ink(red), 5); }).size();
    const auto all = corners([&] { draw_dashed_line(list(), {100, 50}, {100 + length, 50}, ink(red), 5); });
    return all.size() / one;
  };
  for (const auto& [length, expected] :
       {std::pair{0.0f, 0u}, {3.0f, 1u}, {10.0f, 1u}, {12.0f, 2u}, {100.0f, 10u}}) {
    EXPECT_EQ(dashes(length), expected) << length;
  }
  const Extent cut = extent(corners([&] { draw_dashed_line(list(), {100, 50}, {112, 50}, ink(red), 5); }));
  EXPECT_LE(cut.to.x, 113) << "the last dash ends with the line";
}

TEST_F(KitTest, TextTurnedByAQuarterStandsOnItsEnd) {
  const Extent level = extent(corners([&] {
    draw_turned_text(list(), {300, 300}, 0, Type::body, ink(red), "Roof");
  }));
  const Extent upright = extent(corners([&] {
    draw_turned_text(list(), {300, 300}, 1.5707963f, Type::body, ink(red), "Roof");
  }));
  EXPECT_NEAR(upright.width(), level.height(), 0.1);
  EXPECT_NEAR(upright.height(), level.width(), 0.1);
  EXPECT_NEAR(level.from.x, 300, 3);
  EXPECT_NEAR(upright.from.y, 300, 3) << "its left end stays";
}

TEST_F(KitTest, TextIsTurnedWholeBesideTheEdge) {
  const auto letters = [&](ImVec2 at) {
    return corners([&] { draw_turned_text(list(), at, -0.7f, Type::body, ink(red), "DRAM"); }).size();
  };
  EXPECT_EQ(letters({-40, 650}), letters({300, 300}));
}

TEST_F(KitTest, TextOnTheRightEndsThere) {
  for (const char* words : {"9.30 TFLOP/s", "64"}) {
    const Extent drawn = extent(corners([&] {
      draw_text_right(list(), {400, 100}, Type::figure, ink(red), words);
    }));
    EXPECT_NEAR(drawn.to.x, 400, 4) << words;
  }
}

TEST_F(KitTest, EveryIconStaysInItsSquareAndIsItsOwn) {
  std::set<std::vector<float>> shapes;  // the heights of their corners
  for (const PanelWords& each : panels) {
    const auto drawn = corners([&] { draw_icon(list(), each.panel, {100, 100}, 40, ink(red)); });
    const Extent all = extent(drawn);
    EXPECT_GE(std::min(all.from.x, all.from.y), 80 - 5) << each.word;
    EXPECT_LE(std::max(all.to.x, all.to.y), 120 + 5) << each.word;
    std::vector<float> heights;
    std::ranges::transform(drawn, std::back_inserter(heights),
                           [](const ImDrawVert& corner) { return corner.pos.y; });
    shapes.insert(heights);
  }
  EXPECT_THAT(shapes, testing::SizeIs(std::size(panels)));
}

TEST_F(KitTest, AnArrowReachesFarthestWhereItPoints) {
  const auto drawn = [&](ArrowHead head) {
    return extent(corners([&] { draw_arrow(list(), {100, 100}, 10, head, ink(red)); }));
  };
  EXPECT_GT(drawn(opened(true)).to.y - 100, 100 - drawn(opened(true)).from.y) << "down";
  EXPECT_GT(drawn(opened(false)).to.x - 100, 100 - drawn(opened(false)).from.x) << "right";
  EXPECT_GT(100 - drawn(ArrowHead::up).from.y, drawn(ArrowHead::up).to.y - 100) << "up";
}

// "\\u2026" and the bytes of UTF-8 themselves, as they stand in the text of sources.
std::set<ImWchar> letters_beyond_ascii(const std::string& source) {
  std::set<ImWchar> found;
  for (std::size_t at = source.find("\\u"); at != std::string::npos; at = source.find("\\u", at + 1)) {
    const std::string digits = source.substr(at + 2, 4);
    if (digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos && digits.size() == 4) {
      found.insert(static_cast<ImWchar>(std::stoul(digits, nullptr, 16)));
    }
  }
  const char* end = source.data() + source.size();
  for (const char* at = source.data(); at < end;) {
    unsigned int letter = 0;
    at += ImTextCharFromUtf8(&letter, at, end);
    if (letter > 0x7f) {
      found.insert(static_cast<ImWchar>(letter));
    }
  }
  return found;
}

TEST_F(KitTest, EveryFontHasEveryLetterThatTheInterfaceWrites) {
  const std::filesystem::path root = ROOFTILE_SOURCE_DIR;
  std::set<ImWchar> all;
  for (const char* folder : {"analysis", "app", "kernels", "assets/examples", "assets/lessons"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string name = entry.path().filename().string();
      const auto ends_in = [&](const char* end) { return name.ends_with(end); };
      const bool is_shown = std::ranges::any_of(std::array{"pp", ".cu", ".cuh", ".toml", ".md"}, ends_in) &&
                            name.find("test") == std::string::npos &&
                            name != "safe_text.cpp";  // lists letters that are taken out
      if (is_shown) {
        all.merge(letters_beyond_ascii(platform::read_text(entry.path()).value_or("")));
      }
    }
  }
  EXPECT_THAT(all, testing::Contains(0x2026)) << "the ellipsis, so that something was looked at";
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const ImWchar letter : all) {
      EXPECT_TRUE(font->IsGlyphInFont(letter)) << font->GetDebugName() << std::hex << " lacks " << letter;
    }
  }
}

}  // namespace
}  // namespace rooftile::window
