#include "analysis/verdict/program_check.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

struct Kernel {
  const char* name;
  std::vector<double> times;  // [us] of a launch, in each run
  std::optional<double> dram = {};
};

// Ten launches of each kernel in each run.
SessionLog session(const std::vector<Kernel>& kernels) {
  SessionLog log;
  for (const Kernel& kernel : kernels) {
    for (const double time : kernel.times) {
      Point point;
      point.id = log.points.size() + 1;
      point.kernel = kernel.name;
      const Seconds each{1e-6 * time};
      point.timing = Timing{each, each, each, 10, {}, {}};
      point.program = ProgramLaunches{10, 0, 1, 10.0 * each, 1};
      if (kernel.dram) {
        point.counters = Counters{};
        point.counters->dram_read = point.counters->dram_write = Bytes{*kernel.dram / 2};
      }
      log.add(point);
    }
  }
  return log;
}

std::vector<double> around(double time, double spread = 0.01) {
  std::vector<double> times;
  for (const double step : {0.0, 1.0, -1.0, 0.5, -0.5, 0.2}) {
    times.push_back(time * (1 + step * spread));
  }
  return times;
}

// Each kernel with what it is told: "gemm slower", "copy", "new relu".
std::vector<std::string> told(const SessionLog& before, const SessionLog& now, const CheckLimits& limits = {}) {
  std::vector<std::string> lines;
  for (const KernelCheck& kernel : check_program(before, now).kernels) {
    const auto grown = kernel.grown(limits);
    lines.push_back(
        (!kernel.before ? "new " : "") + kernel.point.kernel + (!kernel.now ? " gone" : "") +
        (grown ? " more " + std::string(checked_figure_ids[static_cast<std::size_t>(*grown)]) : "") +
        (kernel.is_faster(limits) ? " faster" : ""));
  }
  return lines;
}

TEST(ProgramCheck, TellsWhatGrewBeyondTheTolerance) {
  const SessionLog before =
      session({{"gemm", around(100), 1e6}, {"copy", around(50), 2e6}, {"tiny", around(0.1)}});
  const struct {
    const char* what;
    std::vector<Kernel> now;
    std::vector<std::string> told;
    bool passes;
  } rows[] = {
      {"the same",
       {{"gemm", around(100), 1e6}, {"copy", around(50), 2e6}, {"tiny", around(0.1)}},
       {"gemm", "copy", "tiny"},
       true},
      {"slower",
       {{"gemm", around(120), 1e6}, {"copy", around(50), 2e6}},
       {"gemm more time", "copy", "tiny gone"},
       false},
      {"as much slower as its spread",
       {{"gemm", around(104, 0.1), 1e6}, {"copy", around(50), 2e6}},
       {"gemm", "copy", "tiny gone"},
       true},
      {"more bytes",
       {{"gemm", around(100), 1.2e6}, {"copy", around(50), 2e6}},
       {"gemm more dram_bytes", "copy", "tiny gone"},
       false},
      {"faster",
       {{"gemm", around(80), 1e6}, {"copy", around(50), 2e6}},
       {"gemm faster", "copy", "tiny gone"},
       true},
      {"too short to be judged",
       {{"gemm", around(100), 1e6}, {"copy", around(50), 2e6}, {"tiny", around(0.2)}},
       {"gemm", "copy", "tiny"},
       true},
      {"a new kernel",
       {{"gemm", around(100), 1e6}, {"copy", around(50), 2e6}, {"relu", around(10)}},
       {"gemm", "copy", "new relu", "tiny gone"},
       false},
  };
  for (const auto& row : rows) {
    const SessionLog now = session(row.now);
    EXPECT_EQ(told(before, now), row.told) << row.what;
    EXPECT_EQ(check_program(before, now).passes({}), row.passes) << row.what;
  }
}

TEST(ProgramCheck, TheToleranceDecides) {
  const SessionLog before = session({{"gemm", around(100)}}), now = session({{"gemm", around(110)}});
  EXPECT_FALSE(check_program(before, now).passes({0.05, 0.01}));
  EXPECT_TRUE(check_program(before, now).passes({0.15, 0.01}));
  EXPECT_NEAR(check_program(before, now).time.median, 1.1, 1e-9);
}

TEST(ProgramCheck, OneRunIsTooFew) {
  const SessionLog before = session({{"gemm", around(100)}}), now = session({{"gemm", {100}}});
  EXPECT_THAT([&] { check_program(before, now); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("1 run of the program: at least 6")));
}

}  // namespace
}  // namespace rooftile
