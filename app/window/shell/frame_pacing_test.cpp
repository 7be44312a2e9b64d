#include "app/window/shell/frame_pacing.hpp"

#include <gtest/gtest.h>

namespace rooftile::window {
namespace {

using namespace std::chrono_literals;

TEST(FramePacing, WhatHasChangedIsDrawnUntilItHasSettledAndThenNothing) {
  FramePacing pacing;
  for (int i = 0; i < 2; ++i) {
    int frames = 0;
    for (; pacing.frame_is_due(); ++frames) {
      pacing.frame_begins();
    }
    EXPECT_EQ(frames, FramePacing::frames_to_settle);
    pacing.something_changed();
  }
}

TEST(FramePacing, InputIsWaitedForOnlyWhereNothingElseHappens) {
  FramePacing pacing;
  EXPECT_EQ(pacing.input_wait(false), 0) << "a frame is due";
  while (pacing.frame_is_due()) {
    pacing.frame_begins();
  }
  EXPECT_EQ(pacing.input_wait(true), 0);
  EXPECT_GT(pacing.input_wait(false), 0);
}

TEST(FramePacing, ALaunchIsLeftAloneForAMomentAndOtherWorkForAFrame) {
  const struct {
    const char* what;
    FramePacing::Load load;
    std::chrono::milliseconds since;
    bool rests;
  } rows[] = {{"nothing to do", {false, false, false}, 0ms, false},
              {"a request waits to be sent", {true, true, true}, 0ms, false},
              {"compiling", {true, false, false}, 15ms, true},
              {"compiling, and a frame is due", {true, false, false}, 16ms, false},
              {"launching", {true, false, true}, 499ms, true},
              {"launching for long", {true, false, true}, 500ms, false}};
  for (const auto& [what, load, since, rests] : rows) {
    EXPECT_EQ(FramePacing::rests(load, since), rests) << what;
  }
}

}  // namespace
}  // namespace rooftile::window
