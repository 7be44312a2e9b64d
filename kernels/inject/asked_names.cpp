#include "kernels/inject/asked_names.hpp"

#include "analysis/platform/questions.hpp"

namespace rooftile::inject {
namespace {

constexpr std::size_t most_known = 1 << 16;  // a program may number its ranges

}  // namespace

bool AskedNames::means(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (const auto found = known_.find(name); found != known_.end()) {
    return found->second;
  }
  if (known_.size() >= most_known) {
    known_.clear();
  }
  const std::optional<bool> answer =
      unanswered_ ? std::nullopt : platform::ask(socket_, std::string(kind_) + name);
  unanswered_ = !answer;
  return known_[name] = answer.value_or(false);
}

}  // namespace rooftile::inject
