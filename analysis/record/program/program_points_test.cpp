#include "analysis/record/program/program_points.hpp"

#include <gmock/gmock.h>

#include "analysis/roofline/example_point.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Point launched(const std::string& kernel, int launches, double median, double total) {
  Point point;
  point.id = 1;
  point.kernel = kernel;
  point.gpu = "NVIDIA H200";
  point.launch = {{8, 1, 1}, {256, 1, 1}, 0};
  point.timing = Timing{{median}, {median / 2}, {2 * median}, launches};
  point.program = ProgramLaunches{1.0 * launches, 0, 0, {total}, 1};
  point.phases = {{"count", {0.05}}};
  return point;
}

Point counted(Point point, double bytes, double counted) {
  point.counters = Counters{};
  point.counters->l2 = Bytes{bytes};
  point.counters->passes = 9;
  point.program->counted = counted;
  return point;
}

SessionLog process(std::vector<Point> points) {
  SessionLog log;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].id = i + 1;
    log.add(points[i]);
  }
  return log;
}

TEST(ProgramPoints, WhatTookMostTimeStandsFirst) {
  const auto all =
      merged_program_points({process({launched("short", 10, 1e-6, 1e-5), launched("long", 2, 1e-3, 2e-3),
                                      launched("middle", 100, 5e-6, 5e-4)})});
  std::vector<std::string> names;
  for (const Point& point : all) {
    names.push_back(std::to_string(point.id) + " " + point.kernel + (point.final ? "" : " not final"));
  }
  EXPECT_THAT(names, ElementsAre("1 long", "2 middle", "3 short"));
}

TEST(ProgramPoints, AnotherShapeIsAnotherPoint) {
  const Point one = launched("k", 1, 1e-6, 1e-6);
  Point grid = one, block = one, shared = one, gpu = one;
  grid.launch.grid.x = 9;
  block.launch.block.y = 2;
  shared.launch.dynamic_shared_bytes = 1024;
  gpu.gpu = "NVIDIA H100";
  EXPECT_EQ(merged_program_points({process({one, grid, block, shared, gpu})}).size(), 5u);
}

TEST(ProgramPoints, ProcessesAreJoined) {
  const auto all = merged_program_points({process({counted(launched("k", 10, 3.4e-6, 3.4e-5), 100, 1)}),
                                          process({launched("k", 30, 4e-6, 1.2e-4)}),
                                          process({counted(launched("k", 5, 4.2e-6, 2.1e-5), 200, 2)})});
  ASSERT_EQ(all.size(), 1u);
  const Point& point = all.front();
  EXPECT_EQ(point.timing, (Timing{{4e-6}, {1.7e-6}, {8.4e-6}, 45, {}, {}}))
      << "the launch in the middle of 45 is of the process with 30";
  EXPECT_EQ(point.program->launches, 45);
  EXPECT_EQ(point.program->counted, 3);
  EXPECT_EQ(point.program->processes, 3);
  EXPECT_DOUBLE_EQ(point.program->total.value, 1.75e-4);
  EXPECT_EQ(point.counters->l2, Bytes{200}) << "of the process that counted most";
  EXPECT_DOUBLE_EQ(point.phases.front().duration.value, 0.15);
  EXPECT_THAT(point.notes, ElementsAre(HasSubstr("3 processes")));
}

// With one kernel and shape, one process fills a large array once and counts it, and the other process fills
// small ones all the time. The instructions of the large array in the time of the small ones would be more than
// an SM can issue.
TEST(ProgramPoints, LaunchesOfAnotherProcessThatDidOtherWorkAreSetAside) {
  const auto all = merged_program_points({process({counted(launched("fill", 1, 10e-6, 10e-6), 100, 1)}),
                                          process({launched("fill", 1000, 3e-6, 3e-3)})});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].timing, (Timing{{10e-6}, {5e-6}, {20e-6}, 1, 1000, {}}));
  EXPECT_DOUBLE_EQ(all[0].program->total.value, 3.01e-3) << "what they took stays theirs";
  EXPECT_EQ(all[0].program->launches, 1001);
  const auto uncounted = merged_program_points(
      {process({launched("fill", 1, 10e-6, 10e-6)}), process({launched("fill", 1000, 3e-6, 3e-3)})});
  ASSERT_EQ(uncounted.size(), 1u);
  EXPECT_EQ(uncounted[0].timing, (Timing{{3e-6}, {1.5e-6}, {20e-6}, 1001, {}, {}}));
}

