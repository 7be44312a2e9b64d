#include "app/scene/actions/continue_search.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string told(const AppState& state) {
  return state.view.message.value_or(Message{}).text;
}

std::optional<Configuration> searched(const Requests& requests) {
  const SearchOn* search = requested<SearchOn>(requests);
  return search ? std::optional(search->configuration) : std::nullopt;
}

// The worker answers what was asked for.
void answer(AppState& state, const Configuration& asked, std::uint64_t id, bool fails = false) {
  Point point = counted_point(state, id, asked.kernel, asked.parameters);
  point.failure = fails ? std::optional<std::string>("It failed.") : std::nullopt;
  state.known.search->waits_for = id;
  state.known.session.busy = true;
  land(state, point);
}

TEST(BestSearch, LaunchesOnePlaceAfterTheOtherAndGoesToTheBest) {
  AppState state = live_state();
  auto next = searched(apply(state, {SelectKernel{"sgemm_tiled"}, FindBest{}}));
  std::uint64_t id = 0;
  for (; next && id < 100; next = continue_search(state)) {
    answer(state, *next, ++id);
  }
  EXPECT_GT(id, 5u);
  EXPECT_LT(id, 20u);
  ASSERT_TRUE(state.known.search);
  EXPECT_EQ(dialled(state),
            state.known.search->search.places()[state.known.search->search.best()->place].values);
  EXPECT_THAT(told(state), HasSubstr("of 36 places tried."));
}

TEST(BestSearch, RestsOnTheCompiledCodeAsFarAsItWasRead) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_naive"}});
  CodeAnswer answer;
  answer.launch.emplace().model = stated_model(kernel(state), dialled(state), *gpu(state));
  use_code(state, {"transpose_naive", "", state.choice.gpu, dialled(state)}, answer);
  apply(state, {FindBest{}});
  ASSERT_TRUE(state.known.search);
  const auto& places = state.known.search->search.places();
  EXPECT_GT(places.size(), 4u);
  for (const SearchPlace& place : places) {
    EXPECT_EQ(place.predicted.has_value(), place.values == dialled(state)) << text(place.values);
  }
}

TEST(BestSearch, InARecordingTriesWhatWasRecordedAndLaunchesNothing) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}});
  EXPECT_FALSE(requested<SearchOn>(apply(state, {FindBest{}})));
  ASSERT_TRUE(state.known.search);
  EXPECT_THAT(state.known.search->search.tries(), SizeIs(4)) << "fewer than a search may launch";
  EXPECT_THAT(told(state), HasSubstr("4 of 4 places tried. Held: padding of B 0. Every place was tried."));
  EXPECT_EQ(current_point(state)->parameters, dialled(state));
  const Parameters best = dialled(state);
  apply(state, {Undo{}});
  EXPECT_NE(dialled(state), best);
}

TEST(BestSearch, GoingToTheBestIsOneOfTheHundredMovesThatAreKept) {
  AppState state = recorded_state();
  for (std::uint64_t id = 1; id <= 100; ++id) {
    apply(state, {Pin{id}});
  }
  apply(state, {FindBest{}});
  EXPECT_EQ(state.older_choices.size(), 100u);
}

TEST(BestSearch, WhatIsMeasuredAlreadyIsNotLaunchedAgain) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  const auto first = searched(apply(state, {FindBest{}}));
  ASSERT_TRUE(first);
  land(state, counted_point(state, 1, "sgemm_tiled", first->parameters));
  const auto second = searched(apply(state, {FindBest{}}));
  ASSERT_TRUE(second);
  EXPECT_NE(second->parameters, first->parameters);
  EXPECT_THAT(state.known.search->search.tries(), SizeIs(1));
}

TEST(BestSearch, AWrongResultIsTriedButNeverTheBestHoweverFast) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  const auto first = searched(apply(state, {FindBest{}}));
  ASSERT_TRUE(first);
  Point wrong = counted_point(state, 1, "sgemm_tiled", first->parameters);
  wrong.timing->median = Seconds{1e-6};
  wrong.verification = Verification{.passed = false, .sentence = "7 elements differ."};
  land(state, wrong);
  const auto second = searched(apply(state, {FindBest{}}));
  ASSERT_TRUE(second);
  answer(state, *second, 2);
  continue_search(state);
  EXPECT_EQ(state.known.search->search.places()[state.known.search->search.best()->place].values,
            second->parameters);
  EXPECT_THAT(search_news(state).at(1), HasSubstr("   wrong  predicted "));
}

TEST(BestSearch, AKernelThatAlwaysFailsEndsInASentence) {
  AppState state = live_state();
  auto next = searched(apply(state, {SelectKernel{"sgemm_tiled"}, FindBest{}}));
  for (std::uint64_t id = 1; next && id < 100; ++id, next = continue_search(state)) {
    answer(state, *next, id, true);
  }
  EXPECT_EQ(told(state), "10 of 36 places tried, none succeeded. It ended at its limit of 10 launches.");
}

TEST(BestSearch, EndsWhereNoAnswerWillComeOrSomebodyCancels) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}, FindBest{}});
  state.known.search->waits_for = 1;
  state.known.session.busy = true;
  EXPECT_FALSE(continue_search(state));
  EXPECT_TRUE(state.known.search->goes_on());
  state.known.session.busy = false;
  EXPECT_FALSE(continue_search(state));
  EXPECT_THAT(told(state), HasSubstr("The search ended early: the worker gave no answer."));
  apply(state, {FindBest{}, CancelSweep{}});
  EXPECT_FALSE(continue_search(state));
  EXPECT_THAT(told(state), HasSubstr("The search was cancelled."));
}

TEST(BestSearch, TellsItsTriesOneLineEach) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}, FindBest{}});
  const auto news = search_news(state);
  ASSERT_THAT(news, SizeIs(2 + 4));
  EXPECT_THAT(news[0], testing::StartsWith("Best "));
  EXPECT_EQ(news[1], "Every place was tried.");
  EXPECT_THAT(news[2], HasSubstr(" 1  "));
  EXPECT_THAT(news[2], HasSubstr("predicted "));
}

TEST(BestSearch, NamesTheDialsThatMovedAndOnceThoseThatItHeld) {
  AppState state = recorded_state();
  apply(state, {SetParameter{"N", 2048}, SetParameter{"TILE", 32}});
  apply(state, {SetSweep{{state.choice.kernel, {{"TILE", {8, 32}}, {"PAD_A", {0}}, {"PAD_B", {0}}}, true}},
                FindBest{}});
  const auto news = search_news(state);
  ASSERT_THAT(news, SizeIs(2 + 2));
  EXPECT_THAT(news[0], testing::AllOf(HasSubstr(": tile 32; 2 of 2 places tried."),
                                      HasSubstr("Held: padding of A 0 \u00b7 padding of B 0.")));
  EXPECT_THAT(news[2], testing::EndsWith("  tile 32"));
  EXPECT_THAT(news[3], testing::EndsWith("  tile 8"));
}

}  // namespace
}  // namespace rooftile::scene
