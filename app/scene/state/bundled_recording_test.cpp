// Facts that hold for every launch of the bundled recording: of its numbers, its place and its words.
#include <gmock/gmock.h>

#include <cmath>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/launch/source_view.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/picture/test_picture.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {
namespace {

using testing::Gt;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// Launches whose result is wrong have no time.
std::vector<Point> right_launches() {
  std::vector<Point> right;
  std::ranges::copy_if(bundled_recording().known.session.log->points, std::back_inserter(right),
                       [](const Point& point) { return !point.wrong(); });
  return right;
}

// check(state) on each GPU with each kernel that was recorded there.
template <class Check>
void on_every_kernel(Check check) {
  std::size_t places = 0;
  for (const DeviceRecord& device : bundled_recording().known.session.log->devices) {
    for (const Manifest& manifest : bundled_recording().known.catalogue) {
      if (bundled_recording().known.recordings.any(device.gpu.name, manifest.name)) {
        SCOPED_TRACE(device.gpu.name + ", " + manifest.name);
        AppState state = bundled_recording();
        apply(state, {SelectGpu{device.gpu.name}, SelectKernel{manifest.name}});
        check(state);
        ++places;
      }
    }
  }
  EXPECT_THAT(places, Gt(50u));
}

TEST(BundledRecording, EveryLaunchHasARoofForEachOfItsLevelsAndItsPipe) {
  for (const Point& point : right_launches()) {
    const auto placement = place(point, *bundled_recording().known.session.log->roofs_of(point.gpu));
    ASSERT_TRUE(placement) << point.id;
    EXPECT_THAT(placement->levels, Not(IsEmpty())) << point.id;
    for (const LevelUse& use : placement->levels) {
      EXPECT_TRUE(use.share) << point.id << " " << title(use.level);
    }
    EXPECT_EQ(placement->compute_share.has_value(), placement->performance.has_value()) << point.id;
  }
}

TEST(BundledRecording, EveryDialBarFigureProofAndRoofHasWordsForThePointer) {
  on_every_kernel([](AppState& state) {
    const auto& shown = state.derived.shown;
    for (const Dial& dial : shown.dials) {
      EXPECT_THAT(dial.facts, Not(IsEmpty())) << dial.label;
    }
    for (const RoofRow& roof : shown.roofs) {
      EXPECT_THAT(roof.sources, Not(IsEmpty())) << roof.name;
    }
    ASSERT_TRUE(shown.subject);
    for (const ShareBar& bar : shown.subject->shares) {
      EXPECT_THAT(bar.facts, Not(IsEmpty())) << bar.label;
    }
    for (const Check& check : shown.subject->checks) {
      EXPECT_NE(check.meaning, "") << check.sentence;
    }
    for (const SmResource& each :
         shown.subject->occupancy ? shown.subject->occupancy->resources : std::vector<SmResource>()) {
      EXPECT_THAT(each.facts, Not(IsEmpty())) << each.label;
    }
    EXPECT_EQ(shown.subject->intensity.empty(), shown.subject->intensities.empty());
  });
}

TEST(BundledRecording, EveryPlaceAgreesWithTheRecord) {
  for (const Point& point : right_launches()) {
    const auto placement = place(point, *bundled_recording().known.session.log->roofs_of(point.gpu));
    ASSERT_TRUE(placement && point.timing && point.counters) << point.id;
    const ChartRow row = chart_row(point, *placement);
    const double seconds = point.timing->median.value;
    for (const Dot& dot : row.dots) {
      const double bytes = point.counters->bytes(dot.level).value_or(Bytes{}).value;
      EXPECT_NEAR(dot.bandwidth.value, bytes / seconds, 1e-6 * bytes / seconds) << point.id;
      if (row.performance && dot.intensity) {
        EXPECT_NEAR(*row.performance, *dot.intensity * dot.bandwidth.value, 1e-6 * *row.performance)
            << point.id;
      }
    }
  }
}

// All roofs that a GPU has of one thing, but the quoted ones.
template <class Roof, class IsWanted, class Height>
bool is_above_all(const std::vector<Roof>& roofs, IsWanted is_wanted, Height height, double rate) {
  std::size_t known = 0, exceeded = 0;
  for (const Roof& roof : roofs) {
    if (is_wanted(roof) && roof.origin != Origin::datasheet) {
      ++known;
      exceeded += rate > height(roof) * (1 + roof_tolerance) ? 1 : 0;
    }
  }
  return known > 0 && exceeded == known;
}

TEST(BundledRecording, ADotIsFlaggedExactlyWhereItStandsAboveAllItsRoofs) {
  for (const Point& point : right_launches()) {
    const Roofs& roofs = *bundled_recording().known.session.log->roofs_of(point.gpu);
    const Placement where = place(point, roofs).value();
    const bool above_compute = is_above_all(
        roofs.compute, [&](const ComputeRoof& roof) { return roof.pipe == where.pipe; },
        [](const ComputeRoof& roof) { return roof.peak.value; },
        where.performance.value_or(FlopsPerSecond{}).value);
    for (const Dot& dot : chart_row(point, where).dots) {
      const bool above_memory = is_above_all(
          roofs.memory, [&](const MemoryRoof& roof) { return roof.level == dot.level; },
          [](const MemoryRoof& roof) { return roof.bandwidth.value; }, dot.bandwidth.value);
      EXPECT_EQ(dot.above_roof, above_compute || above_memory) << point.id << " " << title(dot.level);
    }
  }
}

TEST(BundledRecording, EveryKernelOpensOnALaunchWithAVerdict) {
  on_every_kernel([](const AppState& state) {
    EXPECT_EQ(mode(state), Mode::recorded);
    ASSERT_THAT(state.derived.shown.chart.rows, Not(IsEmpty()));
    ASSERT_TRUE(state.derived.shown.subject);
    EXPECT_EQ(state.derived.shown.subject->point.id, state.derived.shown.chart.rows.back().id);
    EXPECT_EQ(state.derived.shown.subject->point.kernel, state.choice.kernel);
    EXPECT_EQ(state.derived.shown.subject->point.gpu, state.choice.gpu);
    EXPECT_THAT(state.derived.shown.subject->verdict.title, Not(IsEmpty()));
    EXPECT_EQ(complete(kernel(state), state.derived.shown.subject->point.parameters), dialled(state));
  });
}

TEST(BundledRecording, TheTableSaysWhatTheRecordSays) {
  on_every_kernel([](AppState state) {
    apply(state, {StartSweep{}});
    const Roofs roofs = roofs_of(state);
    std::set<std::string> names;
    for (const std::uint64_t id : state.derived.shown.table.ids) {
      const Point& point = *state.known.session.log->point(id);
      const TableRow row = table_row(state, id, roofs);
      EXPECT_EQ(row.time.text, text(point.timing->median)) << id;
      EXPECT_EQ(row.dram.text, text(*point.counters->bytes(MemoryLevel::dram))) << id;
      if (point.counters->achieved_occupancy) {
        EXPECT_EQ(row.occupancy.text, percent(*point.counters->achieved_occupancy)) << id;
      }
      if (point.kernel == state.choice.kernel) {
        EXPECT_TRUE(names.insert(row.dials).second) << row.dials << " stands there twice";
      }
    }
  });
}

TEST(BundledRecording, ASweepVisitsEachRecordedSettingOnce) {
  on_every_kernel([](AppState state) {
    const std::size_t launches = sweep_configurations(state).size();
    apply(state, {StartSweep{}});
    const std::set<std::uint64_t> visited(state.choice.trail.begin(), state.choice.trail.end());
    EXPECT_EQ(visited.size(), state.choice.trail.size());
    EXPECT_GE(visited.size(), launches);
  });
}

// Only dials may differ.
bool is_same_problem(const Manifest& manifest, const Point& a, const Point& b) {
  return problem_of(manifest, complete(manifest, a.parameters)) ==
         problem_of(manifest, complete(manifest, b.parameters));
}

TEST(BundledRecording, TheListShowsTheFastestLaunchOfTheDialledProblem) {
  on_every_kernel([](const AppState& state) {
    const Point& shown = state.derived.shown.subject->point;
    Seconds fastest = shown.timing->median;
    for (const Point& point : state.known.session.log->points) {
      if (point.kernel == shown.kernel && point.gpu == shown.gpu && point.caches == shown.caches &&
          is_same_problem(kernel(state), point, shown)) {
        fastest = std::min(fastest, point.timing->median);
      }
    }
    for (const KernelGroup& group : state.derived.shown.kernels) {
      for (const KernelRow& row : group.rows) {
        EXPECT_TRUE(row.share >= 0 && row.share <= 1) << row.name;
        if (row.name == shown.kernel) {
          EXPECT_EQ(row.time, fastest);
        }
      }
    }
  });
}

TEST(BundledRecording, FittedAxesHoldEveryRowAndRoofOfTheKernel) {
  on_every_kernel([](AppState state) {
    apply(state, {StartSweep{}, Fit{}});
    const Axes& axes = state.view.axes;
    for (const ChartRow& row : state.derived.shown.chart.rows) {
      EXPECT_TRUE(!row.performance || (*row.performance > axes.y_min && *row.performance < axes.y_max))
          << row.id;
    }
    for (const Speck& speck : state.derived.shown.chart.crowd) {
      EXPECT_GT(speck.log_performance, std::log(axes.y_min)) << speck.id;
      EXPECT_LT(speck.log_performance, std::log(axes.y_max)) << speck.id;
    }
    EXPECT_LE(state.derived.shown.chart.peak, axes.y_max);
  });
}

TEST(BundledRecording, NoWordsStandOnOthersOrOutsideOfTheChart) {
  on_every_kernel([](AppState state) {
    apply(state, {Pin{state.derived.shown.chart.rows.front().id}});
    for (const ChartFrame& frame : {frame_of(560, 380), frame_of(900, 600)}) {
      for (const MemoryLevel level : {MemoryLevel::dram, MemoryLevel::shared}) {
        apply(state, {SelectLevel{level}});
        expect_no_overlap_and_nothing_cut(picture_of(state, frame), frame);
      }
    }
  });
}

TEST(BundledRecording, AfterASweepEachDotInSightIsFoundUnderThePointer) {
  on_every_kernel([](AppState state) {
    apply(state, {StartSweep{}});
    const ChartPicture picture = picture_of(state, frame_of(900, 600));
    EXPECT_THAT(picture.dots, Not(IsEmpty()));
    for (const PlacedDot& dot : picture.dots) {
      const PlacedDot* found = dot_at(picture, dot.at, 0);
      ASSERT_TRUE(found);
      EXPECT_THAT(dot_facts(state, found->launch, found->level), SizeIs(testing::Ge(4u)));
    }
  });
}

TEST(BundledRecording, EachPinnedLaunchKeepsItsNameInAnEmptyChart) {
  AppState state = bundled_recording();
  apply(state, {SelectKernel{"sgemm_tiled"}, Pin{state.derived.shown.chart.rows.back().id}});
  const std::uint64_t pinned = *state.choice.pinned.begin();
  on_every_kernel([&](AppState other) {
    if (other.choice.gpu == state.choice.gpu && other.choice.kernel != "sgemm_tiled") {
      other.choice.pinned.insert(pinned);
      other.choice.trail.push_back(pinned);
      refresh(other);
      const auto row = std::ranges::find(other.derived.shown.chart.rows, pinned, &ChartRow::id);
      const bool can_stand = other.derived.shown.chart.kind != ChartKind::shares;
      ASSERT_EQ(row != other.derived.shown.chart.rows.end(), can_stand);
      EXPECT_TRUE(!can_stand || row->label.starts_with("sgemm_tiled  "));
    }
  });
}

TEST(BundledRecording, LinesOfSourceAddUpToTheLaunch) {
  EXPECT_THAT(bundled_recording().known.session.log->profiles, SizeIs(19));
  for (const SourceProfile& profile : bundled_recording().known.session.log->profiles) {
    AppState state = bundled_recording();
    apply(state,
          {SelectGpu{profile.gpu}, SelectKernel{profile.kernel}, GoTo{{profile.parameters, profile.caches}}});
    const SourceView& view = source_view(state);
    ASSERT_TRUE(view.counted) << profile.kernel << " " << text(profile.parameters);
    double hottest = 0, executed = 0;
    for (const SourceLine& line : view.lines) {
      hottest = std::max(hottest, line.heat);
      executed += line.executed.empty() ? 0 : 1;
    }
    EXPECT_EQ(hottest, 1) << profile.kernel;
    EXPECT_GT(executed, 2) << profile.kernel;
  }
}

}  // namespace
}  // namespace rooftile::scene
