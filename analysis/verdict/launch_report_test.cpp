#include "analysis/verdict/launch_report.hpp"

#include <gmock/gmock.h>

#include <set>

#include "analysis/roofline/example_point.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Gpu h200() {
  Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.sm_count = 132;
  gpu.sm = *sm_limits({9, 0});
  return gpu;
}

LaunchReport report_of(const Point& point, const Roofs& roofs = example::h200_roofs()) {
  const Gpu gpu = h200();
  return launch_report(point, &gpu, &roofs);
}

// "1.84 ms timed"
std::string said(const Cell& cell) {
  return cell.value ? cell.text + " " + std::string(key(cell.evidence)) : cell.text;
}

TEST(LaunchCells, EachHasAnIdAndALabelOfItsOwn) {
  std::set<std::string> ids, labels;
  for (const Cell& cell : report_of(example::counted_gemm()).cells()) {
    EXPECT_TRUE(ids.insert(cell.id).second) << cell.id;
    EXPECT_TRUE(labels.insert(cell.label).second) << cell.label;
  }
  EXPECT_EQ(ids.size(), cell_keys().size());
}

TEST(LaunchCells, SayHowEachFigureIsKnown) {
  const LaunchReport counted = report_of(example::counted_gemm());
  const LaunchReport timed = report_of(example::timed_gemm()), predicted = report_of(example::predicted_gemm());
  const struct {
    CellKey key;
    const char *counted, *timed, *predicted;
  } rows[] = {
      {{Figure::time}, "1.84 ms timed", "1.84 ms timed", "1.63 ms predicted"},
      {{Figure::spread}, "0.5 % timed", "0.5 % timed", "–"},
      {{Figure::flops}, "17.2 GFLOP counted", "17.2 GFLOP predicted", "17.2 GFLOP predicted"},
      {{Figure::performance}, "9.32 TFLOP/s counted", "9.32 TFLOP/s timed", "10.5 TFLOP/s predicted"},
      {{Figure::compute_share}, "13.9 % counted", "13.9 % timed", "15.7 % predicted"},
      {{Figure::bytes, MemoryLevel::dram}, "43.1 MB counted", "50.3 MB predicted", "50.3 MB predicted"},
      {{Figure::bandwidth, MemoryLevel::dram}, "23.4 GB/s counted", "27.3 GB/s timed", "30.8 GB/s predicted"},
      {{Figure::intensity, MemoryLevel::dram},
       "399 FLOP/B counted",
       "341 FLOP/B predicted",
       "341 FLOP/B predicted"},
      {{Figure::intensity, MemoryLevel::l2}, "9.04 FLOP/B counted", "–", "–"},
      {{Figure::intensity, MemoryLevel::l1},
       "7.92 FLOP/B counted",
       "7.95 FLOP/B predicted",
       "7.95 FLOP/B predicted"},
      {{Figure::intensity, MemoryLevel::shared},
       "0.319 FLOP/B counted",
       "0.320 FLOP/B predicted",
       "0.320 FLOP/B predicted"},
      {{Figure::theoretical_occupancy}, "100 % quoted", "100 % quoted", "–"},
      {{Figure::achieved_occupancy}, "97.5 % counted", "–", "–"},
      {{Figure::bank_conflicts}, "1,800,000 counted", "–", "–"},
      {{Figure::bank_conflict_share}, "0.4 % counted", "–", "–"},
      {{Figure::registers}, "32 quoted", "32 quoted", "–"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(said(cell_of(row.key, counted.facts())), row.counted) << id_of(row.key);
    EXPECT_EQ(said(cell_of(row.key, timed.facts())), row.timed) << id_of(row.key);
    EXPECT_EQ(said(cell_of(row.key, predicted.facts())), row.predicted) << id_of(row.key);
  }
}

// A library's kernel is not compiled here, and counters may be refused.
TEST(LaunchCells, NeitherOccupancyStandsInForTheOther) {
  Point library = example::counted_gemm();
  library.compiled.reset();
  EXPECT_EQ(said(report_of(library).cell(Figure::theoretical_occupancy)), "–");
  EXPECT_EQ(said(report_of(library).cell(Figure::achieved_occupancy)), "97.5 % counted");
  Point uncounted = example::counted_gemm();
  uncounted.counters->achieved_occupancy.reset();
  EXPECT_EQ(said(report_of(uncounted).cell(Figure::theoretical_occupancy)), "100 % quoted");
  EXPECT_EQ(said(report_of(uncounted).cell(Figure::achieved_occupancy)), "–");
}

TEST(LaunchCells, TheRateOfALaunchWithoutFlopsIsThatOfDram) {
  Point copy = example::counted_gemm();
  EXPECT_EQ(report_of(copy).rate().id, "flops_per_s");
  copy.counters->ffma = 0;
  EXPECT_EQ(report_of(copy).rate().id, "dram_bandwidth_bytes_per_s");
  EXPECT_EQ(report_of(copy).rate().text, "23.4 GB/s");
}

TEST(LaunchFlags, AreOfSharesAbove102PercentAndSayWhatWasDividedByWhat) {
  Roofs roofs = example::h200_roofs();
  roofs.compute.push_back({warp_issue, {1e12}, Origin::spec, ""});
  const auto flags = [&](void (*change)(Point&)) {
    Point point = example::counted_gemm();
    change(point);
    return report_of(point, roofs).flags();
  };
  EXPECT_THAT(flags([](Point&) {}), IsEmpty());
  EXPECT_THAT(flags([](Point& p) { p.counters->achieved_occupancy = 1.02; }), IsEmpty());
  EXPECT_THAT(flags([](Point& p) { p.counters->achieved_occupancy = 1.1; }),
              ElementsAre("Achieved occupancy 110 %: resident warps divided by the most that an SM holds, "
                          "as counted."));
  EXPECT_THAT(flags([](Point& p) { p.counters->dram_read = Bytes{10e9}; }),
              ElementsAre("Share of the DRAM roof 127 %: 10.0 GB in 1.84 ms = 5.43 TB/s; roof: 4.27 "
                          "TB/s (measured)."));
  EXPECT_THAT(flags([](Point& p) { *p.counters->ffma *= 10; }),
              ElementsAre("Share of the compute roof 139 %: 172 GFLOP in 1.84 ms = 93.2 TFLOP/s; "
                          "roof: 66.9 TFLOP/s (spec)."));
  EXPECT_THAT(flags([](Point& p) { p.counters->warp_instructions = 3.06e9; }),
              ElementsAre("Share of the warp issue roof 166 %: 3,060,000,000 warp instructions in 1.84 "
                          "ms = 1.66 Tinst/s; roof: 1.00 Tinst/s."));
  EXPECT_THAT(flags([](Point& p) { p.counters->shared_conflicts = 842e6; }),
              ElementsAre(HasSubstr(
                  "842,000,000 wavefronts beyond the ideal, divided by 421,000,000 of shared memory")));
}

TEST(LaunchFlags, AMarkedCellIsTold) {
  Point point = example::counted_gemm();
  EXPECT_EQ(report_of(point).cell(Figure::achieved_occupancy).marked(), "97.5 %");
  point.counters->achieved_occupancy = 1.1;
  EXPECT_EQ(report_of(point).cell(Figure::achieved_occupancy).marked(), "110 % !");
}

TEST(LaunchReport, TheVerdictIsAboutWhatWentWrongFirst) {
  Point point = example::counted_gemm();
  EXPECT_THAT(report_of(point).verdict.title, HasSubstr("Bound by"));
  EXPECT_EQ(report_of(point, {}).verdict.title, "No roof to compare with");
  EXPECT_EQ(launch_report(point, nullptr, nullptr).verdict.title, "No roof to compare with");
  Point timed = point;
  timed.counters.reset();
  timed.program.emplace();
  timed.notes = {"Launched by a CUDA graph."};
  EXPECT_EQ(report_of(timed).verdict.title, "Timed, not counted");
  EXPECT_EQ(report_of(timed).verdict.grounds, "Launched by a CUDA graph.");
  Point instant = point;
  instant.timing->median = Seconds{0};
  EXPECT_EQ(report_of(instant).verdict.title, "The time cannot be right");
  point.verification = Verification{false, 3, 1, "C[0][5] is 7, expected 8."};
  EXPECT_EQ(report_of(point).verdict.title, "The result is wrong");
  EXPECT_EQ(report_of(point).verdict.grounds, "C[0][5] is 7, expected 8.");
  point.failure = "The result is wrong: C[0][5] is 7, expected 8.";
  EXPECT_EQ(report_of(point).verdict.title, "The result is wrong") << "as the worker tells of it";
  point.verification.reset();
  point.failure = "The launch ran out of time.";
  EXPECT_EQ(report_of(point).verdict.title, "This launch cannot run here");
  point.final = true;
  EXPECT_EQ(report_of(point).verdict.title, "This launch failed");
  EXPECT_EQ(report_of(point).verdict.grounds, "The launch ran out of time.");
  Point unstated = example::predicted_gemm();
  unstated.modelled.states_work = false;
  EXPECT_EQ(report_of(unstated).verdict.title, "Nothing is predicted");
}

TEST(LaunchReport, APredictionIsProvedByNothing) {
  EXPECT_THAT(report_of(example::predicted_gemm()).checks, IsEmpty());
  EXPECT_EQ(report_of(example::timed_gemm()).checks.size(), 7u);
}

}  // namespace
}  // namespace rooftile
