#include "kernels/worker/server.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "analysis/error.hpp"
#include "analysis/platform/platform.hpp"
#include "kernels/worker/measure/ceilings.hpp"
#include "kernels/worker/measure/known_answer.hpp"

namespace rooftile::worker {
namespace {

// A driver loads what a toolkit of its own major version makes, or an older one.
Facility compiler_facility(const Nvrtc& nvrtc, const std::optional<Driver>& driver) {
  using State = Facility::State;
  if (driver && std::stoi(driver->version()) < std::stoi(nvrtc.version)) {
    return {"compiler", State::failed,
            fmt::format("NVRTC {} makes more than this driver loads, which serves CUDA {}.", nvrtc.version,
                        driver->version()),
            "Update the driver, or install the CUDA toolkit that it serves and set CUDA_HOME to it.",
            nvrtc.file};
  }
  return {"compiler", State::ready, fmt::format("NVRTC {} compiles the kernels.", nvrtc.version), "",
          nvrtc.file};
}

}  // namespace

Server::Server(const ServerOptions& options, std::ostream& out)
    : options_(options), out_(out), catalogue_(load_catalogue(options.kernel_folders)) {
  if (!options.compile_only) {
    find_device();
  }
  find_compiler();
  if (device_ && compiler_ && facilities_.back().state == Facility::State::ready) {
    find_counters();
    find_clock();
    bench_ = std::make_unique<Bench>(*device_, *compiler_, *counting_, options_.sources,
                                     nvml_ ? &*nvml_ : nullptr, options_.verify_only);
  }
}

Server::~Server() = default;

void Server::find_device() {
  using State = Facility::State;
  std::string tried;
  try {
    driver_ = load_driver(&tried);
  } catch (const Error& error) {
    facilities_.push_back({"driver", State::failed, "The NVIDIA driver of this machine is too old.",
                           "Update the driver to version 525 or later.", error.what()});
    return;
  }
  if (!driver_) {
    facilities_.push_back({"driver", State::missing, "There is no NVIDIA driver on this machine.",
                           "Install one to measure; without it rooftile replays sessions and predicts.",
                           tried});
    return;
  }
  try {
    device_ = std::make_unique<Device>(*driver_, options_.device);
    facilities_.push_back({"driver", State::ready,
                           fmt::format("The driver serves CUDA {}.", driver_->version()), "", driver_->file});
    facilities_.push_back(
        {"device", State::ready,
         fmt::format("{}, compute capability {}.", device_->gpu().name, text(device_->gpu().cc)), "", ""});
  } catch (const Error& error) {
    facilities_.push_back({"device", State::failed, "The driver is there, but no GPU can be used.",
                           "See whether nvidia-smi lists a GPU, and whether this user may open /dev/nvidia*.",
                           error.what()});
  }
}

void Server::find_clock() {
  using State = Facility::State;
  try {
    nvml_.emplace(*device_);
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
    if (auto nvrtc = load_nvrtc(&tried)) {
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

void Server::find_counters() {
  using State = Facility::State;
  if (options_.verify_only) {
    counting_ = std::make_unique<Counting>(
        Facility{"profiler", State::missing, "This worker was started to verify only.", "", ""});
    return;
  }
  const std::string fix = "Install the CUDA toolkit 12.6 or later, or run ./rooftile.sh, which fetches it.";
  std::string tried;
  std::optional<Cupti> cupti;
  Facility profiler{"profiler", State::missing, "CUPTI was not found.", fix, ""};
  try {
    cupti = load_cupti(&tried);
    profiler.detail = tried;
  } catch (const Error& error) {
    profiler = {"profiler", State::failed, "CUPTI was found but cannot be used.", fix, error.what()};
  }
  counting_ =
      cupti ? std::make_unique<Counting>(*device_, std::move(*cupti)) : std::make_unique<Counting>(profiler);
}

void Server::greet() {
  Roofs roofs;
  if (bench_ && !options_.verify_only) {
    const Roofs spec = count_known_answer(*device_, *compiler_, options_.sources, *counting_);
    roofs = kept_ceilings(*device_, *compiler_, options_.sources, options_.cache, options_.measure_roofs_again);
    roofs.memory.insert(roofs.memory.end(), spec.memory.begin(), spec.memory.end());
    roofs.compute.insert(roofs.compute.end(), spec.compute.begin(), spec.compute.end());
  }
  Header header;
  header.made_by = "rooftile " ROOFTILE_VERSION;
  header.host = platform::host_name();
  header.date = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  header.facilities = facilities_;
  if (counting_) {
    header.facilities.push_back(counting_->profiler());
    header.facilities.push_back(counting_->counters());
  }
  send(header);
  if (device_) {
    send(DeviceRecord{device_->gpu(), driver_->version()});
  }
  if (bench_) {
    send(RoofsRecord{roofs});
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
  if (const auto* asked = std::get_if<ProfileRequest>(&request)) {
    profile(*asked);
  } else {
    compile(std::get<CompileRequest>(request));
  }
}

void Server::measure_waiting() {
  std::vector<Wish> wishes;
  for (const MeasureRequest& request : std::exchange(waiting_, {})) {
    if (auto found = wish(request)) {
      wishes.push_back(std::move(*found));
    }
  }
  if (!wishes.empty()) {
    bench_->measure(wishes, [this](const Record& record) { send(record); });
  }
}

// Empty for a request that cannot be met, after saying so.
std::optional<Wish> Server::wish(const MeasureRequest& request) {
  Point point;
  point.id = request.id;
  point.kernel = request.kernel;
  point.parameters = request.parameters;
  try {
    if (bench_) {
      return Wish{&find_kernel(catalogue_, request.kernel), request};
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
  } catch (const DriverError&) {
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
  Point point;
  point.id = request.id;
  point.kernel = request.kernel;
  point.parameters = request.parameters;
  try {
    const Manifest& manifest = find_kernel(catalogue_, request.kernel);
    point = start_point(manifest, request.parameters, request.id, Caches::cold);
    if (!manifest.library.empty()) {
      point.notes.emplace_back(
          "The library brings its own kernels: nothing is compiled, and occupancy is not known.");
      point.final = true;
      return send(point);
    }
    if (!compiler_) {
      throw Error("Nothing can be compiled here: NVRTC was not found.");
    }
    point.compiled = compiler_->compile(manifest, point.parameters, request.cc).compiled;
    point.final = true;
    send(point);
  } catch (const Error& error) {
    send_failure(std::move(point), error.what());
  }
}

void Server::rest() {
  if (counting_) {
    counting_->release();
  }
}

void Server::send(const Record& record) {
  out_ << to_line(record) << std::endl;
}

void Server::send_failure(Point point, const std::string& sentence) {
  point.failure = sentence;
  point.final = true;
  send(point);
}

}  // namespace rooftile::worker
