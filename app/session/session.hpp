// One session: what is known so far, and the worker that finds out more. The window and the command line each
// hold a session: they ask with request() or sweep(), pass it on with send(), call poll() and read log().
// Nothing here waits for the device.
//
// Invariants: whatever log() shows is in the journal already; killing any process loses at most the launch in
// flight; a worker that dies takes no request with it but the one to blame, which becomes a failed point: the
// others under way are asked again.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/records.hpp"
#include "analysis/record/session_file.hpp"
#include "app/session/kept_log.hpp"
#include "app/session/precompiler.hpp"
#include "app/session/request_queue.hpp"
#include "app/session/worker/supervised_worker.hpp"

namespace rooftile {

struct SessionOptions {
  std::vector<std::string> worker;  // command; empty: rooftile-worker beside this program
  bool over_network = false;        // the command is that of command_on(): an end may be a lost connection
  std::optional<int> device;        // of the machine's GPUs; empty: the worker's first
  std::vector<std::filesystem::path> kernel_folders;  // beyond the bundled ones
  std::filesystem::path journal;                      // empty: a new file in the user's state directory
  platform::Existing existing_journal = platform::Existing::continued;
  // Its launches are known from the start and not journaled; empty: none. The worker is started once it is
  // read.
  std::filesystem::path recording;
  std::vector<std::filesystem::path> beside;  // recordings to compare it with; see SessionBeside
  bool compile_only = false;                  // leaves the device alone
  // The worker reports after each launch. It is ended if it is silent for this time.
  std::chrono::milliseconds launch_limit = usual_launch_limit;
  int restart_limit = 3;                         // in a row, without a finished point between
  std::chrono::milliseconds restart_pause{300};  // before a worker that was never ready is tried again
};

class Session {
 public:
  // Starts the worker and returns at once. A worker that cannot be started is a state (facilities(),
  // last_error()).
  // Throws Error naming file, line and what was expected where the recording cannot be read. One of more than
  // 8 MB is read on while poll() is called. The worker ends with the session.
  explicit Session(const SessionOptions& options);

  // Adds the launches of a recording. Throws Error naming file, line and what was expected.
  void read_recording(const std::filesystem::path& file);

  // Gives the worker what waits, once the worker is free. A window that draws on the measuring GPU finishes
  // drawing first.
  void send();
  bool has_to_send() const;
  // Takes what the worker has sent since the last call; true if anything changed. Never blocks.
  bool poll();
  // Blocks until there is something to poll, at most so long. For programs without frames.
  void wait(std::chrono::milliseconds at_most);

  // The newest request wins: one is under way, one waits, and a newer request replaces the waiting one. Returns
  // the id that its points will carry.
  std::uint64_t request(const Configuration& configuration);
  // Compiles for this GPU instead of measuring on the device; waits like a request. Returns the id of its
  // point.
  std::uint64_t compile(const Configuration& configuration, const Gpu& gpu);
  // Counts the same launch line by line, which is dear; waits like a request. Returns the id of its profile; 0
  // if nothing can be launched.
  std::uint64_t profile(const Configuration& configuration);
  // Measures the roofs that are not known yet, or all of them again; takes some seconds and waits like a
  // request. 0 if nothing can be launched.
  std::uint64_t measure_roofs(Work work);
  // Measures all of them, in order, behind any request. Returns their ids. A second sweep is appended to the
  // first. ahead: the later ones are compiled while the first ones are launched.
  enum class Ahead { no, yes };
  std::vector<std::uint64_t> sweep(const std::vector<Configuration>& configurations, Ahead ahead = Ahead::yes);
  static int compilers();                                      // that compile ahead at the same time
  void cancel_sweep() { queue_.cancel_sweep(); }               // the launch under way is finished
  void pause_sweep(bool pause) { queue_.pause_sweep(pause); }  // likewise; a new sweep goes on
  bool sweep_paused() const { return queue_.sweep_paused(); }
  // How long the worker has been silent about what is under way, and when it counts as hung; empty while
  // nothing is under way.
  using Silence = SupervisedWorker::Silence;
  std::optional<Silence> silence() const { return worker_.silence(!queue_.under_way().empty()); }
  void wait_longer() { worker_.wait_longer(); }  // the deadline begins anew
  void stop_launch();  // ends the worker; what is under way becomes a failed point, the rest is asked again
  // After a worker was given up: tries it again now instead of with the next request.
  void start_again();
  // Starts the worker again with these folders of kernels; what waits is asked again.
  void use_kernels(const std::vector<std::filesystem::path>& folders);
  // Starts the worker again on another of the machine's GPUs; what waits is asked of that one.
  void use_device(int index);
  // Starts the worker again without the device, which another program then has to itself, or with it again.
  void leave_device(bool leave);
  bool given_up() const { return worker_.given_up() && !reading(); }

