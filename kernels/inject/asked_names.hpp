// Names that rooftile, which started the program, is asked about: whether they are among those that are meant.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace rooftile::inject {

class AskedNames {
 public:
  // kind: how a question begins. socket: where rooftile answers (analysis/platform/questions.hpp).
  AskedNames(std::string_view kind, std::filesystem::path socket) : kind_(kind), socket_(std::move(socket)) {}

  // A name that nobody answers for is not meant. 0.1 ms where the name is new.
  bool means(const std::string& name);
  bool went_unanswered() const { return unanswered_; }

 private:
  std::string_view kind_;
  std::filesystem::path socket_;
  std::atomic<bool> unanswered_ = false;
  std::mutex mutex_;
  std::map<std::string, bool> known_;
};

}  // namespace rooftile::inject
