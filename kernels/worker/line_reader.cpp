#include "kernels/worker/line_reader.hpp"

namespace rooftile::worker {

LineReader::LineReader(std::istream& in) {
  std::thread([shared = shared_, &in] {
    std::string line;
    while (std::getline(in, line)) {
      const std::lock_guard lock(shared->mutex);
      shared->lines.push_back(std::move(line));
      shared->arrived.notify_one();
    }
    const std::lock_guard lock(shared->mutex);
    shared->ended = true;
    shared->arrived.notify_one();
  }).detach();
}

LineReader::State LineReader::next(std::string& line, std::chrono::milliseconds at_most) {
  std::unique_lock lock(shared_->mutex);
  const bool woken =
      shared_->arrived.wait_for(lock, at_most, [&] { return !shared_->lines.empty() || shared_->ended; });
  if (!woken) {
    return State::timeout;
  }
  if (shared_->lines.empty()) {
    return State::end;
  }
  line = std::move(shared_->lines.front());
  shared_->lines.pop_front();
  return State::line;
}

}  // namespace rooftile::worker
