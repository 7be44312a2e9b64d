#include "app/cli/shared/live/progress_line.hpp"

#include <fmt/core.h>

#include "analysis/platform/platform.hpp"
#include "app/cli/shared/output.hpp"

namespace rooftile::cli {
namespace {

using namespace std::chrono_literals;

constexpr const char* wipe_line = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine() : on_terminal_(platform::standard_error_is_terminal()) {}

ProgressLine::~ProgressLine() {
  if (shown_ && on_terminal_) {
    fmt::print(stderr, "{}", wipe_line);
  }
}

void ProgressLine::show(const std::string& words) {
  if (on_terminal_) {
    fmt::print(stderr, "{}", wipe_line);
    remark("{}", words);
    shown_ = true;
  } else if (Clock::now() - last_ > 10s) {
    remark("{}\n", words);
    last_ = Clock::now();
  }
}

}  // namespace rooftile::cli
