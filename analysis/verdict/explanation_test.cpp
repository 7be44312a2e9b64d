#include "analysis/verdict/explanation.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/predict/prediction.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

class RecordedPairs : public testing::Test {
 protected:
  using Pairs = std::vector<std::pair<const Point*, const Point*>>;

  // Launches of both GPUs that differ in one parameter only, and by more than a tenth of their times.
  Pairs pairs(const std::string& kernel, const std::string& dial, double from, double to) const {
    Pairs found;
    const auto there = launches(kernel, dial, to);
    for (const Point* a : launches(kernel, dial, from)) {
      Parameters moved = a->parameters;
      moved[dial] = to;
      for (const Point* b : there) {
        if (a->gpu == b->gpu && a->caches == b->caches && b->parameters == moved && differ(*a, *b)) {
          found.emplace_back(a, b);
        }
      }
    }
    return found;
  }

  // The same for launches that differ in their caches only: cold, then warm.
  Pairs cold_and_warm(const std::string& kernel) const {
    Pairs found;
    for (const Point& a : session_.points) {
      for (const Point& b : session_.points) {
        if (a.kernel == kernel && b.kernel == kernel && a.gpu == b.gpu && a.parameters == b.parameters &&
            a.caches == Caches::cold && b.caches == Caches::warm && differ(a, b)) {
          found.emplace_back(&a, &b);
        }
      }
    }
    return found;
  }

  static bool differ(const Point& a, const Point& b) {
    return std::abs(std::log(a.timing->median / b.timing->median)) > 0.1;
  }

  std::vector<const Point*> launches(const std::string& kernel, const std::string& dial, double value) const {
    std::vector<const Point*> found;
    for (const Point& point : session_.points) {
      const auto at = point.parameters.find(dial);
      if (point.kernel == kernel && at != point.parameters.end() && at->second == value) {
        found.push_back(&point);
      }
    }
    return found;
  }

  std::optional<Explanation> explained(const Point& a, const Point& b) const {
    return explain({find_kernel(kernels_, a.kernel), a}, {find_kernel(kernels_, b.kernel), b},
                   *session_.gpu(a.gpu), *session_.roofs_of(a.gpu));
  }

  const SessionLog session_ =
      platform::load_session(platform::data_directory() / "assets" / "sessions" / "h100_h200.jsonl");
  const std::vector<Manifest> kernels_ = platform::load_catalogue_with({}).kernels;
};

TEST_F(RecordedPairs, ColdCachesCostWhatComesFromDram) {
  std::size_t seen = 0;
  for (const char* kernel :
       {"copy", "triad", "transpose_swizzled", "transpose_vectorized", "transpose_axpby", "row_softmax"}) {
    for (const auto& [cold, warm] : cold_and_warm(kernel)) {
      const auto explanation = explained(*cold, *warm);
      EXPECT_EQ(explanation->largest()->name, "DRAM")
          << kernel << " " << text(cold->parameters) << ": " << sentence(*explanation);
      EXPECT_LT(explanation->largest()->change, Seconds{0});
      ++seen;
    }
  }
  EXPECT_GE(seen, 10);
}

TEST_F(RecordedPairs, BarsAndWhatIsNotExplainedAddUpToTheDifference) {
  for (const auto& [a, b] : pairs("sgemm_naive", "BLOCK_X", 4, 32)) {
    const auto there = explained(*a, *b), back = explained(*b, *a);
    Seconds sum = there->unattributed;
    for (std::size_t i = 0; i < there->bars.size(); ++i) {
      sum += there->bars[i].change;
      EXPECT_NEAR(there->bars[i].change.value, -back->bars[i].change.value, 1e-12)
          << "the way back is the same";
    }
    EXPECT_NEAR(sum.value, (b->timing->median - a->timing->median).value, 1e-12);
  }
}