TEST(ProgramPoints, WhatOneProcessDoesNotKnowAnotherTells) {
  Point known = launched("k", 1, 1e-6, 1e-6);
  known.compiled = Compiled{{9, 0}, 32, 0, 0, 0, 0};
  known.launch.cluster.x = 2;
  const auto all =
      merged_program_points({process({counted(launched("k", 1, 1e-6, 1e-6), 100, 1)}), process({known})});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].compiled, known.compiled);
  EXPECT_EQ(all[0].launch.cluster.x, 2);
  EXPECT_EQ(all[0].counters->l2, Bytes{100});
}

TEST(ProgramPoints, LaunchesOfRooftilesOwnAreNone) {
  EXPECT_THAT(merged_program_points({process({example::counted_gemm()})}), IsEmpty());
  EXPECT_THAT(merged_program_points({}), IsEmpty());
}

TEST(ProgramPoints, ANameIsShortenedToWhatTellsItApart) {
  const struct {
    const char* name;
    const char* text;
  } rows[] = {
      {"gemm(float const*, float const*, float*, int)", "gemm"},
      {"void copy<float4, 8>(float4*, unsigned long)", "copy<float4, 8>"},
      {"void mine::copy<mine::Pair<int, int>, 8>(int)", "copy<mine::Pair<int, int>, 8>"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)",
       "vectorized_elementwise_kernel<4, at::native::..."},
      {"void at::native::(anonymous namespace)::reduce<int>(int*)", "reduce<int>"},
      {"fmha_cutlassF_f32_aligned(PyTorchMemEffAttention<int>::Params)", "fmha_cutlassF_f32_aligned"},
      {"sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32_warpgroupsize2x1x1",
       "sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesi..."},
      {"<>", "<>"},
      {"", ""},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(short_kernel_name(row.name), row.text);
  }
}

TEST(ProgramPoints, ACFunctionIsNotTakenForAKernelOfTheCatalogue) {
  EXPECT_EQ(program_kernel_name("copy"), "copy()");
  EXPECT_EQ(program_kernel_name("copy(float*)"), "copy(float*)");
  EXPECT_EQ(program_kernel_name(""), "");
  EXPECT_EQ(short_kernel_name("copy()"), "copy");
}

TEST(ProgramPoints, TotalsAreThoseOfAllPoints) {
  const auto totals = totals_of({counted(launched("a", 10, 1e-6, 1e-5), 1, 1), launched("b", 20, 1e-6, 2e-5)});
  EXPECT_EQ(totals.launches, 30);
  EXPECT_EQ(totals.counted, 1);
  EXPECT_EQ(totals.kernels, 2);
  EXPECT_EQ(totals.counted_kernels, 1);
  EXPECT_EQ(totals.passes, 9);
  EXPECT_DOUBLE_EQ(totals.time.value, 3e-5);
  EXPECT_DOUBLE_EQ(totals.counting.value, 0.1);
}

TEST(ProgramTotals, TimeThatIsNotCountedHasAReason) {
  const auto point = [](const std::string& kernel, ProgramLaunches program) {
    Point made;
    made.kernel = kernel;
    made.program = program;
    return made;
  };
  Point counted_kernel = point("a()", {10, 0, 1, {5}, 1});
  counted_kernel.counters = Counters{};
  const Point uncounted_kernel = point("d()", {10, 2, 0, {0.5}, 1});
  const ProgramTotals totals = totals_of({counted_kernel, point("b()", {10, 10, 0, {3}, 1}),
                                          point("ncclDevKernel()", {10, 0, 0, {2}, 1}),
                                          point("c()", {10, 0, 4, {1}, 1, 4}), uncounted_kernel});
  const std::map<std::string, Seconds> expected = {{"launched by CUDA graphs alone", {3}},
                                                   {"that wait for other GPUs", {2}},
                                                   {"launched too seldom for all passes", {1.5}}};
  EXPECT_EQ(totals.uncounted, expected);
  EXPECT_THAT(totals_of({counted_kernel, uncounted_kernel}).uncounted,
              testing::ElementsAre(testing::Pair("that were left out or failed to be counted", Seconds{0.5})));
}

}  // namespace
}  // namespace rooftile
