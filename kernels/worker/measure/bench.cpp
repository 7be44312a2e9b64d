#include "kernels/worker/measure/bench.hpp"

#include <fmt/format.h>

#include <chrono>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "kernels/worker/measure/timer.hpp"

namespace rooftile::worker {
namespace {

// Adds the time of its scope to a point's phases.
class PhaseClock {
 public:
  PhaseClock(Point& point, std::string name) : point_(&point), name_(std::move(name)) {}
  ~PhaseClock() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    point_->phases.push_back({name_, Seconds{passed.count()}});
  }
  PhaseClock(const PhaseClock&) = delete;
  PhaseClock& operator=(const PhaseClock&) = delete;

 private:
  Point* point_;
  std::string name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void expect_room(const Point& point, const Gpu& gpu) {
  const int asked = point.compiled->static_shared_bytes + point.launch.dynamic_shared_bytes;
  const int allowed = gpu.sm.shared_bytes_per_block_optin;
  if (asked > allowed) {
    throw Error(fmt::format("A block asks for {} B of shared memory; the {} allows it {} B.", count(asked),
                            gpu.name, count(allowed)));
  }
}

}  // namespace

struct Bench::Run {
  const Manifest& manifest;
  Point point;
  std::string cubin;
  const Kernel* kernel = nullptr;
  Arguments arguments;
  Seconds expected{};
  void launch() { kernel->launch(point.launch, arguments); }
};

Point start_point(const Manifest& manifest, const Parameters& given, std::uint64_t id, Caches caches) {
  Point point;
  point.id = id;
  point.kernel = manifest.name;
  point.caches = caches;
  point.parameters = complete(manifest, given);
  if (const auto reason = why_illegal(manifest, point.parameters)) {
    throw Error(*reason);
  }
  const Model model = rooftile::model(manifest, point.parameters);
  point.launch = model.launch;
  point.modelled = modelled(model);
  return point;
}

void Bench::measure(const Manifest& manifest, const MeasureRequest& request, const Emit& emit) {
  Run run{manifest, {}, {}, nullptr, {}, {}};
  run.point.id = request.id;
  run.point.kernel = request.kernel;
  run.point.parameters = request.parameters;
  const auto fail = [&](const Error& error) {
    run.point.failure = error.what();
    run.point.final = true;
    emit(run.point);
  };
  try {
    run.point = start_point(manifest, request.parameters, request.id, request.caches);
    run.point.gpu = device_->gpu().name;
    compile(run);
    emit(run.point);
    load(run);
    verify(run);
    time(run);
    emit(run.point);
    count(run);
    run.point.final = true;
    emit(run.point);
  } catch (const DriverError& error) {
    fail(error);
    throw;
  } catch (const Error& error) {
    fail(error);
  }
  counting_->arm();
}

void Bench::compile(Run& run) {
  const PhaseClock clock(run.point, "compile");
  Binary binary = compiler_->compile(run.manifest, run.point.parameters, device_->gpu().cc);
  run.point.compiled = binary.compiled;
  run.cubin = std::move(binary.cubin);
}

void Bench::load(Run& run) {
  const PhaseClock clock(run.point, "load");
  expect_room(run.point, device_->gpu());
  const auto found = kernels_.find(run.cubin);
  run.kernel =
      found != kernels_.end()
          ? &found->second
          : &kernels_.emplace(run.cubin, Kernel(*device_, run.cubin, run.manifest.entry)).first->second;
}

void Bench::verify(Run& run) {
  const PhaseClock clock(run.point, "verify");
  if (!problem_ || problem_->identity() != Problem::identity(run.manifest, run.point.parameters)) {
    problem_.reset();  // its memory first
    problem_ = std::make_unique<Problem>(*device_, *compiler_, support_, run.manifest, run.point.parameters);
  }
  run.arguments = problem_->arguments(run.manifest, run.point.parameters);
  problem_->reset_outputs();
  Event begin(*device_), end(*device_);
  begin.record();
  run.launch();
  end.record();
  run.expected = end.since(begin);
  if (!run.manifest.verify) {
    run.point.notes.emplace_back("Not verified: the manifest names no reference.");
    return;
  }
  run.point.verification = problem_->verify(run.manifest.verify->tolerance.evaluate(run.point.parameters));
  if (!run.point.verification->passed) {
    throw Error("The result is wrong: " + run.point.verification->sentence + ".");
  }
}

void Bench::time(Run& run) {
  const PhaseClock clock(run.point, "time");
  run.point.timing = time_launches(
      *device_, run.expected, [&] { prepare(run); }, [&] { run.launch(); });
}

void Bench::count(Run& run) {
  const PhaseClock clock(run.point, "count");
  run.point.counters = counting_->count([&] { prepare(run); }, [&] { run.launch(); });
  if (!run.point.counters) {
    run.point.notes.push_back(counting_->counters().sentence + " " + counting_->counters().fix);
  }
}

// Cold: caches emptied. Warm: left as the launch before leaves them.
void Bench::prepare(Run& run) {
  if (run.point.caches == Caches::cold) {
    support_.empty_caches();
  } else {
    run.launch();
  }
}

}  // namespace rooftile::worker