  // Adds a point that another program measured, to the journal first, then to the log.
  void keep(const Point& point) { store(point); }
  void keep(const Note& note) { store(note); }  // likewise
  // Adds the GPU that it measured on, and the roofs if none are known of this GPU.
  void record_gpu(const Gpu& gpu, const Roofs& roofs);
  std::uint64_t take_id() { return queue_.take_id(); }  // for such a point

  // Compiles these meanwhile, in this order, so that a dial that reaches one finds its cubin. It does so only
  // if a device measures. Earlier ones that still wait are dropped. A sweep prepares itself.
  void prepare(const std::vector<Configuration>& configurations);
  // Likewise for a GPU that need not be here.
  void prepare(const std::vector<Configuration>& configurations, ComputeCapability cc) {
    precompiler_.prepare(configurations, cc);
  }
  std::size_t preparing() const { return precompiler_.left(); }  // that are not compiled yet

  bool reading() const { return kept_.reading().has_value(); }  // the recording, so the log still grows
  bool starting() const;  // the worker has not introduced itself yet, so device() may still come
  bool busy() const { return !queue_.empty(); }  // something is under way or waiting
  // The request under way is compiled, so the device launches it: any other work on that GPU disturbs it.
  bool launching() const;
  const SessionLog& log() const { return *kept_.log(); }
  std::shared_ptr<const SessionLog> shared_log() const { return kept_.log(); }  // for those who keep it
  const Gpu* device() const;                                                    // that measures; nullptr: none
  const std::vector<Facility>& facilities() const { return log().header.facilities; }
  bool compiles() const;  // a compiler answers
  // Progress of the recording or the sweep, else what the worker says; empty when idle.
  std::optional<Progress> progress() const;
  std::optional<Seconds> time_left() const {
    return queue_.time_left();
  }  // of the sweep, once one of its points is finished
  // The last error since the last request or sweep, as a sentence.
  const std::optional<std::string>& last_error() const { return last_error_; }
  const std::filesystem::path& journal_file() const { return kept_.file(); }  // empty: there is none
  void tidy_journal() { kept_.tidy_journal(); }                               // see KeptLog
  void release_journal() { kept_.release_journal(); }                         // likewise
  // A sentence that says why measurements are not kept, told once.
  std::optional<std::string> take_journal_trouble() { return kept_.take_trouble(); }

 private:
  using Clock = std::chrono::steady_clock;

  void number_requests();
  void get_ready();
  void read_on(std::chrono::milliseconds at_most);
  bool follow_recording();
  void start_worker();
  void tell_if_given_up();
  bool is_being_compiled(const Job& job) const;
  void put_off_slow_compilations();
  std::optional<std::string> why_not_compiled(const Job& job) const;
  void receive(const Record& record);
  void receive(const BadLine& bad);
  void receive(const WorkerEnded& ended);
  void take_header(const Header& header);
  void take_point(Point point);
  void take_profile(const SourceProfile& profile);
  void take_roofs(const RoofsRecord& record);
  void keep_roofs(const Roofs& roofs) const;
  void start_again_with(RequestQueue::Again again);
  void finish_job(std::uint64_t id);
  std::uint64_t enqueue(const Configuration& configuration, Work work, const std::optional<Gpu>& target = {});
  std::string gpu_of(std::uint64_t id) const;
  void store(const Record& record);
  Point point_of(const Job& job) const;
  bool answers(std::uint64_t id, const std::string& kernel, const Parameters& parameters);
  void fail(const Job& job, const std::string& sentence);
  void fail_under_way(const Job& job, const std::string& sentence);
  std::optional<Job> to_blame() const;

  SessionOptions options_;
  KeptLog kept_;
  Clock::time_point next_look_{};  // at the recording, whether it has grown
  SupervisedWorker worker_;
  Precompiler precompiler_;
  RequestQueue queue_;
  std::optional<std::string> device_;  // the worker's, by name
  std::optional<Progress> worker_progress_;
  std::optional<std::string> last_error_;
  bool launching_ = false;                 // something under way is compiled
  std::optional<std::uint64_t> launched_;  // is on the device: compiled, and not heard of since
};

}  // namespace rooftile
