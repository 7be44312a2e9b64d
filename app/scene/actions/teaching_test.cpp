// Lessons that are played: every bundled one, each question answered wrongly and rightly.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/lesson/lesson_figures.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using Kind = LessonVerdict::Kind;

Lesson lesson(const std::string& steps) {
  return read_lesson("# Title\n" + steps, "class.md", bundled_recording().known.catalogue);
}

// Answers at most once for each value of the dial that the step is about.
void find_launch(AppState& state, const LessonStep& step) {
  apply(state, {AnswerQuestion{}});
  ASSERT_EQ(state.view.lesson->verdict->kind, Kind::wrong) << "the step begins at its answer";
  for (const double value : kernel(state).parameter(step.dial)->values) {
    apply(state, {SetParameter{step.dial, value}, AnswerQuestion{}});
    if (state.view.lesson->revealed) {
      return;
    }
  }
}

void type_answers(AppState& state, const std::string& wrong, const std::string& right) {
  apply(state, {TypeAnswer{wrong}, AnswerQuestion{}});
  EXPECT_EQ(state.view.lesson->verdict->kind, Kind::wrong);
  EXPECT_FALSE(state.view.lesson->revealed);
  apply(state, {TypeAnswer{right}, AnswerQuestion{}});
}

void press_options(AppState& state, const LessonQuestion& question) {
  const Parameters figures = lesson_figures(state);
  const auto is_right = [&](const AnswerOption& option) { return option.when.evaluate(figures) != 0; };
  ASSERT_EQ(std::ranges::count_if(question.options, is_right), 1);
  type_answers(state, std::ranges::find_if_not(question.options, is_right)->text,
               std::ranges::find_if(question.options, is_right)->text);
}

void answer(AppState& state, const LessonStep& step) {
  const LessonQuestion& question = *step.question;
  if (question.launch) {
    find_launch(state, step);
  } else if (question.number) {
    const double truth = question.number->evaluate(lesson_figures(state));
    type_answers(state, number(std::round(3 * truth + 1)), number(truth));
  } else {
    press_options(state, question);
  }
  EXPECT_TRUE(state.view.lesson->revealed);
  EXPECT_EQ(state.view.lesson->verdict->kind, Kind::right);
}

void play(AppState& state, const Lesson& lesson) {
  apply(state, {OpenLesson{lesson.id}});
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    const LessonStep& step = lesson.steps[i];
    SCOPED_TRACE(step.title);
    ASSERT_EQ(played_step(state)->title, step.title);
    EXPECT_EQ(state.derived.shown.subject.has_value(), !step.hides) << "the class guesses first";
    if (step.question) {
      answer(state, step);
      EXPECT_TRUE(state.derived.shown.subject);
    }
    apply(state, {TurnLesson{1}});
  }
}

TEST(Teaching, EveryBundledLessonIsAnsweredFromTheRecording) {
  std::size_t lessons = 0;
  for (const std::filesystem::path& file : platform::lesson_files()) {
    SCOPED_TRACE(file.filename().string());
    AppState state = bundled_recording();
    state.known.lessons = {read_lesson(*platform::read_text(file), file, state.known.catalogue)};
    play(state, Lesson(state.known.lessons.front()));
    ++lessons;
  }
  EXPECT_GE(lessons, 10);
}

TEST(Teaching, AFigureThatNobodyCountedIsNotJudged) {
  AppState state = bundled_recording();
  state.known.lessons = {
      lesson("## One\n```rooftile\nkernel = \"transpose_tiled\"\nquestion = \"?\"\nnumber = \"flops\"\n```\n")};
  apply(state, {OpenLesson{"class"}, TypeAnswer{"5"}, AnswerQuestion{}});
  EXPECT_EQ(state.view.lesson->verdict->kind, Kind::unknown);
  apply(state, {TypeAnswer{"many"}, AnswerQuestion{}});
  EXPECT_EQ(state.view.lesson->verdict->sentence, "Type a number.");
}

TEST(Teaching, TheSourceKeepsItsCountsUntilTheClassHasGuessed) {
  AppState state = bundled_recording();
  state.known.lessons = {
      lesson("## One\n```rooftile\nkernel = \"transpose_tiled\"\ndials = { PAD = 0 }\ngpu = \"NVIDIA H200\"\n"
             "show = \"source\"\nquestion = \"?\"\nnumber = \"PAD\"\n```\n")};
  const auto shows_counts = [&] {
    return std::ranges::any_of(state.derived.shown.source.lines,
                               [](const SourceLine& line) { return !line.wavefronts.empty(); });
  };
  apply(state, {OpenLesson{"class"}});
  EXPECT_FALSE(state.derived.shown.source.lines.empty());
  EXPECT_FALSE(shows_counts());
  apply(state, {RevealAnswer{}});
  EXPECT_TRUE(shows_counts());
}

TEST(Teaching, APresentationShowsWhatAQuestionHides) {
  AppState state = bundled_recording();
  state.known.lessons = {lesson(
      "## One\n```rooftile\nkernel = \"transpose_tiled\"\nquestion = \"?\"\nnumber = \"PAD\"\n```\nAfter.\n")};
  apply(state, {OpenLesson{"class"}, TogglePresentation{1}});
  EXPECT_FALSE(state.derived.shown.subject);
  apply(state, {ToggleGuess{}});
  EXPECT_TRUE(state.derived.shown.subject);
  EXPECT_TRUE(state.view.lesson->revealed);
  apply(state, {ToggleGuess{}});
  EXPECT_FALSE(state.derived.shown.subject) << "hidden again";
}

TEST(Teaching, GoesOnWhereItWasLeft) {
  AppState state = bundled_recording();
  state.known.lessons = {lesson("## One\n## Two\n## Three\n")};
  apply(state, {OpenLesson{"class"}, TurnLesson{1}, CloseLesson{}});
  EXPECT_FALSE(state.view.lesson);
  apply(state, {OpenLesson{"class"}});
  EXPECT_EQ(played_step(state)->title, "Two");
  apply(state, {OpenLesson{"nobody's"}});
  EXPECT_FALSE(state.view.lesson);
}

}  // namespace
}  // namespace rooftile::scene
