// Launches of another GPU beside those of the chosen one.
#include "app/scene/chart/chart_beside.hpp"

#include <gmock/gmock.h>

#include "analysis/text/format.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"
#include "app/scene/table/table_order.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* other_name = "synthetic H200 (after)";

// The recorded launches of tile 32 again on another GPU: half as fast, under roofs half as high.
class ChartBesideTest : public testing::Test {
 protected:
  ChartBesideTest() {
    SessionLog log = *state.known.session.log;
    DeviceRecord device = log.devices.front();
    device.gpu.name = other_name;
    log.add(device);
    Roofs roofs = roofs_of(state);
    roofs.gpu = other_name;
    for (MemoryRoof& roof : roofs.memory) {
      roof.bandwidth = 0.5 * roof.bandwidth;
    }
    log.add(RoofsRecord{roofs});
    for (const Point& point : state.known.session.log->points) {
      if (point.parameters.at("TILE") == 32) {
        Point other = point;
        other.id += 100;
        other.gpu = other_name;
        other.timing->median = 2 * point.timing->median;
        log.add(other);
      }
    }
    show(state, std::move(log));
    apply(state, {SelectKernel{"sgemm_tiled"}, SetParameter{"N", 2048}, SetParameter{"TILE", 32}});
  }

  AppState state = recorded_state();
};

TEST_F(ChartBesideTest, NothingStandsThereUntilItIsAskedFor) {
  EXPECT_THAT(state.derived.shown.chart.beside, IsEmpty());
  EXPECT_THAT(state.derived.shown.chart.legend, IsEmpty());
  apply(state, {CompareWith{other_name}});
  EXPECT_THAT(state.derived.shown.chart.legend, SizeIs(2));
  apply(state, {CompareWith{""}});
  EXPECT_THAT(state.derived.shown.chart.legend, IsEmpty());
}

TEST_F(ChartBesideTest, EachRowHasTheLaunchOfItsOwnPlaceByItsOwnFigures) {
  apply(state, {CompareWith{other_name}});
  const Chart& chart = state.derived.shown.chart;
  ASSERT_THAT(chart.beside, testing::Not(IsEmpty()));
  for (const BesideRow& beside : chart.beside) {
    const ChartRow& own = chart.rows.at(beside.of);
    EXPECT_EQ(beside.row.id, own.id + 100);
    EXPECT_DOUBLE_EQ(*beside.row.performance, *own.performance / 2);
    EXPECT_DOUBLE_EQ(*beside.row.dot(MemoryLevel::dram)->share, *own.dot(MemoryLevel::dram)->share)
        << "half the rate of half the roof";
  }
  EXPECT_EQ(chart.beside.back().of, chart.rows.size() - 1) << "of the present launch";
}

TEST_F(ChartBesideTest, TheLegendNamesBothAndComparesThePresentLaunch) {
  apply(state, {CompareWith{other_name}});
  EXPECT_THAT(state.derived.shown.chart.legend,
              ElementsAre(HasSubstr("its roofs are drawn"),
                          testing::AllOf(HasSubstr(other_name), HasSubstr("2.00x the time here"))));
  apply(state, {SetParameter{"TILE", 8}});
  EXPECT_THAT(state.derived.shown.chart.legend.back(), HasSubstr("no launch with these dials"));
}

TEST_F(ChartBesideTest, TheTableHasTheRatioOfTheTimesAndSortsByIt) {
  apply(state, {CompareWith{other_name}, SetTable{{.sorted_by = TableColumn::beside}}});
  const auto& ids = state.derived.shown.table.ids;
  ASSERT_THAT(ids, testing::Not(IsEmpty()));
  EXPECT_EQ(table_row(state, ids.front(), roofs_of(state)).beside.text, "2.00x");
  EXPECT_FALSE(ratio_beside(state, *find_point(state, ids.back()))) << "not launched there";
  apply(state, {CompareWith{""}});
  EXPECT_EQ(table_row(state, ids.front(), roofs_of(state)).beside.text, Cell{}.text);
}

// Two runs of a program: of one kernel in two shapes, the second one faster by half in the second run.
TEST_F(ChartBesideTest, KernelsOfAProgramAreComparedByTheirShapes) {
  SessionLog log = *state.known.session.log;
  for (int i = 0; i < 4; ++i) {
    Point point = log.points.front();
    point.id = 1000 + static_cast<std::uint64_t>(i);
    point.kernel = "copy()";
    point.parameters = {};
    point.launch.grid.x = 10 + i % 2;
    point.gpu = i < 2 ? synthetic_gpu : other_name;
    point.timing->median = {i == 3 ? 0.5 : 1.0};
    point.program = ProgramLaunches{20, 0, 1, {1}, 1};
    log.add(point);
  }
  show(state, std::move(log));
  apply(state, {CompareWith{other_name}});
  EXPECT_EQ(ratio_beside(state, *find_point(state, 1000)), 1.0);
  EXPECT_EQ(ratio_beside(state, *find_point(state, 1001)), 0.5);
}

TEST_F(ChartBesideTest, APredictedGpuIsComparedWithTheLaunchThatIsDrawn) {
  apply(state, {CompareWith{other_name}, SelectGpu{"RTX 4090"}});
  const Chart& chart = state.derived.shown.chart;
  ASSERT_THAT(chart.beside, testing::Not(IsEmpty()));
  const Point& other = *find_point(state, chart.beside.back().row.id);
  EXPECT_THAT(chart.legend.back(),
              testing::AllOf(HasSubstr(text(other.timing->median)), HasSubstr("x the time predicted here")));
}

TEST_F(ChartBesideTest, TheChosenGpuChangesPlacesWithTheOneBesideIt) {
  apply(state, {CompareWith{other_name}, SelectGpu{other_name}});
  EXPECT_EQ(state.view.beside, synthetic_gpu);
  EXPECT_THAT(state.derived.shown.chart.legend.back(), HasSubstr("0.50x the time here"));
  apply(state, {CompareWith{other_name}});
  EXPECT_THAT(state.derived.shown.chart.legend, IsEmpty()) << "with itself nothing is compared";
}

TEST_F(ChartBesideTest, APressOnTheOtherLaunchTurnsTheDialsAndKeepsTheGpu) {
  apply(state, {SetParameter{"PAD_A", 1}, CompareWith{other_name}});
  const auto other =
      state.known.recordings.find(other_name, "sgemm_tiled", Caches::cold,
                                  complete(kernel(state), {{"TILE", 32}, {"N", 2048}, {"PAD_A", 0}}));
  ASSERT_TRUE(other);
  apply(state, {SelectPoint{*other}});
  EXPECT_EQ(dialled(state).at("PAD_A"), 0);
  EXPECT_EQ(state.choice.gpu, synthetic_gpu);
  EXPECT_EQ(current_point(state)->id, *other - 100);
}

TEST_F(ChartBesideTest, ItsDotsSayWhoseTheyAre) {
  apply(state, {CompareWith{other_name}});
  const auto facts = dot_facts(state, state.derived.shown.chart.beside.back().row.id, MemoryLevel::dram);
  EXPECT_THAT(facts, testing::Contains(HasSubstr(other_name)));
}

TEST_F(ChartBesideTest, TheSameGpuInAnotherSessionIsComparedFirst) {
  EXPECT_EQ(other_gpu(state), other_name);
  state.choice.gpu = other_name;
  EXPECT_EQ(other_gpu(state), synthetic_gpu);
}

}  // namespace
}  // namespace rooftile::scene
