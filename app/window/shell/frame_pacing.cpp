#include "app/window/shell/frame_pacing.hpp"

namespace rooftile::window {
namespace {

// A frame that falls into a launch on the same GPU makes the launch 1.7 ms slower and adds 150 MB of DRAM
// traffic, as seen on an H200. So nothing is drawn during a launch, but after this time a hand loses patience
// and a frame is drawn.
constexpr std::chrono::milliseconds longest_stillness{500};

}  // namespace

bool FramePacing::rests(const Load& load, Duration since) {
  if (!load.busy || load.has_to_send) {
    return false;
  }
  return since < (load.launching ? longest_stillness : look);
}

}  // namespace rooftile::window
