// One more session in a log that holds others: its launches have ids of their own, and a GPU that is there
// already has a name of its own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "analysis/record/session_file.hpp"

namespace rooftile {

class SessionBeside {
 public:
  // name: tells it from the others. The log outlives it.
  SessionBeside(const SessionLog& log, std::string name) : log_(log), name_(std::move(name)) {}

  // Takes each record of the session, in their order: gives it its own id and the name of its GPU.
  void operator()(Record& record);

 private:
  void begin();
  std::string own_name(const std::string& gpu) const;

  const SessionLog& log_;
  std::string name_;
  bool has_begun_ = false;
  std::set<std::string> taken_;   // names of the GPUs that were there before
  std::uint64_t largest_id_ = 0;  // that was there before
};

// "NVIDIA H200 (after)"
std::string name_beside(const std::string& gpu, const std::string& session);

}  // namespace rooftile
