#include "kernels/worker/measure/bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/model/fit.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/source/manifest/launch_version.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/cuda/fault.hpp"
#include "kernels/worker/measure/globals.hpp"
#include "kernels/worker/measure/phase_clock.hpp"
#include "kernels/worker/measure/timer.hpp"

namespace rooftile::worker {
namespace {

void expect_fit(const Manifest& manifest, const Point& point, const Gpu& gpu) {
  if (const auto reason = why_unfit(manifest, point.parameters, point.launch, point.compiled, gpu)) {
    throw Error(*reason);
  }
}

// The words that the command line takes: "mine MODE=1", without parameters at their defaults.
std::string given_text(const Manifest& manifest, const Parameters& parameters) {
  const Parameters given = given_of(manifest, parameters);
  return given.empty() ? manifest.name : manifest.name + " " + text(given);
}

// Names the folder of a kernel that is not bundled; else empty.
std::string folder_option(const Manifest& manifest) {
  return platform::is_bundled(manifest)
             ? ""
             : fmt::format("--kernels {} ", manifest.file.parent_path().parent_path().string());
}

// A buffer of integers without "below" holds any bits, which are no indices.
std::string hint_at_indices(const Manifest& manifest) {
  const auto unbounded = std::ranges::find_if(manifest.buffers, [](const Buffer& buffer) {
    const bool whole = buffer.element == "int" || buffer.element == "long_long";
    return whole && buffer.role != BufferRole::output && !buffer.below && buffer.file.empty();
  });
  return unbounded == manifest.buffers.end()
             ? ""
             : fmt::format(
                   "The numbers in {} are of any bits: if they are indices, give that buffer \"below\". ",
                   unbounded->name);
}

std::string fault_sentence(const Manifest& manifest, const Parameters& parameters, const DriverError& error) {
  const std::string launch = given_text(manifest, parameters);
  const auto* of_reference = dynamic_cast<const ReferenceFault*>(&error);
  const std::string faulty =
      of_reference == nullptr
          ? launch
          : fmt::format("The reference {}, which {} is verified against,", of_reference->reference(), launch);
  const std::string_view what = what_a_launch_did(error.code());
  if (what.empty()) {
    return fmt::format("{} ended with a driver call that failed: {}.", faulty, error.what());
  }
  return fmt::format(
      "{} {}. The driver says {}. {}To find the line: rooftile-cli {}measure {} --worker "
      "\"compute-sanitizer --log-file faults.txt rooftile-worker --verify-only --exact-buffers\", then read "
      "faults.txt.",
      faulty, what, error.what(), error.code() == CUDA_ERROR_ILLEGAL_ADDRESS ? hint_at_indices(manifest) : "",
      folder_option(manifest), launch);
}

// cuBLASLt takes B by rows of K.
bool is_lt(const Manifest& manifest) {
  return manifest.library == "cublasLt";
}

// The buffers and sizes of a library's kernel have these names. Rows are EXTRA elements longer, and FP32 may be
// computed in another way than by FFMA, if there are such parameters.
Gemm gemm_of(const Manifest& manifest, const Problem& problem, const Parameters& parameters) {
  const auto whole = [&](const char* name) { return static_cast<int>(parameters.at(name)); };
  const int extra = parameters.contains("EXTRA") ? whole("EXTRA") : 0;
  const bool pedantic = !parameters.contains("PEDANTIC") || whole("PEDANTIC") != 0;
  const auto scalar = [&](const char* name) { return static_cast<float>(parameters.at(name)); };
  const std::string& element = std::ranges::find(manifest.buffers, "A", &Buffer::name)->element;
  return {manifest.pipe,        element,
          problem.pointer("A"), problem.pointer("B"),
          problem.pointer("C"), whole("M"),
          whole("N"),           whole("K"),
          whole("K") + extra,   whole(is_lt(manifest) ? "K" : "N") + extra,
          whole("N") + extra,   scalar("alpha"),
          scalar("beta"),       pedantic};
}

}  // namespace

struct Bench::Run {
  const Manifest* manifest;
  Point point;
  std::string cubin;
  const Kernel* kernel = nullptr;
  Arguments arguments;
  Gemm gemm;  // of a library's kernel, instead of the three above
  Seconds expected{};
  bool returned_bytes = false;  // wanted beside those requested
  Instructions instructions{};
  std::string problem{};  // its identity
  Globals globals{};      // of the source
  std::string symbol{};   // of the kernel in the cubin
};

Point start_point(const Manifest& manifest, const Parameters& given, std::uint64_t id, Caches caches,
                  std::optional<int> sm_count) {
  Point point;
  point.id = id;
  point.kernel = manifest.name;
  point.caches = caches;
  point.parameters = complete(manifest, given);
  if (const auto reason = why_illegal(manifest, point.parameters)) {
    throw Error(*reason);
  }
  if (sm_count) {
    const Model model = rooftile::model(manifest, point.parameters, *sm_count);
    point.launch = model.launch;
    point.modelled = figures_of(model);
  }
  return point;
}

void Bench::measure(const std::vector<MeasureJob>& jobs, const Emit& emit) {
  std::vector<Run> timed;
  for (const MeasureJob& job : jobs) {
    Run run{job.manifest, {}, {}, nullptr, {}, {}, {}};
    run.returned_bytes = job.request.returned_bytes;
    run.point.id = job.request.id;
    run.point.kernel = job.request.kernel;
    run.point.parameters = job.request.parameters;
    const bool begun = attempt(run, emit, [&] {
      run.point = start_point(*job.manifest, job.request.parameters, job.request.id, job.request.caches,
                              device_->gpu().sm_count);
      run.point.gpu = device_->gpu().name;
      run.point.device = device_->machine().size() > 1 ? std::optional(device_->index()) : std::nullopt;
      run.problem = Problem::identity(*job.manifest, run.point.parameters);
      compile(run);
    });
    if (begun && (!counts_with(timed, run) || timed.size() == most_counted_together)) {
      count(timed, emit);
    }
    if (begun && attempt(run, emit, [&] {
          emit(run.point);
          load(run);
          verify(run);
          if (!verify_only_) {
            time(run, emit);
          }
          emit(run.point);
        })) {
      timed.push_back(std::move(run));
    }
  }
  count(timed, emit);
  counting_->arm();
}

// False when the steps failed, after saying so.
bool Bench::attempt(Run& run, const Emit& emit, const std::function<void()>& steps) {
  try {
    steps();
    return true;
  } catch (const DriverError& error) {
    blame(run, error, emit);
  } catch (const Error& error) {
    fail(run, error.what(), emit);
    return false;
  }
}

void Bench::fail(Run& run, const std::string& sentence, const Emit& emit) {
  run.point.failure = sentence;
  run.point.final = true;
  emit(run.point);
}

void Bench::blame(Run& run, const DriverError& error, const Emit& emit) {
  fail(run, fault_sentence(*run.manifest, run.point.parameters, error), emit);
  throw DeviceLost(error.what());
}

void Bench::profile(const Manifest& manifest, const ProfileRequest& request, const Emit& emit) {
  SourceProfile profile = start_profile(request);
  try {
    gather(profile, manifest, request.launch_limit, emit);
  } catch (const DriverError& error) {
    profile.failure = fault_sentence(manifest, profile.parameters, error);
    emit(profile);
    throw DeviceLost(error.what());
  } catch (const Error& error) {
    profile.failure = error.what();
  }
  emit(profile);
  counting_->arm();
}

void Bench::gather(SourceProfile& profile, const Manifest& manifest, std::optional<Seconds> limit,
                   const Emit& emit) {
  expect_source(manifest);
  Run run{
      &manifest, start_point(manifest, profile.parameters, profile.id, profile.caches, device_->gpu().sm_count),
      {},        nullptr,
      {},        {},
      {}};
  run.problem = Problem::identity(manifest, run.point.parameters);
  profile.parameters = run.point.parameters;
  profile.gpu = device_->gpu().name;
  profile.file = manifest.source.filename().string();
  profile.source = manifest.is_cubin() ? "" : read_source(manifest.source);
  compile(run);
  load(run);
  verify(run);
  profile.phases = run.point.phases;
  profiler_.profile(profile, {manifest, run.cubin, run.symbol, run.point.launch, run.arguments, run.expected,
                              limit, [&] { prepare(run, "line by line", emit); }});
}

// Nothing of a library's kernel is compiled.
void Bench::compile(Run& run) {
  expect_fit(*run.manifest, run.point, device_->gpu());
  if (!run.manifest->library.empty()) {
    return;
  }
  const PhaseClock clock(run.point.phases, "compile");
  Binary binary = compiler_->compile(*run.manifest, run.point.parameters, device_->gpu().cc);
  if (!platform::is_bundled(*run.manifest)) {
    run.point.version = launch_version(*run.manifest, read_source(run.manifest->source));
  }
  run.point.compiled = binary.compiled;
  run.instructions = std::move(binary.instructions);
  run.cubin = std::move(binary.cubin);
  run.symbol = std::move(binary.symbol);
  expect_fit(*run.manifest, run.point, device_->gpu());
}

void Bench::load(Run& run) {
  const PhaseClock clock(run.point.phases, "load");
  counting_->settle();
  if (!run.manifest->library.empty()) {
    load_library(*run.manifest);
    return;
  }
  const std::pair key(run.cubin, run.symbol);
  const auto found = kernels_.find(key);
  run.kernel = found != kernels_.end()
                   ? &found->second
                   : &kernels_.emplace(key, Kernel(*device_, run.cubin, run.symbol)).first->second;
}

void Bench::load_library(const Manifest& manifest) {
  if (is_lt(manifest) && !cublas_lt_) {
    cublas_lt_ = std::make_unique<CublasLt>(*device_);
  } else if (!is_lt(manifest) && !cublas_) {
    cublas_ = std::make_unique<Cublas>();
  }
}

void Bench::launch(Run& run) {
  if (run.kernel != nullptr) {
    run.kernel->launch(run.point.launch, run.arguments);
  } else if (is_lt(*run.manifest)) {
    cublas_lt_->multiply(run.gemm);
  } else {
    cublas_->multiply(run.gemm);
  }
}

// If no pipe is stated for the kernel, the counters tell it.
void Bench::keep(const Counters& counters, const Manifest& manifest, Point& point) {
  point.counters = counters;
  if (!manifest.states_work) {
    const auto blocks = static_cast<double>(point.launch.grid.count());
    const auto threads = static_cast<double>(point.launch.block.count());
    const Compiled compiled = point.compiled.value_or(Compiled{});  // unknown for a library's kernel
    point.modelled.pipe = counters.busiest_pipe(blocks * threads, compiled.half_arithmetic);
  }
}

void Bench::verify(Run& run) {
  const PhaseClock clock(run.point.phases, "verify");
  if (!shares_problem(run)) {
    problem_.reset();  // its memory first
    problem_ =
        std::make_unique<Problem>(*device_, *compiler_, helpers_, *run.manifest, run.point.parameters, room_);
  }
  problem_->expect(*run.manifest, run.point.parameters);
  run.arguments = problem_->arguments(*run.manifest, run.point.parameters);
  if (!run.manifest->library.empty()) {
    run.gemm = gemm_of(*run.manifest, *problem_, run.point.parameters);
  }
  if (run.kernel != nullptr) {
    run.globals = Globals(*device_, *run.kernel, run.cubin, helpers_, *run.manifest, run.point.parameters);
    std::string unfilled = unfilled_sentence(run.cubin, *run.manifest,
                                             run.manifest->is_cubin() ? "" : read_source(run.manifest->source));
    if (!unfilled.empty()) {
      run.point.notes.push_back(std::move(unfilled));
    }
  }
  problem_->reset_outputs();
  run.globals.fill();
  Event begin(*device_), end(*device_);
  begin.record();
  launch(run);
  end.record();
  run.expected = end.since(begin);
  if (!run.manifest->verify) {
    run.point.notes.emplace_back("Not verified: the manifest names no reference.");
    return;
  }
  run.point.verification = problem_->verify(*run.manifest, run.point.parameters);
  if (!run.point.verification->passed) {
    throw Error("The result is wrong: " + run.point.verification->sentence + ".");
  }
}

// The launches of this kernel needed these counters so far. Other needs open the counters anew, which takes
// 0.24 s (H200).
CounterNeeds Bench::needs(const Run& run) {
  const Manifest& manifest = *run.manifest;
  const bool clusters =
      std::ranges::any_of(manifest.cluster, [](const Expression& extent) { return extent.full_text() != "1"; });
  const auto& tensor_pipes = run.instructions.tensor_pipes;
  CounterNeeds& all =
      needs_.try_emplace(manifest.name, CounterNeeds{.tensor_pipes = tensor_pipes}).first->second;
  all.pipe = manifest.pipe;
  all.clusters = all.clusters || (clusters && run.instructions.other_blocks);
  all.returned_bytes = run.returned_bytes;
  all.any_pipe = !manifest.states_work;
  if (!tensor_pipes) {
    all.tensor_pipes.reset();
  } else if (all.tensor_pipes) {
    all.tensor_pipes->insert(tensor_pipes->begin(), tensor_pipes->end());
  }
  return all;
}

bool Bench::shares_problem(const Run& run) const {
  return problem_ && problem_->identity() == run.problem;
}

// Whether the run can be counted in one replay with the others.
bool Bench::counts_with(const std::vector<Run>& others, const Run& run) {
  return shares_problem(run) && (others.empty() || same_counters(needs(others.front()), needs(run)));
}

void Bench::time(Run& run, const Emit& emit) {
  const PhaseClock clock(run.point.phases, "time");
  run.point.timing = time_launches(
      *device_, run.expected, [&] { prepare(run, "timing", emit); }, [&] { launch(run); },
      [&] {
        if (nvml_ != nullptr) {
          run.point.clock = nvml_->clock();
        }
      },
      &gate_);
}

void Bench::count(std::vector<Run>& runs, const Emit& emit) {
  if (runs.empty()) {
    return;
  }
  const Stopwatch watch;
  std::vector<CountedRun> counted;
  for (Run& run : runs) {
    counted.push_back({[&] { prepare(run, "counting", emit); }, [&] { launch(run); }});
  }
  const auto place = [&](const Counters& known) {
    keep(known, *runs.front().manifest, runs.front().point);
    emit(runs.front().point);
  };
  const std::vector<Counters> counters = counters_of(runs, counted, place, emit);
  const Seconds each{watch.elapsed().value / static_cast<double>(runs.size())};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Point& point = runs[i].point;
    if (counters.empty()) {
      point.notes.push_back(counting_->counters().sentence + " " + counting_->counters().fix);
    } else {
      keep(counters[i], *runs[i].manifest, point);
    }
    point.phases.push_back({"count", each});
    point.final = true;
    emit(point);
  }
  runs.clear();
}

