// The worker's conversation: its facilities, then an answer to each request, one JSON record per line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/record/records.hpp"
#include "kernels/worker/count/cupti.hpp"
#include "kernels/worker/measure/bench.hpp"
#include "kernels/worker/roofs/ceilings.hpp"

namespace rooftile::worker {

struct ServerOptions {
  std::vector<std::filesystem::path> kernel_folders;
  std::filesystem::path sources;  // the bundled kernels/
  std::filesystem::path cache;    // empty: nothing is kept
  std::string why_no_cache;
  int device = 0;
  bool compile_only = false;
  bool verify_only = false;
  bool exact_buffers = false;
  bool measure_roofs_again = false;
  std::filesystem::path record_counters;  // a folder for the counter recordings of launches; empty: none
};

// profiler: what to say where there is none.
struct FoundCupti {
  std::optional<Cupti> cupti;
  Facility profiler;
};

class Server {
 public:
  // Finds the driver, the device, the compiler and the counters; a missing one becomes a facility with a
  // reason.
  Server(const ServerOptions& options, std::ostream& out);
  ~Server();

  // Sends the header, and the device with its roofs where there is one.
  void greet();
  // Answers a request line; launches to measure wait for measure_waiting(). Throws DeviceLost or DriverError
  // when the device can no longer be used, as Bench does.
  void answer(const std::string& line);
  bool has_waiting() const { return !waiting_.empty(); }
  // Measures the waiting launches together. Throws as answer() does.
  void measure_waiting();
  // Roofs that no kernel has needed yet are measured while nobody waits: how many are left, and the next one.
  int roofs_left() const { return ceilings_ ? ceilings_->left() : 0; }
  void measure_next_roof();
  // Gives the counters back to other profilers until the next request.
  void rest();
  // After DeviceLost.
  void say_farewell();

 private:
  bool find_driver();
  void find_device();
  void find_clock(std::future<Nvml>& opened);
  void find_compiler();
  void find_counters(std::future<FoundCupti>& found);
  std::optional<MeasureJob> job(const MeasureRequest& request);
  void find_roofs();
  void find_counted_roofs();
  void compile(const CompileRequest& request);
  void profile(const ProfileRequest& request);
  void measure_roofs(const RoofsRequest& request);
  void measure_roof(const std::string& pipe);
  void send_measured(const Record& record);
  void measure_roofs_of(const std::vector<MeasureJob>& jobs);
  void send_header();
  void send_roofs(std::optional<std::uint64_t> asked = {});
  std::string why_not_measured() const;
  void send(const Record& record);
  void send_failure(Point point, const std::string& sentence);

  ServerOptions options_;
  std::ostream& out_;
  Catalogue catalogue_;
  std::vector<Facility> facilities_;
  std::optional<Driver> driver_;
  std::unique_ptr<Device> device_;
  std::optional<Nvml> nvml_;
  std::unique_ptr<Compiler> compiler_;
  std::unique_ptr<Counting> counting_;
  std::unique_ptr<Bench> bench_;
  std::vector<MeasureRequest> waiting_;
  std::unique_ptr<Ceilings> ceilings_;
  Roofs other_roofs_;             // spec and datasheet
  std::size_t missing_told_ = 0;  // roofs that the last header told of
};

}  // namespace rooftile::worker
