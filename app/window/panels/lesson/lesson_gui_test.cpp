// A lesson played by mouse and keys.
#include "app/scene/lesson/lesson_play.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using Kind = LessonVerdict::Kind;

constexpr const char* text_of_lesson = R"(# A column of the tile

## Pressed

Before the answer.

```rooftile
kernel = "transpose_tiled"
dials = { TILE = 32, PAD = 0 }
show = "source"
then_show = "banks"
question = "How many wavefronts?"
options = [
  { text = "one", when = "bank_wavefronts == 1" },
  { text = "thirty-two", when = "bank_wavefronts == 32" },
  { text = "two, since each half of the warp reads the column of the tile on its own", when = "bank_wavefronts == 2" },
]
```

After the answer.

## Typed

```rooftile
question = "How many elements has the tile?"
number = "TILE * TILE"
tolerance = 0.01
```

## Turned

```rooftile
dial = "PAD"
hide = false
question = "Turn the padding."
launch = "bank_wavefronts == 1"
```
)";

class LessonTest : public GuiTest {
 protected:
  LessonTest() {
    state.known.lessons = {read_lesson(text_of_lesson, "class.md", state.known.catalogue)};
    choose("//Top/Lessons", "A column of the tile");
  }

  void press(const std::string& item) { click("//Lesson/**/" + item); }
  void type_answer(const char* number) {
    play([&](ImGuiTestContext& user) {
      user.ItemInput("//Lesson/**/##answer");
      user.KeyCharsReplaceEnter(number);
      user.Yield(2);
    });
  }
  void expect(Kind verdict) {
    ASSERT_TRUE(state.view.lesson && state.view.lesson->verdict);
    EXPECT_EQ(state.view.lesson->verdict->kind, verdict) << state.view.lesson->verdict->sentence;
    EXPECT_EQ(state.view.lesson->revealed, verdict == Kind::right);
  }
};

TEST_F(LessonTest, EachQuestionIsAnsweredWronglyAndRightly) {
  EXPECT_FALSE(state.derived.shown.subject) << "the class guesses first";
  EXPECT_FALSE(shows("//Drawer/Count the lines"));
  press("one");
  press("Answer");
  expect(Kind::wrong);
  press("thirty-two");
  press("Answer");
  expect(Kind::right);
  EXPECT_TRUE(state.derived.shown.subject);
  EXPECT_EQ(state.view.drawer, Panel::banks);
  press("Next");

  type_answer("32");
  press("Answer");
  expect(Kind::wrong);
  type_answer("1024");
  press("Answer");
  expect(Kind::right);
  press("Next");

  press("Answer");
  expect(Kind::wrong);
  click("//Dial/PAD/1");
  press("Answer");
  expect(Kind::right);
  press("End");
  EXPECT_FALSE(state.view.lesson);
}

TEST_F(LessonTest, ACellOfThePictureIsClickedOn) {
  const std::string text =
      "# Clicked\n## Lane 1\n```rooftile\nkernel = \"transpose_tiled\"\ndials = { TILE = 32, PAD = 0 }\n"
      "show = \"banks\"\nquestion = \"Click on lane 1.\"\nclick = \"picked_lane == 1\"\n```\n";
  state.known.lessons = {read_lesson(text, "clicked.md", state.known.catalogue)};
  choose("//Top/Lessons", "Clicked");
  EXPECT_THAT(words(), testing::HasSubstr("The cost is shown once the question is answered."));
  press("Answer");
  expect(Kind::unknown);
  const ImRect picture = place_of("//Drawer/words");
  const float first_bank = 66 + 4, row = 22, head = 16;
  click_at({picture.Min.x + first_bank, picture.Min.y + head + row / 2});
  press("Answer");
  expect(Kind::wrong);
  click_at({picture.Min.x + first_bank, picture.Min.y + head + 1.5f * row});
  ASSERT_TRUE(state.view.lesson->picked);
  press("Answer");
  expect(state.view.lesson->picked->cell == 32 ? Kind::right : Kind::wrong);
}

TEST_F(LessonTest, AClosedPictureIsOpenedAgainAndTheLessonIsLeft) {
  type(ImGuiKey_Escape);
  EXPECT_FALSE(state.view.drawer);
  press("Show Source");
  EXPECT_EQ(state.view.drawer, Panel::source);
  EXPECT_FALSE(shows("//Lesson/**/Show Source"));
  choose("//Top/Lessons", "Leave the lesson; it goes on at this step");
  EXPECT_FALSE(state.view.lesson);
}

TEST_F(LessonTest, TheAnswerIsShownToWhoeverAsks) {
  press("Show the answer");
  EXPECT_TRUE(state.view.lesson->revealed);
  EXPECT_FALSE(state.view.lesson->verdict) << "nobody answered";
  EXPECT_FALSE(shows("//Lesson/**/Show the answer"));
}

TEST_F(LessonTest, BackLeadsToTheStepBeforeAndItsQuestionIsOpenAgain) {
  press("Show the answer");
  press("Next");
  press("Back");
  EXPECT_EQ(played_step(state)->title, "Pressed");
  EXPECT_FALSE(state.view.lesson->revealed);
  EXPECT_FALSE(state.derived.shown.subject);
}

TEST_F(GuiTest, ANoteIsWrittenOnTheDialledPlace) {
  type(ImGuiKey_N);
  ASSERT_TRUE(state.view.note);
  play([&](ImGuiTestContext& user) {
    user.ItemInput("//Note/##note");
    user.KeyChars("Look at tile 32, then press T.");
    user.Yield(2);
  });
  EXPECT_EQ(state.settings.theme, Theme::dark) << "a letter is text here";
  click("//Note/Keep");
  EXPECT_FALSE(state.view.note);
  const auto* kept = requested<SaveNote>(requests);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->note.text, "Look at tile 32, then press T.");
  EXPECT_EQ(kept->note.parameters, dialled(state));
  requests.clear();
  type(ImGuiKey_N);
  click("//Note/Cancel");
  EXPECT_FALSE(state.view.note);
  EXPECT_FALSE(requested<SaveNote>(requests));
}

}  // namespace
}  // namespace rooftile::window
