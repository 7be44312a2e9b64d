// When the window draws, and for how long it rests: it draws where something has changed, and leaves the GPU
// alone while a launch is measured.
#pragma once

#include <chrono>

namespace rooftile::window {

class FramePacing {
 public:
  using Duration = std::chrono::steady_clock::duration;
  // The work that the session has now.
  struct Load {
    bool busy = false;         // something is under way or waits
    bool has_to_send = false;  // what waits can be sent: after the frame
    bool launching = false;    // on the GPU that draws too
  };

  static constexpr std::chrono::milliseconds look{16};  // between looks at a busy worker

  // Some frames are due: Dear ImGui sizes some things from the frame before.
  void something_changed() { due_ = frames_to_settle; }
  bool frame_is_due() const { return due_ > 0; }
  void frame_begins() { --due_; }

  // [s] How long to wait for input; 0 takes what is there. moving: something is under way, or moves.
  double input_wait(bool moving) const { return moving || frame_is_due() ? 0 : idle_wait; }
  // Whether to go on waiting for the worker before the next frame, after so long.
  static bool rests(const Load& load, Duration since);

  static constexpr int frames_to_settle = 4;

 private:
  static constexpr double idle_wait = 0.05;  // [s] between looks at the worker when nothing moves

  int due_ = frames_to_settle;
};

}  // namespace rooftile::window
