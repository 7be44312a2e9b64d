// Lessons that are played: every bundled one, each question answered wrongly and rightly.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/ptx/trace/block_trace.hpp"
#include "analysis/ptx/work/test_kernel.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/chart/kernel_code.hpp"
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
    apply(state, {SetParameter{step.dial, value}});
    know_code(state, kernel(state).name, dialled(state));
    apply(state, {AnswerQuestion{}});
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

// Compiled code moves the tile of a block on, as the bundled kernels do.
constexpr const char* tile_code = R"(
	mov.u32 	%r10, 0;
	mul.wide.s32 	%rd3, %r5, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s64 	%rd5, %rd2, %rd3;
$again:
	ld.global.f32 	%f1, [%rd4];
	ld.global.f32 	%f2, [%rd5];
	add.s64 	%rd4, %rd4, 128;
	add.s64 	%rd5, %rd5, 128;
	add.s32 	%r10, %r10, 1;
	setp.lt.s32 	%p1, %r10, %r1;
	@%p1 bra 	$again;
	ret;)";

void read_tile(AppState& state) {
  const auto code = ptx::parse_ptx(ptx::kernel_text(tile_code));
  use_code(state,
           {kernel(state).name, code_version(state, kernel(state).name), state.choice.gpu, dialled(state)},
           TraceAnswer{std::make_shared<const ptx::BlockTrace>(
                           ptx::block_trace(code, ptx::launch_with({1}, {32}, 32 * 8, 8))),
                       ""});
  refresh(state);
}

// All cells of the picture that a pen has drawn.
std::vector<PickedCell> cells_of(const AppState& state, Panel picture) {
  const Shown& shown = state.derived.shown;
  std::vector<PickedCell> cells;
  for (std::size_t i = 0; i < shown.tile.tiles.size(); ++i) {
    for (std::size_t cell = 0; cell < shown.tile.tiles[i].cells.size(); ++cell) {
      cells.push_back({picture, i, static_cast<std::int64_t>(cell)});
    }
  }
  for (const BankWord& word : (picture == Panel::banks ? shown.banks : shown.sectors).words) {
    for (int bank = 0; bank < bank_count; ++bank) {
      cells.push_back({picture, 0, word.word - word.bank + bank});
    }
  }
  return cells;
}

void click_on_cells(AppState& state, const LessonStep& step) {
  const Panel picture = step.stage->panel.value();
  if (picture == Panel::tile) {
    read_tile(state);
  }
  apply(state, {AnswerQuestion{}});
  EXPECT_EQ(state.view.lesson->verdict->kind, Kind::unknown) << "no cell was clicked on";
  std::optional<PickedCell> right;
  bool wrong = false;
  for (const PickedCell& cell : cells_of(state, picture)) {
    apply(state, {PickCell{cell}});
    const bool is_right = step.question->click->evaluate(lesson_figures(state)) != 0;
    if (is_right) {
      right = cell;
    } else if (!wrong) {
      wrong = true;
      apply(state, {AnswerQuestion{}});
      EXPECT_EQ(state.view.lesson->verdict->kind, Kind::wrong);
      EXPECT_FALSE(state.view.lesson->revealed);
    }
  }
  ASSERT_TRUE(right && wrong);
  apply(state, {PickCell{*right}, AnswerQuestion{}});
}

void answer(AppState& state, const LessonStep& step) {
  const LessonQuestion& question = *step.question;
  if (question.launch) {
    find_launch(state, step);
  } else if (question.click) {
    click_on_cells(state, step);
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
    know_code(state, kernel(state).name, dialled(state));
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

TEST(Teaching, ACellIsPickedWhileItsQuestionIsOpen) {
  AppState state = bundled_recording();
  state.known.lessons = {
      lesson("## One\n```rooftile\nkernel = \"transpose_tiled\"\ndials = { TILE = 32, PAD = 0 }\nshow = "
             "\"banks\"\nquestion = \"?\"\nclick = \"picked_lane == 1\"\n```\n## Two\n")};
  apply(state, {OpenLesson{"class"}});
  know_code(state, kernel(state).name, dialled(state));
  EXPECT_TRUE(state.derived.shown.banks.hides) << "colours would give it away";
  apply(state, {PickCell{{Panel::tile, 0, 0}}});
  EXPECT_FALSE(state.view.lesson->picked) << "the question is about another picture";
  apply(state, {PickCell{{Panel::banks, 0, 32}}, AnswerQuestion{}});
  EXPECT_EQ(state.view.lesson->verdict->kind, Kind::right);
  EXPECT_FALSE(state.derived.shown.banks.hides);
  apply(state, {PickCell{{Panel::banks, 0, 0}}});
  EXPECT_EQ(state.view.lesson->picked->cell, 32) << "it is answered";
  apply(state, {TurnLesson{1}});
  EXPECT_FALSE(state.view.lesson->picked);
}

TEST(Teaching, APictureBeginsAtItsFirstStepUnlessTheLessonSaysAnother) {
  AppState state = bundled_recording();
  state.known.lessons = {
      lesson("## One\n```rooftile\nkernel = \"sgemm_tiled\"\nshow = \"tile\"\nstep = 4\n```\n"
             "## Two\n```rooftile\nshow = \"banks\"\n```\n## Three\nText.\n")};
  apply(state, {OpenLesson{"class"}});
  EXPECT_EQ(state.view.steps.step, 3u);
  apply(state, {TurnLesson{1}});
  EXPECT_EQ(state.view.steps.step, 0u);
  apply(state, {SelectStep{2}, TurnLesson{1}});
  EXPECT_EQ(state.view.steps.step, 2u) << "the picture stays as it was left";
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
