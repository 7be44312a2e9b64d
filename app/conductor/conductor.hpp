// The session and the state of the window in one loop, without a window: what the worker says becomes state,
// what the user does becomes requests.
//
//   while (open) {
//     if (conductor.news(now)) draw(conductor.state(), actions);
//     conductor.send();
//     conductor.apply(actions);
//   }
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "analysis/platform/write_file.hpp"
#include "app/conductor/code_reading.hpp"
#include "app/conductor/command_line.hpp"
#include "app/conductor/program_run.hpp"
#include "app/conductor/source_watch.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/state/app_state.hpp"
#include "app/session/own_kernel.hpp"
#include "app/session/session.hpp"

namespace rooftile::conductor {

class Conductor {
 public:
  // Starts a worker and returns at once. recording: shown if no device is found; empty: none. Throws Error for
  // a session file that cannot be read, and for an unknown kernel, parameter or value.
  Conductor(const CommandLine& wanted, const scene::Settings& settings,
            const std::optional<std::filesystem::path>& recording);

  // Takes what the worker has said and lets the time pass. True if there is something new to draw. Never
  // blocks.
  bool news(double now);
  // Carries out what the user asked for; a failure becomes a message. Returns the file that the window shall
  // draw its picture into, if there is one.
  std::optional<std::filesystem::path> apply(const scene::Actions& actions);
  // Opens a file that was named at the start or dropped on the window. A session replaces what is shown. The
  // kernel of a CUDA source is chosen; a new source is read by the compiler first. A failure becomes a message.
  void open(const std::filesystem::path& file);
  void tell(scene::Message::Kind kind, const std::string& text);
  // The display shows everything so much larger than usual, unless the command line says how large.
  void scale_with(float display);
  // Leaves out what the command line set for this run alone.
  scene::Settings settings_to_remember(int width, int height) const;

  const scene::AppState& state() const { return state_; }

  // Gives the worker what waits, once the worker is free. A window that draws on the measuring GPU finishes
  // drawing first.
  void send() { session_.send(); }
  bool has_to_send() const { return session_.has_to_send(); }
  bool launching() const { return session_.launching(); }  // whatever else uses that GPU now disturbs it
  bool resting() const;                                    // nothing is under way, and nothing moves
  bool program_runs() const;                               // that of the command line
  // Blocks until the program has ended; its launches are still recorded. Returns its exit status; 0 if none was
  // started.
  int wait_for_program();
  // The file that keeps what is measured and counted; empty: none.
  const std::filesystem::path& journal_file() const { return session_.journal_file(); }
  // Blocks until the worker has said something, at most so long.
  void wait(std::chrono::milliseconds at_most) { session_.wait(at_most); }

 private:
  bool listen();
  void begin();
  void open_session(const std::filesystem::path& file);
  void open_source(const std::filesystem::path& source);
  void read_source(const std::filesystem::path& source, const std::string& wanted);
  bool follow_readings();
  bool follow_code();
  void ask_which(const std::filesystem::path& source, std::vector<std::string> names);
  bool is_asked_about(const std::filesystem::path& source) const;
  void tell_of_reading(const SourceReading& reading, const std::string& sentence);
  void take_kernel(const std::filesystem::path& source, const OwnKernel& own);
  void read_kernels_again();
  void save_manifest(const scene::ManifestEdit& edit);
  void meet_worker();
  void meet_worker_beside_program();
  bool follow_program();
  void start_program();
  std::unique_ptr<ProgramRun> begin_run();
  void leave_device();
  void end_program();
  void open_captured(CaptureFolder& captured);
  bool follow_sourced();
  bool tell_what_was_changed();
  void meet_recording();
  void begin_anew();
  void show_recording();
  void start();
  void view_session();
  void tell_left_out();  // lines of a recording
  void view_progress();
  bool wait_goes_on();
  bool map_goes_on();
  bool follow_source(double now);
  bool follow_manifest(double now);
  void report_error();
  void follow(const scene::Requests& requests);  // and shows what has changed with them
  void carry_out(const scene::Requests& requests);
  void carry_out(const scene::MeasurePlace& request);
  void carry_out(const scene::CountLinesOf& request);
  void carry_out(const scene::MeasureRoofs& request);
  void carry_out(const scene::Sweep& request);
  void carry_out(const scene::SearchOn& request);
  void carry_out(const scene::CancelSweep& request);
  void carry_out(const scene::PauseSweep& request);
  void carry_out(const scene::WaitLonger& request);
  void carry_out(const scene::StopLaunch& request);
  void carry_out(const scene::StartWorker& request);
  void carry_out(const scene::UseDevice& request);
  void carry_out(const scene::RunProgram& request);
  void carry_out(const scene::EndProgram& request);
  void carry_out(const scene::CaptureLaunch& request);
  void carry_out(const scene::ReadKernel& request);
  void carry_out(const scene::AskForKernelOf& request);
  void carry_out(const scene::SaveManifest& request);
  void carry_out(const scene::SaveNote& request);
  void carry_out(const scene::SaveConstants& request);
  void carry_out(const scene::SaveWinner& request);
  void carry_out(const scene::ExportPicture& request);
  void carry_out(const scene::ExportDrawing& request);
  void carry_out(const scene::ExportSession& request);
  void carry_out(const scene::ExportPage& request);
  void carry_out(const scene::ShowLicences& request);
  void continue_search();
  void save(const std::filesystem::path& file, const std::string& text, const platform::FileKind& kind);

  CommandLine wanted_;
  scene::Settings remembered_;  // from earlier runs
  std::optional<std::filesystem::path> recording_;
  scene::AppState state_;
  Session session_;
  std::optional<std::string> reported_;  // the last error that the user was told of
  SourceWatch source_, manifest_;
  std::optional<std::filesystem::path> picture_;         // that the window shall draw
  std::optional<Point> before_save_;                     // of the source, until its next launch
  std::deque<std::unique_ptr<SourceReading>> readings_;  // of sources that are opened
  // The place of a captured launch, and the reading of its source.
  std::optional<std::pair<std::filesystem::path, std::unique_ptr<SourceReading>>> sourced_;
  CodeReading code_;
  std::optional<std::filesystem::path> asks_for_kernel_of_;  // to make one more of its kernels
  bool program_due_ = false;                                 // it starts once the roofs are measured
  std::unique_ptr<ProgramRun> program_;
  std::optional<scene::CaptureLaunch> capture_due_;  // what the program runs again for
  std::optional<scene::ProgramView> counted_;        // the run before, while a launch is captured
  bool worker_met_ = false;                          // it is known whether it measures, and what it lacks
  bool started_by_hand_ = false;                     // the worker, after it was given up
};

}  // namespace rooftile::conductor
