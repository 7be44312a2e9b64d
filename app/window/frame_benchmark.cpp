// How long our own work on a frame takes with 10,000 launches on the trail. No display is needed: frames are
// built and thrown away.
#include <benchmark/benchmark.h>
#include <imgui.h>

#include <chrono>
#include <memory>
#include <numeric>

#include "app/scene/chart/chart.hpp"
#include "app/scene/picture/chart_picture.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"
#include "app/window/charts/charts.hpp"
#include "app/window/kit/without_renderer.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr std::uint64_t launches = 10'000, map_side = 20;
constexpr float width = 1600, height = 960;
constexpr double frames_per_second = 60, points_per_second = 200;

class Frames {
 public:
  template <class Contents>
  void build(const AppState& state, const Contents& contents) {
    apply_style(state.settings);
    ImGui::NewFrame();
    contents();
    ImGui::Render();
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->SetStatus(ImTextureStatus_OK);
    }
  }

 private:
  const WithoutRenderer context_{{width, height}};
};

// A value between 0 and 1 that looks random and is the same in every run.
double scatter(std::uint64_t id, std::uint64_t salt) {
  std::uint64_t bits = (id + 1) * 0x9e3779b97f4a7c15u + salt * 0xbf58476d1ce4e5b9u;
  bits ^= bits >> 29;
  bits *= 0x94d049bb133111ebu;
  return static_cast<double>(bits >> 11) / 9007199254740992.0;
}

// Launches whose dots lie all over the chart: the worst case for whoever draws them.
Point scattered_point(const AppState& state, std::uint64_t id) {
  const Parameter& tile = kernel(state).parameters.front();
  Point point = counted_point(state, id, "sgemm_tiled",
                              {{tile.name, tile.values[id % tile.values.size()]},
                               {"PAD_A", static_cast<double>(id / 4 % 9)},
                               {"PAD_B", static_cast<double>(id / 36 % 9)}});
  point.timing->median = (1 + 40 * scatter(id, 1)) * point.timing->median;
  point.counters->l2 = (0.2 + scatter(id, 2)) * *point.counters->l2;
  point.counters->l1 = (0.2 + scatter(id, 3)) * *point.counters->l1;
  point.counters->dram_read = (1 + 5 * scatter(id, 4)) * *point.counters->dram_read;
  return point;
}

const AppState& crowded_state() {
  static const AppState state = [] {
    AppState crowded = live_state();
    scene::apply(crowded, {SelectKernel{"sgemm_tiled"}});
    SessionLog log = *crowded.known.session.log;
    for (std::uint64_t id = 1; id <= launches; ++id) {
      log.add(scattered_point(crowded, id));
    }
    show(crowded, std::move(log));
    return crowded;
  }();
  return state;
}

// The state's own copy of the log, to which launches can be added as the session does.
std::shared_ptr<SessionLog> growing_log(AppState& state) {
  auto log = std::make_shared<SessionLog>(*state.known.session.log);
  state.known.session.log = log;
  return log;
}

// The same launches on a map of 20 x 20 places, all of them measured.
const AppState& mapped_state() {
  static const AppState state = [] {
    AppState mapped = live_state();
    for (Manifest& manifest : mapped.known.catalogue) {
      for (Parameter& parameter : manifest.parameters) {
        if (parameter.name == "PAD_A" || parameter.name == "PAD_B") {
          parameter.values.resize(map_side);
          std::iota(parameter.values.begin(), parameter.values.end(), 0);
        }
      }
    }
    scene::apply(mapped, {SelectKernel{"sgemm_tiled"}, ShowPanel{Panel::map},
                          SetMap{{.across = "PAD_A", .down = "PAD_B"}}});
    SessionLog log = *mapped.known.session.log;
    for (std::uint64_t id = 1; id <= launches; ++id) {
      Point point = scattered_point(mapped, id);
      point.parameters["PAD_A"] = static_cast<double>(id % map_side);
      point.parameters["PAD_B"] = static_cast<double>(id / map_side % map_side);
      log.add(point);
    }
    show(mapped, std::move(log));
    return mapped;
  }();
  return state;
}

void WholeFrameWithMap(benchmark::State& timer) {
  const AppState& state = mapped_state();
  Frames frames;
  Actions actions;
  for (auto _ : timer) {
    frames.build(state, [&] { draw_frame(state, actions); });
  }
  timer.counters["cells"] = static_cast<double>(state.derived.shown.landscape.cells.size());
}

// After the pointer has moved to another launch, and after another launch has landed.
void RefreshWithMap(benchmark::State& timer) {
  AppState state = mapped_state();
  for (auto _ : timer) {
    refresh(state);
  }
}
void RefreshWithMapAfterALaunch(benchmark::State& timer) {
  AppState state = mapped_state();
  const auto log = growing_log(state);
  std::uint64_t id = launches;
  for (auto _ : timer) {
    timer.PauseTiming();
    log->add(scattered_point(state, ++id));
    timer.ResumeTiming();
    refresh(state);
  }
}

template <class Part>
void time_part(benchmark::State& timer, const Part& part) {
  const AppState& state = crowded_state();
  Frames frames;
  Actions actions;
  const Layout layout = arrange(width, height, 1, state.settings.chart_share);
  for (auto _ : timer) {
    frames.build(state, [&] { part(state, layout, actions); });
  }
}

