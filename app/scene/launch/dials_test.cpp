// The values that a slider offers, where greyed values lead, and what a sweep takes.
#include "app/scene/launch/dials.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(DialsOfEveryKernel, StandAtTheirValueWhichIsAlwaysLegal) {
  AppState state = live_state();
  for (const Manifest& manifest : std::vector<Manifest>(state.known.catalogue)) {
    apply(state, {SelectKernel{manifest.name}});
    const Parameters values = dialled(state);
    ASSERT_THAT(state.derived.shown.dials, SizeIs(manifest.parameters.size())) << manifest.name;
    for (const Dial& dial : state.derived.shown.dials) {
      const DialOption& option = dial.options.at(dial.selected);
      EXPECT_EQ(option.value, values.at(dial.name)) << manifest.name << " " << dial.name;
      EXPECT_FALSE(option.why_not) << manifest.name << " " << dial.name;
      EXPECT_TRUE(std::ranges::is_sorted(dial.options, {}, &DialOption::value) || dial.in_more ||
                  !manifest.parameter(dial.name)->is_compiled())
          << manifest.name << " " << dial.name;
    }
  }
}

TEST(DialsOfASource, ANumberThatTheSourceFixesIsOfferedInTheFormOfItsLaunch) {
  const struct {
    const char *line, *offered;
  } rows[] = {{"constexpr int ROWS = 16;", "4, 8, 16, 32, 64"},
              {"#define ROWS 12", "6, 12, 24"},
              {"#ifndef ROWS\n#define ROWS 16\n#endif", ""}};
  for (const auto& [line, offered] : rows) {
    const AppState state = own_kernel_state(
        std::string(line) + "\n__global__ void sum(const float* in, float* out, int n) { *out = in[ROWS]; }");
    const auto dial = std::ranges::find(state.derived.shown.dials, "ROWS", &Dial::name);
    EXPECT_EQ(dial->values_to_offer, offered);
    EXPECT_EQ(dial->in_more, offered != std::string()) << "a size";
    EXPECT_EQ(dial->options.size(), offered == std::string() ? 5u : 1u);
  }
}

TEST(CompileCost, IsToldOfTheNewestLaunchThatWasReallyCompiledAndTakesLong) {
  AppState state = live_state();
  const struct {
    double seconds;
    bool from_cache;
    const char* sentence;
  } rows[] = {
      {0.71, true, ""},
      {0.3, false, ""},
      {0.71, false, "Compiling takes 710 ms: each new value of a dial waits for it."},
      {0.001, true, "Compiling takes 710 ms: each new value of a dial waits for it."},
      {0.05, false, ""},
  };
  std::uint64_t id = 0;
  for (const auto& [seconds, from_cache, sentence] : rows) {
    Point point = counted_point(state, ++id, state.choice.kernel, {});
    point.compiled->from_cache = from_cache;
    point.phases = {{"compile", Seconds{seconds}}};
    land(state, point);
    EXPECT_EQ(state.derived.shown.compile_cost, sentence) << id;
  }
}

TEST(DialsOfEveryKernel, AGreyedValueIsRefusedWithItsReasonAndAnotherIsTaken) {
  for (const char* name : {"sgemm_tiled", "transpose_tiled", "sgemm_register_2d", "gemm_bf16_wgmma"}) {
    AppState state = live_state();
    apply(state, {SelectKernel{name}});
    for (const Dial& dial : std::vector<Dial>(state.derived.shown.dials)) {
      for (const DialOption& option : dial.options) {
        AppState moved = state;
        apply(moved, {SetParameter{dial.name, option.value}});
        EXPECT_EQ(dialled(moved).at(dial.name) == option.value, !option.why_not) << name << " " << dial.name;
        EXPECT_EQ(moved.view.message.value_or(Message{}).text, option.why_not.value_or(""));
      }
    }
  }
}

TEST(Dials, SayWhereTheirValueGoesAndWhatItChanges) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  const std::pair<const char*, std::vector<std::string>> rows[] = {
      {"TILE",
       {"TILE, a macro of the source: each value is compiled.",
        "It does not change the work. A search for the best tries its values."}},
      {"N",
       {"N, given to the kernel: nothing is compiled for a new value.",
        "It changes the work. Launches of other work are not compared for the best."}}};
  for (const auto& [name, facts] : rows) {
    EXPECT_EQ(std::ranges::find(state.derived.shown.dials, name, &Dial::name)->facts, facts);
  }
}

TEST(Dials, TheDriversChoiceOfACarveoutIsAWord) {
  AppState state = recorded_state();
  apply(state, {SelectKernel{"row_softmax"}});
  EXPECT_EQ(option(state, "CARVEOUT", -1).text, "auto");
  EXPECT_EQ(option(state, "CARVEOUT", 50).text, "50");
}

TEST(Dials, SizesThatFollowAndScalarsAreInMore) {
  AppState state = live_state();
  apply(state, {SelectKernel{"sgemm_tiled"}});
  for (const Dial& dial : state.derived.shown.dials) {
    const bool rarely_moved =
        dial.name == "M" || dial.name == "K" || dial.name == "alpha" || dial.name == "beta";
    EXPECT_EQ(dial.in_more, rarely_moved) << dial.name;
    EXPECT_EQ(dial.following, dial.name == "M" || dial.name == "K") << dial.name;
  }
}

TEST(DifferenceText, NamesWhatAPlaceChanges) {
  AppState state = live_state();
  apply(state, {SelectKernel{"transpose_tiled"}, SetParameter{"PAD", 0}});
  struct Case {
    const char* name;
    double value;
    Caches caches;
    const char* text;
  };
  for (const auto& [name, value, caches, text] : {Case{"PAD", 0, Caches::cold, ""},
                                                  {"PAD", 1, Caches::cold, "padding 1"},
                                                  {"PAD", 0, Caches::warm, "warm caches"},
                                                  {"PAD", 1, Caches::warm, "padding 1 \u00b7 warm caches"},
                                                  {"GONE", 1, Caches::cold, ""}}) {
    Place place{dialled(state), caches};
    place.values[name] = value;
    EXPECT_EQ(difference_text(state, place), text);
  }
}

TEST(NearestRecorded, HasTheValueAndIsARecordedPlace) {
  const AppState state = recorded_state();
  std::size_t places = 0;
  for (const Dial& dial : state.derived.shown.dials) {
    for (const DialOption& option : dial.options) {
      if (const auto place = nearest_recorded(state, dial.name, option.value)) {
        EXPECT_EQ(place->values.at(dial.name), option.value);
        EXPECT_TRUE(
            state.known.recordings.find(state.choice.gpu, state.choice.kernel, place->caches, place->values));
        ++places;
      }
    }
  }
  EXPECT_GT(places, 5u);
}

}  // namespace
}  // namespace rooftile::scene
