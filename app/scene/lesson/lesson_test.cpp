// Lessons: what a file may say, and every bundled one played through, each question answered wrongly and
// rightly.
#include <gmock/gmock.h>

#include "analysis/platform/test_reference_page.hpp"
#include "analysis/text/error.hpp"
#include "app/scene/lesson/lesson_prose.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string block(const std::string& lines) {
  return "# Title\n\n## Step\n\n```rooftile\n" + lines + "\n```\n";
}

Lesson read(const std::string& text) {
  static const AppState state = state_without_session();
  return read_lesson(text, "class.md", state.known.catalogue);
}

std::string mistakes(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Lesson, TextBeforeTheBlockIsShownAtOnceAndTextBehindItAfterTheAnswer) {
  const Lesson lesson = read(
      "# Banks\r\nAbout\nbanks.\n\n## A column\n\n- one\n- two\n\n```\nfor (;;)\n  x;\n```\n```rooftile\n"
      "question = \"How many?\"\nnumber = 32\n```\n\nSo many.\n");
  EXPECT_EQ(lesson.id, "class");
  EXPECT_EQ(lesson.title, "Banks");
  EXPECT_THAT(lesson.about, ElementsAre(Paragraph{Paragraph::Kind::text, "About banks."}));
  ASSERT_THAT(lesson.steps, SizeIs(1));
  EXPECT_THAT(lesson.steps[0].text,
              ElementsAre(Paragraph{Paragraph::Kind::item, "one"}, Paragraph{Paragraph::Kind::item, "two"},
                          Paragraph{Paragraph::Kind::code, "for (;;)\n  x;"}));
  EXPECT_THAT(lesson.steps[0].after, ElementsAre(Paragraph{Paragraph::Kind::text, "So many."}));
  EXPECT_TRUE(lesson.steps[0].hides) << "a question hides the launch unless the step says otherwise";
}

TEST(Lesson, WordsOfALineAreSetAsMarkdownSays) {
  using Style = ProseRun::Style;
  EXPECT_THAT(
      prose_runs("a **b c** `d` *e"),
      ElementsAre(ProseRun{Style::plain, "a "}, ProseRun{Style::strong, "b c"}, ProseRun{Style::plain, " "},
                  ProseRun{Style::code, "d"}, ProseRun{Style::plain, " *e"}));
  EXPECT_THAT(prose_runs("**open `too"), ElementsAre(ProseRun{Style::plain, "**open `too"}));
  EXPECT_THAT(prose_runs("<script>alert(1)</script>"),
              ElementsAre(ProseRun{Style::plain, "<script>alert(1)</script>"}))
      << "markup of other languages is text";
}

struct Mistake {
  const char* lines;
  const char* told;
};

TEST(Lesson, AMistakeIsToldWithFileLineAndCure) {
  const Mistake table[] = {
      {"kernel = \"sgemm_tyled\"", "class.md:6: no kernel is called 'sgemm_tyled'"},
      {"dials = { TILE = 8 }", "class.md:6: of which kernel?"},
      {"kernel = \"sgemm_tiled\"\ndials = { TILES = 8 }", "class.md:7: sgemm_tiled has no parameter TILES"},
      {"kernel = \"sgemm_tiled\"\ndials = { TILE = 7 }", "class.md:7: sgemm_tiled does not take TILE=7"},
      {"kernel = \"sgemm_tiled\"\ndial = \"PAD\"", "class.md:7: the kernel has no parameter 'PAD'"},
      {"show = \"bank\"", "class.md:6: expected one of chart, "},
      {"then_show = \"film\"", "class.md:6: expected one of chart, "},
      {"caches = \"hot\"", "class.md:6: expected \"cold\" or \"warm\""},
      {"level = \"l9\"", "class.md:6: expected \"dram\""},
      {"shows = \"chart\"", "class.md:6: "},
      {"hide = true", "class.md:6: nothing would be shown again"},
      {"question = \"?\"", "class.md:6: a question has a text"},
      {"number = 3", "class.md:6: a question has a text"},
      {"question = \"?\"\nnumber = 3\nlaunch = \"1\"", "class.md:6: a question has a text"},
      {"question = \"?\"\nnumber = \"speed\"", "class.md:7: "},
      {"question = \"?\"\nclick = \"picked_lanes\"", "class.md:7: no cell can be clicked on"},
      {"show = \"map\"\nquestion = \"?\"\nclick = \"picked_lanes\"", "class.md:8: no cell can be clicked on"},
      {"question = \"?\"\nnumber = \"picked_lanes\"", "class.md:7: "},
      {"show = \"tile\"\nstep = 0", "class.md:7: "},
      {"question = \"?\"\noptions = [{ text = \"a\" }, { text = \"b\" }]",
       "class.md:7: no option can be right"},
      {"question = ", "class.md:6"},
  };
  for (const Mistake& each : table) {
    EXPECT_THAT(mistakes(block(each.lines)), HasSubstr(each.told)) << each.lines;
  }
  EXPECT_THAT(mistakes("words alone"), HasSubstr("class.md:1: a lesson begins with its title"));
  EXPECT_THAT(mistakes("# Title\n"), HasSubstr("1 to 60 steps"));
  EXPECT_THAT(mistakes(block("") + "```rooftile\n```\n"), HasSubstr("class.md:9: a step has one block"));
  EXPECT_THAT(mistakes(std::string(10 << 20, '#')), AllOf(HasSubstr("class.md"), HasSubstr("at most 256 kB")));
}

TEST(Lesson, TheExampleOfTheReferenceIsALesson) {
  std::size_t examples = 0;
  for (const ReferenceSection& section : reference_page("assets/lessons.md")) {
    for (const std::string& example : section.examples) {
      EXPECT_EQ(mistakes(block(example)), "") << example;
      ++examples;
    }
  }
  EXPECT_GE(examples, 3);
}

}  // namespace
}  // namespace rooftile::scene
