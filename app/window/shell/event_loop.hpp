// The loop of the window: it waits until there is something to draw, takes the news, draws a frame and hands
// what the user asked for to the conductor.
#pragma once

#include <chrono>
#include <filesystem>

#include "app/conductor/conductor.hpp"
#include "app/window/shell/frame_pacing.hpp"
#include "app/window/shell/window.hpp"

namespace rooftile::window {

class EventLoop {
 public:
  // Both outlive it.
  EventLoop(conductor::Conductor& conductor, Window& window) : conductor_(conductor), window_(window) {}

  void turn();                                               // once around
  void something_changed() { pacing_.something_changed(); }  // the next turn draws
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begun_).count();
  }  // since it began
  // [s] Our own work on the last frame, from the news to what is handed to OpenGL.
  double work() const { return work_; }

 private:
  using Clock = std::chrono::steady_clock;

  void wait();
  FramePacing::Load load() const;
  void take_news();
  void open_dropped();
  void draw();
  void save_picture(const std::filesystem::path& file);

  conductor::Conductor& conductor_;
  Window& window_;
  Clock::time_point begun_ = Clock::now(), turned_;
  double work_ = 0;
  FramePacing pacing_;
};

}  // namespace rooftile::window
