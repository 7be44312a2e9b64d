#include "app/scene/state/test_session.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "analysis/manifest/combinations.hpp"
#include "analysis/model/test_model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/source/manifest/new_manifest.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"

namespace rooftile::scene {
namespace {

Roofs synthetic_roofs() {
  Roofs roofs{synthetic_gpu, {}, {}};
  roofs.memory.push_back({MemoryLevel::dram, BytesPerSecond{4.3e12}, Origin::measured, "made up"});
  roofs.memory.push_back({MemoryLevel::l2, BytesPerSecond{10e12}, Origin::measured, "made up"});
  roofs.memory.push_back({MemoryLevel::shared, BytesPerSecond{33e12}, Origin::measured, "made up"});
  roofs.compute.push_back({fp32_pipe, FlopsPerSecond{66e12}, Origin::measured, "made up"});
  roofs.compute.push_back({bf16_tensor_pipe, FlopsPerSecond{900e12}, Origin::measured, "made up"});
  roofs.compute.push_back({warp_issue, FlopsPerSecond{1.05e12}, Origin::spec, "made up"});
  roofs.memory.push_back({MemoryLevel::dram, BytesPerSecond{4.8e12}, Origin::datasheet, "made up"});
  return roofs;
}

SessionLog synthetic_log(const AppState& state) {
  SessionLog log;
  log.header.made_by = "a test";
  Gpu gpu = *find_gpu(state.known.gpus, "H200");
  gpu.name = synthetic_gpu;
  log.devices.push_back({gpu, "0"});
  log.roofs.push_back(synthetic_roofs());
  return log;
}

// Two kernels have code, at the sizes that tests use.
constexpr std::array kernels_with_code = {"sgemm_tiled", "transpose_tiled"};

const std::map<CodePlace, CodeAnswer>& code_made_up(const AppState& state) {
  static const std::map<CodePlace, CodeAnswer> all = [&] {
    std::map<CodePlace, CodeAnswer> made;
    for (const char* name : kernels_with_code) {
      const Manifest& kernel = find_kernel(state.known.catalogue, name);
      for (const Parameters& place : every_combination(kernel)) {
        for (const double size : {place.at("N"), 1024.0, 2048.0}) {
          Parameters sized = place;
          for (const char* side : {"N", "M", "K"}) {
            if (sized.contains(side)) {
              sized[side] = size;
            }
          }
          for (const char* gpu : {synthetic_gpu, "RTX 4090"}) {
            made[{name, "", gpu, sized}].launch.emplace().model = test::made_up_model(kernel, sized, 132);
          }
        }
      }
    }
    return made;
  }();
  return all;
}

// Their code counts as read from now on.
void know_made_up_code(AppState& state) {
  state.known.code.insert(code_made_up(state).begin(), code_made_up(state).end());
}

Counters counters(const ModelFigures& modelled) {
  Counters counted;
  counted.ffma = modelled.flops ? modelled.flops->value / 2 : 0;
  counted.fadd = counted.fmul = 0;
  counted.dram_read = 0.7 * modelled.compulsory_dram;
  counted.dram_write = 0.3 * modelled.compulsory_dram;
  counted.l2 = modelled.bytes[MemoryLevel::l2];
  counted.l1 = modelled.bytes[MemoryLevel::l1];
  counted.shared_wavefronts = modelled.bytes[MemoryLevel::shared].value_or(Bytes{}).value / 128;
  counted.achieved_occupancy = 0.9;
  counted.warp_instructions = 1e8;
  counted.sm_clock = Hertz{1.98e9};
  counted.passes = 3;
  return counted;
}

void start_with(AppState& state, SessionLog log) {
  know_made_up_code(state);
  state.known.session.log = std::make_shared<const SessionLog>(std::move(log));
  follow_log(state);
  open(state);
  refresh(state);
}

}  // namespace

AppState state_without_session() {
  AppState state;
  state.known.catalogue = platform::load_catalogue_with({}).kernels;
  state.known.gpus = platform::load_gpu_table().gpus;
  return state;
}

void know_code(AppState& state, const std::string& kernel, const Parameters& place,
               const std::function<void(Model&)>& change) {
  CodeAnswer answer;
  Model& model = answer.launch.emplace().model;
  model = test::made_up_model(find_kernel(state.known.catalogue, kernel), place, 132);
  change(model);
  use_code(state, {kernel, code_version(state, kernel), state.choice.gpu, place}, std::move(answer));
  refresh(state);
}

Point counted_point(const AppState& state, std::uint64_t id, const std::string& kernel,
                    const Parameters& given) {
  const Manifest& manifest = find_kernel(state.known.catalogue, kernel);
  Point point;
  point.id = id;
  point.kernel = kernel;
  point.parameters = complete(manifest, given);
  point.gpu = synthetic_gpu;
  const bool has_code = std::ranges::find(kernels_with_code, kernel) != kernels_with_code.end();
  const Model predicted =
      has_code ? test::made_up_model(manifest, point.parameters, 132) : model(manifest, point.parameters, 132);
  point.launch = predicted.launch;
  point.modelled = figures_of(predicted);
  if (const auto version = state.known.versions.find(kernel); version != state.known.versions.end()) {
    point.version = version->second;
  }
  point.compiled = Compiled{.cc = {9, 0}, .registers = 32, .static_shared_bytes = 8192};
  point.verification = Verification{.passed = true, .largest_error = 0, .tolerance = 1, .sentence = {}};
  // A fifth slower than the slowest roof allows; nothing is allowed where no work is stated.
  const auto allowed = place(point, synthetic_roofs());
  const Seconds time = allowed ? 1.2 * allowed->time : Seconds{1e-3};
  point.timing = Timing{time, 0.99 * time, 1.01 * time, 7};
  point.counters = counters(point.modelled);
  point.phases = {{"compile", Seconds{9e-3}}, {"count", Seconds{30e-3}}};
  point.final = true;
  return point;
}

SourceProfile line_profile(const Point& point) {
  SourceProfile profile;
  profile.id = point.id + 1000;
  profile.kernel = point.kernel;
  profile.parameters = point.parameters;
  profile.caches = point.caches;
  profile.gpu = point.gpu;
  profile.file = point.kernel + ".cu";
  profile.source = "// made up\ntile[y][x] = in[i];\n__syncthreads();\nout[j] = tile[x][y];\n";
  profile.lines = {{2, 1000, 32000, 4000, 4000, 500, 500, {{"long_scoreboard", 20}, {"selected", 5}}},
                   {4, 1500, 48000, 4000, 4000, 16000, 500, {{"short_scoreboard", 60}, {"mio_throttle", 15}}}};
  profile.sampling_period = 1024;
  return profile;
}

AppState recorded_state() {
  AppState state = state_without_session();
  SessionLog log = synthetic_log(state);
  std::uint64_t id = 0;
  const auto add = [&](const char* kernel, const Parameters& given) {
    log.points.add(counted_point(state, ++id, kernel, given));
  };
  for (const double tile : {4, 8, 32}) {
    add("sgemm_tiled", {{"TILE", tile}, {"N", 1024}});
    add("sgemm_tiled", {{"TILE", tile}, {"N", 2048}});
  }
  add("sgemm_tiled", {{"TILE", 32}, {"PAD_A", 1}, {"N", 2048}});
  add("transpose_tiled", {{"TILE", 32}, {"PAD", 0}});
  log.profiles.add(line_profile(log.points.back()));
  add("transpose_tiled", {{"TILE", 32}, {"PAD", 1}});
  start_with(state, std::move(log));
  return state;
}

const AppState& bundled_recording() {
  static const AppState opened = [] {
    AppState state = state_without_session();
    start_with(state, platform::load_session(ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl"));
    return state;
  }();
  return opened;
}

AppState live_state() {
  AppState state = state_without_session();
  state.known.session.device = synthetic_gpu;
  start_with(state, synthetic_log(state));
  return state;
}

AppState own_kernel_state(const std::string& code) {
  AppState state = live_state();
  const std::string text = new_manifest({"sum", {"float const*", "float*", "int"}}, "../sum.cu", code);
  std::vector<Manifest> kernels = state.known.catalogue;
  kernels.push_back(read_manifest("sum/kernel.toml", [&](const std::filesystem::path& file) {
    return file == "sum/kernel.toml" ? std::optional(text) : std::optional(code);
  }));
  use_kernels(state, std::move(kernels), {{{"sum", text}}, {{"sum", code}}});
  state.choice.kernel = "sum";
  refresh(state);
  return state;
}

void show(AppState& state, SessionLog log) {
  state.known.session.log = std::make_shared<const SessionLog>(std::move(log));
  follow_log(state);
  refresh(state);
}

void land(AppState& state, const Record& record) {
  SessionLog log = *state.known.session.log;
  log.add(record);
  show(state, std::move(log));
}

std::vector<Configuration> swept(const Requests& requests) {
  const Sweep* sweep = requested<Sweep>(requests);
  return sweep ? sweep->configurations : std::vector<Configuration>{};
}

std::vector<std::string> compute_roofs(const AppState& state) {
  std::vector<std::string> names;
  for (const RoofLine& roof : state.derived.shown.chart.roofs) {
    if (!roof.level) {
      names.push_back(roof.name);
    }
  }
  return names;
}

}  // namespace rooftile::scene
