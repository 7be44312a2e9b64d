#include "app/window/shell/event_loop.hpp"

#include "analysis/text/error.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {

void EventLoop::turn() {
  wait();
  turned_ = Clock::now();
  take_news();
  open_dropped();
  if (window_.needs_drawing() || conductor_.state().view.motion) {
    pacing_.something_changed();
  }
  if (pacing_.frame_is_due()) {
    pacing_.frame_begins();
    draw();
  }
}

// Until there is something to draw.
void EventLoop::wait() {
  const bool outlasted = conductor_.launching();
  window_.take_input(pacing_.input_wait(!conductor_.resting()));
  for (const auto start = Clock::now(); FramePacing::rests(load(), Clock::now() - start);) {
    conductor_.wait(FramePacing::look);
    take_news();
    window_.take_input(0);
    if (outlasted && window_.has_input()) {
      break;
    }
  }
}

FramePacing::Load EventLoop::load() const {
  return {conductor_.state().known.session.busy, conductor_.has_to_send(), conductor_.launching()};
}

void EventLoop::take_news() {
  if (conductor_.news(seconds())) {
    pacing_.something_changed();
  }
}

void EventLoop::open_dropped() {
  for (const std::filesystem::path& file : window_.take_dropped()) {
    conductor_.open(file);
    pacing_.something_changed();
  }
}

void EventLoop::draw() {
  Actions actions;
  window_.begin_frame(conductor_.state().settings);
  draw_frame(conductor_.state(), actions);
  window_.end_frame();
  work_ = std::chrono::duration<double>(Clock::now() - turned_).count();
  window_.present(conductor_.state().settings);
  if (conductor_.has_to_send()) {
    window_.finish_frames();
  }
  conductor_.send();
  if (const auto picture = conductor_.apply(actions)) {
    save_picture(*picture);
  }
  if (!actions.empty()) {
    pacing_.something_changed();
  }
}

void EventLoop::save_picture(const std::filesystem::path& file) {
  try {
    write_png(window_.picture(conductor_.state().settings), file);
    conductor_.tell(Message::Kind::done, "Saved " + file.string());
  } catch (const Error& error) {
    conductor_.tell(Message::Kind::wrong, error.what());
  }
}

}  // namespace rooftile::window