std::vector<Counters> Bench::counters_of(std::vector<Run>& runs, const std::vector<CountedRun>& counted,
                                         const std::function<void(const Counters&)>& place, const Emit& emit) {
  try {
    return counting_->count(needs(runs.front()), counted, place);
  } catch (const DriverError& error) {
    if (runs.size() > 1) {
      throw;
    }
    blame(runs.front(), error, emit);
  }
}

// Cold: empties the caches. Warm: leaves them as a launch leaves them; its inputs are then filled again.
void Bench::prepare(Run& run, const char* phase, const Emit& emit) {
  wait_for_a_long_launch(run, phase, emit);
  restore(run);
  if (run.point.caches == Caches::cold) {
    helpers_.empty_caches();
  } else {
    launch(run);
    wait_for_a_long_launch(run, phase, emit);
    restore(run);
  }
}

void Bench::restore(const Run& run) {
  problem_->restore_inputs();
  run.globals.fill();
}

// Sends a progress after each long launch, since each launch has a deadline of its own.
void Bench::wait_for_a_long_launch(const Run& run, const char* phase, const Emit& emit) {
  constexpr Seconds is_long{0.2};
  if (run.expected < is_long) {
    return;
  }
  device_->synchronize();
  emit(Progress{fmt::format("{}, {}: {} per launch", given_text(*run.manifest, run.point.parameters), phase,
                            text(run.expected)),
                0, 1});
}

}  // namespace rooftile::worker