TEST_F(RecordedPairs, OfTwoKernelsAreExplainedWhereTheySolveOneProblem) {
  const struct {
    const char *from, *to;
    bool is_explained;
  } rows[] = {{"sgemm_naive", "sgemm_tiled", true},
              {"sgemm_tiled", "sgemm_register_2d", true},
              {"transpose_tiled", "transpose_vectorized", true},
              {"transpose_tiled", "transpose_axpby", false},
              {"sgemm_tiled", "gemm_tf32_mma", false},
              {"copy", "triad", false}};
  const auto first = [&](const char* kernel) {
    const auto found = std::ranges::find_if(session_.points, [&](const Point& point) {
      return point.kernel == kernel && point.gpu == "NVIDIA H200" && point.counters;
    });
    return found;
  };
  for (const auto& row : rows) {
    const Point &a = *first(row.from), &b = *first(row.to);
    const auto explanation = explained(a, b);
    ASSERT_EQ(explanation.has_value(), row.is_explained) << row.from << " " << row.to;
    if (explanation) {
      Seconds sum = explanation->unattributed;
      for (const CauseBar& bar : explanation->bars) {
        sum += bar.change;
      }
      EXPECT_NEAR(sum.value, (b.timing->median - a.timing->median).value, 1e-12) << row.from;
    }
  }
}

// Without counters the bars are what the prediction says of the step, no more and no less.
TEST_F(RecordedPairs, BarsOfUncountedLaunchesAddUpToThePredictedDifference) {
  const auto predicted = [&](const Point& point) {
    const Gpu& gpu = *session_.gpu(point.gpu);
    const Manifest& kernel = find_kernel(kernels_, point.kernel);
    const Model model = rooftile::model(kernel, complete(kernel, point.parameters), gpu.sm_count);
    return predict(model, point.compiled, gpu, *session_.roofs_of(point.gpu), point.caches)->time;
  };
  const struct {
    const char *kernel, *dial;
    double from, to;
  } rows[] = {{"transpose_tiled", "PAD", 0, 1},    {"transpose_naive", "COALESCED_WRITES", 0, 1},
              {"gemm_bf16_mma", "PAD", 0, 1},      {"gemm_bf16_wgmma", "CLUSTER", 1, 2},
              {"histogram_cluster", "SEND", 0, 1}, {"sgemm_multistage", "STAGES", 1, 2}};
  for (const auto& row : rows) {
    const auto found = pairs(row.kernel, row.dial, row.from, row.to);
    ASSERT_FALSE(found.empty()) << row.kernel;
    Point a = *found.front().first, b = *found.front().second;
    a.counters.reset(), b.counters.reset();
    const auto explanation = explained(a, b);
    const double measured = (explanation->to - explanation->from).value;
    EXPECT_NEAR(measured - explanation->unattributed.value, (predicted(b) - predicted(a)).value, 1e-12)
        << row.kernel;
  }
}

TEST_F(RecordedPairs, AnotherSizeIsWork) {
  std::size_t seen = 0;
  for (const Point* a : launches("sgemm_warp_tiled", "N", 2048)) {
    Parameters larger = a->parameters;
    larger["N"] = larger["M"] = larger["K"] = 4096;
    for (const Point* b : launches("sgemm_warp_tiled", "N", 4096)) {
      if (a->gpu == b->gpu && b->parameters == larger) {
        EXPECT_EQ(explained(*a, *b)->largest()->name, "work");
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 4);
}

TEST_F(RecordedPairs, OfTheSameLaunchNothingMoved) {
  const Point& point = session_.points.front();
  const auto explanation = explained(point, point);
  EXPECT_EQ(explanation->largest(), nullptr);
  EXPECT_EQ(explanation->unattributed.value, 0);
}

TEST_F(RecordedPairs, NeedTwoTimedLaunchesOfOneKernelAndGpu) {
  const Point& point = session_.points.front();
  Point untimed = point, other_kernel = point, other_gpu = point;
  untimed.timing.reset();
  other_kernel.kernel = "copy";
  other_gpu.gpu = "another";
  for (const Point& other : {untimed, other_kernel, other_gpu}) {
    EXPECT_FALSE(explained(point, other));
  }
}

}  // namespace
}  // namespace rooftile
