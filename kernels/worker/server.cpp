#include "kernels/worker/server.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/measure/known_answer.hpp"
#include "kernels/worker/roofs/spec_roofs.hpp"

namespace rooftile::worker {
namespace {

// Names the number of GPUs too: the first of several may not be the GPU that was meant.
std::string describe(const Device& device) {
  const std::string one = fmt::format("{}, compute capability {}", device.gpu().name, text(device.gpu().cc));
  return device.machine().size() == 1 ? one + "."
                                      : fmt::format("{}; GPU {} of {}, --device chooses another.", one,
                                                    device.index(), device.machine().size());
}

// A driver loads cubins of a toolkit of its own major version, or of an older one.
Facility compiler_facility(const Nvrtc& nvrtc, const std::optional<Driver>& driver) {
  using State = Facility::State;
  if (driver && std::stoi(driver->version()) < std::stoi(nvrtc.version)) {
    return {"compiler", State::failed,
            fmt::format("NVRTC {} is too new for this driver, which serves CUDA {}.", nvrtc.version,
                        driver->version()),
            "Update the driver, or install the CUDA toolkit that it serves and set CUDA_HOME to it.",
            nvrtc.file};
  }
  return {"compiler", State::ready, fmt::format("NVRTC {} compiles the kernels.", nvrtc.version), "",
          nvrtc.file};
}

FoundCupti find_cupti(const std::string& driver) {
  using State = Facility::State;
  const std::string fix = "Install the CUDA toolkit 12.6 or later, or run ./rooftile.sh, which fetches it.";
  FoundCupti found{{}, {"profiler", State::missing, "CUPTI was not found.", fix, ""}};
  try {
    found.cupti = load_cupti(&found.profiler.detail, driver);
  } catch (const Error& error) {
    found.profiler = {"profiler", State::failed, "CUPTI was found but cannot be used.", fix, error.what()};
  }
  return found;
}

// A point with nothing but what a request, or another point, asks for.
Point bare(const auto& asked) {
  Point point;
  point.id = asked.id;
  point.kernel = asked.kernel;
  point.parameters = asked.parameters;
  return point;
}

}  // namespace

Server::Server(const ServerOptions& options, std::ostream& out) : options_(options), out_(out) {
  // 40 ms, beside the driver's start, which takes longer.
  auto catalogue =
      std::async(std::launch::async, [&] { return platform::load_catalogue(options.kernel_folders); });
  std::future<FoundCupti> cupti;
  if (!options.compile_only && find_driver()) {
    if (!options.verify_only) {  // 70 ms, beside the device's start
      cupti = std::async(std::launch::async, find_cupti, driver_->version());
    }
    find_device();
  }
  catalogue_ = catalogue.get();
  // 10 to 80 ms, beside NVRTC. Not beside CUPTI: while CUPTI attaches to the driver, NVML's thread ends with a
  // lock of the driver held, and cuBLAS waits for this lock forever.
  if (cupti.valid()) {
    cupti.wait();
  }
  auto clock = device_ ? std::async(std::launch::async, [bus = device_->pci_bus_id()] { return Nvml(bus); })
                       : std::future<Nvml>();
  find_compiler();
  if (device_ && compiler_ && facilities_.back().state == Facility::State::ready) {
    find_clock(clock);
    find_counters(cupti);
    bench_ =
        std::make_unique<Bench>(*device_, *compiler_, *counting_, options_.sources, nvml_ ? &*nvml_ : nullptr,
                                options_.verify_only, options_.exact_buffers ? Room::exact : Room::whole_pages);
  }
}

Server::~Server() = default;

bool Server::find_driver() {
  using State = Facility::State;
  std::string tried;
  try {
    driver_ = load_driver(&tried);
  } catch (const Error& error) {
    facilities_.push_back({"driver", State::failed, "The NVIDIA driver of this machine is too old.",
                           "Update the driver to version 525 or later.", error.what()});
    return false;
  }
  if (!driver_) {
    facilities_.push_back({"driver", State::missing, "There is no NVIDIA driver on this machine.",
                           "Install one to measure; without it rooftile replays sessions and predicts.",
                           tried});
  }
  return driver_.has_value();
}

void Server::find_device() {
  using State = Facility::State;
  try {
    device_ = std::make_unique<Device>(*driver_, options_.device);
    facilities_.push_back({"driver", State::ready,
                           fmt::format("The driver serves CUDA {}.", driver_->version()), "", driver_->file});
    facilities_.push_back({"device", State::ready, describe(*device_), "", ""});
  } catch (const Error& error) {
    facilities_.push_back({"device", State::failed, "The driver is there, but no GPU can be used.",
                           "See whether nvidia-smi lists a GPU, and whether this user may open /dev/nvidia*.",
                           error.what()});
  }
}

void Server::find_clock(std::future<Nvml>& opened) {
  using State = Facility::State;
  try {
    nvml_ = opened.get();
    facilities_.push_back(
        {"clock", State::ready, "NVML says what clock is held and what lowers it.", "", nvml_->file()});
  } catch (const Error& error) {
    facilities_.push_back({"clock", State::missing, "NVML does not say what lowers the clock.",
                           "It comes with the driver; in a container allow the 'utility' capability.",
                           error.what()});
  }
}

void Server::find_compiler() {
  using State = Facility::State;
  std::string tried;
  try {
    if (auto nvrtc = load_nvrtc(&tried, driver_ ? driver_->version() : "")) {
      facilities_.push_back(compiler_facility(*nvrtc, driver_));
      compiler_ = std::make_unique<Compiler>(std::move(*nvrtc), options_.cache);
      return;
    }
    facilities_.push_back({"compiler", State::missing, "NVRTC, the run-time compiler of CUDA, was not found.",
                           "Install the CUDA toolkit 12.6 or later, or run ./rooftile.sh, which fetches it.",
                           tried});
  } catch (const Error& error) {
    facilities_.push_back({"compiler", State::failed, "NVRTC was found but cannot be used.",
                           "Install the CUDA toolkit 12.6 or later.", error.what()});
  }
}

void Server::find_counters(std::future<FoundCupti>& found) {
  if (options_.verify_only) {
    counting_ = std::make_unique<Counting>(
        Facility{"profiler", Facility::State::missing, "This worker was started to verify only.", "", ""});
    return;
  }
  auto [cupti, profiler] = found.get();
  counting_ = cupti ? std::make_unique<Counting>(*device_, std::move(*cupti))
                    : std::make_unique<Counting>(std::move(profiler));
  counting_->record_into(options_.record_counters);
}

// Measured, counted and quoted.
void Server::find_roofs() {
  try {
    find_counted_roofs();
  } catch (const DriverError&) {
    throw;
  } catch (const Error& error) {
    counting_->distrust(error.what());
  }
  const auto table = platform::load_gpu_table().gpus;
  if (const Gpu* row = find_gpu(table, device_->gpu().name)) {
    other_roofs_.add(datasheet_roofs(*row));
  }
  ceilings_ = std::make_unique<Ceilings>(*device_, *compiler_, options_.sources, options_.cache);
  if (options_.measure_roofs_again) {
    ceilings_->forget();
  }
  ceilings_->measure_memory();
}

void Server::find_counted_roofs() {
  if (const auto counters = count_known_answer(*device_, *compiler_, options_.sources, *counting_)) {
    const CounterSession& session = *counting_->session();
    other_roofs_ = spec_roofs([&](const std::string& metric) { return session.evaluate(metric); }, *counters);
  }
}

void Server::send_header() {
  Header header;
  header.made_by = "rooftile " ROOFTILE_VERSION;
  header.host = platform::host_name();
  header.date = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  header.facilities = facilities_;
  if (counting_) {
    header.facilities.push_back(counting_->profiler());
    header.facilities.push_back(counting_->counters());
  }
  if (options_.cache.empty()) {
    header.facilities.push_back({"cache", Facility::State::failed,
                                 "Compiled kernels and measured roofs are not kept.",
                                 "Set XDG_CACHE_HOME to a folder that can be written.", options_.why_no_cache});
  }
  missing_told_ = ceilings_ ? ceilings_->missing().size() : 0;
  if (missing_told_ > 0) {
    header.facilities.push_back({"roofs", Facility::State::failed, ceilings_->missing().back(),
                                 "Launches stand below the other roofs; measure the roofs again.",
                                 fmt::format("{}", fmt::join(ceilings_->missing(), "\n"))});
  }
  send(header);
}

void Server::greet() {
  if (bench_ && !options_.verify_only) {
    find_roofs();
  }
  send_header();
  if (bench_) {  // before the device: who knows a device may predict for it
    send_roofs();
  }
  if (device_) {
    DeviceRecord record{device_->gpu(), driver_->version()};
    if (device_->machine().size() > 1) {
      record.index = device_->index();
      record.machine = device_->machine();
    }
    send(record);
  }
  if (bench_) {
    counting_->arm();
  }
}

void Server::answer(const std::string& line) {
  const Request request = parse_request(line);
  if (const auto* asked = std::get_if<MeasureRequest>(&request)) {
    waiting_.push_back(*asked);
    return;
  }
  measure_waiting();
  if (const auto* to_compile = std::get_if<CompileRequest>(&request)) {
    compile(*to_compile);
  } else if (const auto* looked_at = std::get_if<ProfileRequest>(&request)) {
    profile(*looked_at);
  } else {
    measure_roofs(std::get<RoofsRequest>(request));
  }
}

void Server::measure_waiting() {
  std::vector<MeasureJob> jobs;
  for (const MeasureRequest& request : std::exchange(waiting_, {})) {
    if (auto found = job(request)) {
      jobs.push_back(std::move(*found));
    }
  }
  if (!jobs.empty()) {
    measure_roofs_of(jobs);
    bench_->measure(jobs, [this](const Record& record) { send_measured(record); });
  }
}

// Empty for a request that cannot be met; its failure is sent.
std::optional<MeasureJob> Server::job(const MeasureRequest& request) {
  Point point = bare(request);
  try {
    if (bench_) {
      return MeasureJob{&find_kernel(catalogue_, request.kernel), request};
    }
    send_failure(std::move(point), why_not_measured());
  } catch (const Error& error) {
    send_failure(std::move(point), error.what());
  }
  return std::nullopt;
}

void Server::profile(const ProfileRequest& request) {
  SourceProfile failed = start_profile(request);
  try {
    if (!bench_) {
      throw Error(why_not_measured());
    }
    bench_->profile(find_kernel(catalogue_, request.kernel), request,
                    [this](const Record& record) { send(record); });
  } catch (const DeviceLost&) {
    throw;  // answered already, and the end of this worker
  } catch (const Error& error) {
    failed.failure = error.what();
    send(failed);
  }
}

std::string Server::why_not_measured() const {
  const auto missing =
      std::ranges::find_if(facilities_, [](const Facility& f) { return f.state != Facility::State::ready; });
  return missing == facilities_.end() ? "This worker was started to compile only."
                                      : missing->sentence + " " + missing->fix;
}

void Server::compile(const CompileRequest& request) {
  Point point = bare(request);
  try {
    const Manifest& manifest = find_kernel(catalogue_, request.kernel);
    point = start_point(manifest, request.parameters, request.id, Caches::cold, request.sm_count);
    if (!manifest.library.empty()) {
      point.notes.emplace_back(
          "The library brings its own kernels: nothing is compiled, and occupancy is not known.");
      point.final = true;
      return send(point);
    }
    if (!compiler_) {
      throw Error("Nothing can be compiled here: NVRTC was not found.");
    }
    if (const auto reason = compiler_->why_unknown(request.cc)) {  // which says nothing against the kernel
      point.notes.push_back(*reason + " So registers and occupancy are not known.");
    } else {
      point.compiled = compiler_->compile(manifest, point.parameters, request.cc).compiled;
    }
    point.final = true;
    send(point);
  } catch (const Error& error) {
    send_failure(std::move(point), error.what());
  }
}

// The roof of a pipe is measured before the first kernel that computes on it.
void Server::measure_roofs_of(const std::vector<MeasureJob>& jobs) {
  for (const MeasureJob& job : jobs) {
    if (job.manifest->flops || !job.manifest->states_work) {
      measure_roof(job.manifest->pipe);
    }
  }
}

void Server::measure_roof(const std::string& pipe) {
  if (ceilings_ && ceilings_->is_left(pipe)) {
    counting_->settle();
    ceilings_->measure(pipe);
    send_roofs();
  }
}

// If no pipe is stated for a kernel, its pipe is known once it is counted.
void Server::send_measured(const Record& record) {
  const auto* point = std::get_if<Point>(&record);
  if (point && point->counters) {
    measure_roof(point->modelled.pipe);
  }
  send(record);
}

void Server::measure_next_roof() {
  counting_->settle();
  ceilings_->measure_next();
  if (ceilings_->left() == 0) {
    send_roofs();
  }
}

void Server::measure_roofs(const RoofsRequest& request) {
  if (!ceilings_) {
    return send_roofs(request.id);
  }
  counting_->settle();
  if (request.again) {
    ceilings_->forget();
  }
  for (const int total = ceilings_->left(); ceilings_->left() > 0;) {
    send(Progress{"measuring the roofs", total - ceilings_->left(), total});
    ceilings_->measure_next();
  }
  send_roofs(request.id);
}

void Server::send_roofs(std::optional<std::uint64_t> asked) {
  if (ceilings_ && ceilings_->missing().size() != missing_told_) {
    send_header();
  }
  Roofs all = ceilings_ ? ceilings_->roofs() : Roofs{};
  all.add(other_roofs_);
  send(RoofsRecord{all, asked});
}

void Server::rest() {
  if (counting_) {
    counting_->release();
  }
}

void Server::say_farewell() {
  send(Farewell{});
}

// If a record cannot hold a figure, its launch ends with a last point without figures.
void Server::send(const Record& record) {
  const std::string line = to_line(record);
  try {
    static_cast<void>(parse_record(line));
  } catch (const Error& error) {
    const auto* point = std::get_if<Point>(&record);
    if (!point || !point->final) {
      throw;
    }
    return send_failure(bare(*point), point->failure.value_or(error.what()));
  }
  out_ << line << std::endl;
}

void Server::send_failure(Point point, const std::string& sentence) {
  point.failure = sentence;
  point.final = true;
  send(point);
}

}  // namespace rooftile::worker
