// The program of the command line, run once: what its library records goes into the session, or one of its
// launches into a folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/program/program_view.hpp"
#include "app/session/profiled_program.hpp"
#include "app/session/session.hpp"
#include "app/session/sources/capture_folder.hpp"

namespace rooftile::conductor {

// "python3" of "/usr/bin/python3 train.py"
std::string program_name(const std::vector<std::string>& command);

class ProgramRun {
 public:
  // Starts the program. gpus: their datasheets give the roofs of a GPU if the session knows none of it. Throws
  // Error as ProfiledProgram does.
  ProgramRun(const std::vector<std::string>& command, const ProfileOptions& options, std::vector<Gpu> gpus);
  // Starts it to capture a launch of this kernel and shape; nothing goes into the session.
  ProgramRun(const std::vector<std::string>& command, const std::string& kernel, const std::string& shape);

  // Hands the session what is new. True if there is something to show: a new point, another second, or the
  // program's end. Never blocks.
  bool follow(Session& session);
  void tell_to_end();
  // Once it has ended, what it was started to capture; null for any other run.
  std::unique_ptr<CaptureFolder> take_captured() { return std::move(captured_); }
  const scene::ProgramView& view() const { return view_; }
  // Sentences on what the program lacked so far, such as the right to count.
  const std::vector<std::string>& troubles() const { return troubles_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool pass_time();
  bool take_records(Session& session);
  bool look_at_captured();
  void take_point(Session& session, Point point);
  void note_troubles();

  Roofs roofs_of(const Gpu& gpu) const;

  std::unique_ptr<CaptureFolder> captured_;
  std::unique_ptr<ProfiledProgram> program_;  // until it has ended: its folder goes with it
  std::vector<Gpu> gpus_;
  scene::ProgramView view_;
  Clock::time_point started_ = Clock::now(), next_look_ = started_;
  std::map<ProgramIdentity, std::uint64_t> ids_;  // in the session
  std::vector<std::string> troubles_;
};

}  // namespace rooftile::conductor
