#include "app/scene/chart/placed_rows.hpp"

#include <gmock/gmock.h>

#include "app/scene/chart/chart.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

class PlacedRowsTest : public testing::Test {
 protected:
  const AppState state = live_state();
  const std::shared_ptr<SessionLog> log = std::make_shared<SessionLog>(*state.known.session.log);
  PlacedRows rows;

  PlacedRows::Basis basis(ChartKind kind = ChartKind::roofline) const {
    return {log, roofs_of(state), kind, ByteDefinition::requested};
  }
  Point launch(std::uint64_t id, const char* kernel = "sgemm_tiled") const {
    return counted_point(state, id, kernel, {});
  }
};

TEST_F(PlacedRowsTest, AKernelStandsOnTheChartsOfItsKind) {
  struct Case {
    const char* kernel;
    ChartKind kind;
    bool stands;
  };
  for (const auto& [kernel, kind, stands] : {Case{"sgemm_tiled", ChartKind::roofline, true},
                                             {"sgemm_tiled", ChartKind::shares, false},
                                             {"sgemm_tiled", ChartKind::instructions, true},
                                             {"transpose_tiled", ChartKind::roofline, false},
                                             {"transpose_tiled", ChartKind::shares, true},
                                             {"transpose_tiled", ChartKind::instructions, true}}) {
    rows.rest_on(basis(kind));
    EXPECT_EQ(rows.find(launch(1, kernel)) != nullptr, stands) << kernel << " " << static_cast<int>(kind);
  }
}

TEST_F(PlacedRowsTest, ALaunchWithoutCountedInstructionsIsMissingAmongTheInstructions) {
  Point point = launch(1);
  point.counters->warp_instructions.reset();
  rows.rest_on(basis(ChartKind::instructions));
  EXPECT_EQ(rows.find(point), nullptr);
}

TEST_F(PlacedRowsTest, AFailedLaunchStandsNowhere) {
  Point point = launch(1);
  point.failure = "The launch ran out of time.";
  for (const ChartKind kind : {ChartKind::roofline, ChartKind::shares, ChartKind::instructions}) {
    rows.rest_on(basis(kind));
    EXPECT_EQ(rows.find(point), nullptr);
  }
}

TEST_F(PlacedRowsTest, ARowIsKeptUntilItsLaunchChanges) {
  Point first = launch(1);
  first.final = false;
  log->points.add(first);
  log->points.add(launch(2));
  rows.rest_on(basis());
  const double before = *rows.find(*log->point(1))->performance;
  const ChartRow* second = rows.find(*log->point(2));
  first.timing->median = 2 * first.timing->median;
  EXPECT_EQ(rows.find(first)->performance, before) << "the log does not say so";
  log->points.add(first);
  rows.rest_on(basis());
  EXPECT_DOUBLE_EQ(*rows.find(*log->point(1))->performance, before / 2);
  EXPECT_EQ(rows.find(*log->point(2)), second);
}

TEST_F(PlacedRowsTest, OnAnotherBasisAllAreWorkedOutAnew) {
  const Point point = launch(1);
  rows.rest_on(basis());
  const double share = *rows.find(point)->dot(MemoryLevel::dram)->share;
  PlacedRows::Basis faster = basis();
  for (MemoryRoof& roof : faster.roofs.memory) {
    roof.bandwidth = 2 * roof.bandwidth;
  }
  rows.rest_on(faster);
  EXPECT_DOUBLE_EQ(*rows.find(point)->dot(MemoryLevel::dram)->share, share / 2);
  PlacedRows::Basis returned = basis();
  returned.bytes = ByteDefinition::returned;
  rows.rest_on(returned);
  EXPECT_EQ(rows.find(point)->dot(MemoryLevel::l2), nullptr) << "not counted that way";
  rows.rest_on(basis(ChartKind::instructions));
  EXPECT_DOUBLE_EQ(*rows.find(point)->performance, 1e8 / point.timing->median.value);
}

}  // namespace
}  // namespace rooftile::scene