void Nothing(benchmark::State& timer) {
  time_part(timer, [](const AppState&, const Layout&, Actions&) {});
}
void WholeFrame(benchmark::State& timer) {
  time_part(timer, [](const AppState& state, const Layout&, Actions& actions) { draw_frame(state, actions); });
}
void ChartPanel(benchmark::State& timer) {
  time_part(timer, [](const AppState& state, const Layout& layout, Actions& actions) {
    draw_chart_panel(state, layout, actions);
  });
}
void LowerPanel(benchmark::State& timer) {
  time_part(timer, [](const AppState& state, const Layout& layout, Actions& actions) {
    draw_lower_panel(state, layout, actions);
  });
}
void OtherPanels(benchmark::State& timer) {
  time_part(timer, [](const AppState& state, const Layout& layout, Actions& actions) {
    draw_top_bar(state, layout, actions);
    draw_kernel_panel(state, layout.left, actions);
    draw_side_panel(state, layout, actions);
    draw_status_line(state, layout.status, actions);
  });
}

void ChartLaidOut(benchmark::State& timer) {
  const AppState& state = crowded_state();
  const ChartFrame frame{{0, 0, 900, 600}, 1, &palette(Theme::dark), [](Type type, std::string_view text) {
                           return Size{face(type).size / 2 * static_cast<float>(text.size()), face(type).size};
                         }};
  for (auto _ : timer) {
    benchmark::DoNotOptimize(roofline_picture(state.derived.shown.chart, state.view.axes, {}, frame));
  }
}

// Runs `work` after each new launch; the launch itself arrives untimed.
template <class Work>
void time_after_each_launch(benchmark::State& timer, const Work& work) {
  AppState state = crowded_state();
  const auto log = growing_log(state);
  std::uint64_t id = launches;
  for (auto _ : timer) {
    timer.PauseTiming();
    log->add(scattered_point(state, ++id));
    state.choice.trail.push_back(id);
    timer.ResumeTiming();
    work(state);
  }
}

void Refresh(benchmark::State& timer) {
  time_after_each_launch(timer, [](AppState& state) { refresh(state); });
}
void RefreshOfChart(benchmark::State& timer) {
  time_after_each_launch(timer, [](AppState& state) {
    const Roofs roofs = roofs_of(state);
    state.derived.shown.chart = chart(state, state.derived.placed, roofs, ghost(state, roofs));
  });
}
void RefreshOfTable(benchmark::State& timer) {
  time_after_each_launch(timer, [](AppState& state) {
    state.derived.shown.table =
        point_table(state, state.derived.table_keys, std::move(state.derived.shown.table));
  });
}
void FollowLog(benchmark::State& timer) {
  time_after_each_launch(timer, [](AppState& state) { follow_log(state); });
}
void CurrentPoint(benchmark::State& timer) {
  time_after_each_launch(timer, [](AppState& state) { benchmark::DoNotOptimize(current_point(state)); });
}

// The longest frame of five seconds in which 200 launches arrive each second.
void Streaming(benchmark::State& timer) {
  Frames frames;
  double worst = 0;
  for (auto _ : timer) {
    AppState state = crowded_state();
    const auto log = growing_log(state);
    double due = 0;
    for (std::uint64_t id = launches; state.now < 5; state.now += 1 / frames_per_second) {
      const auto start = std::chrono::steady_clock::now();
      for (due += points_per_second / frames_per_second; due >= 1; --due) {
        log->add(scattered_point(state, ++id));
      }
      follow_log(state);
      refresh(state);
      Actions actions;
      frames.build(state, [&] { draw_frame(state, actions); });
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      worst = std::max(worst, took.count());
    }
  }
  timer.counters["worst_frame_ms"] = 1e3 * worst;
}

BENCHMARK(Nothing)->Unit(benchmark::kMicrosecond);
BENCHMARK(WholeFrame)->Unit(benchmark::kMicrosecond);
BENCHMARK(WholeFrameWithMap)->Unit(benchmark::kMicrosecond);
BENCHMARK(RefreshWithMap)->Unit(benchmark::kMicrosecond);
BENCHMARK(RefreshWithMapAfterALaunch)->Unit(benchmark::kMicrosecond);
BENCHMARK(ChartPanel)->Unit(benchmark::kMicrosecond);
BENCHMARK(LowerPanel)->Unit(benchmark::kMicrosecond);
BENCHMARK(OtherPanels)->Unit(benchmark::kMicrosecond);
BENCHMARK(ChartLaidOut)->Unit(benchmark::kMicrosecond);
BENCHMARK(Refresh)->Unit(benchmark::kMicrosecond);
BENCHMARK(RefreshOfChart)->Unit(benchmark::kMicrosecond);
BENCHMARK(RefreshOfTable)->Unit(benchmark::kMicrosecond);
BENCHMARK(FollowLog)->Unit(benchmark::kMicrosecond);
BENCHMARK(CurrentPoint)->Unit(benchmark::kMicrosecond);
BENCHMARK(Streaming)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace rooftile::window

BENCHMARK_MAIN();
