// Compares the predictions of the manifests with every launch that was counted for the bundled session.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "analysis/advice/advice_judgement.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/predict/judgement.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

struct Prediction {
  std::string launch;
  const Point* point;
  Model model;
};

// Libraries choose their tiles themselves: they have no model to compare with.
std::vector<Prediction> predictions(const SessionLog& session) {
  const auto kernels = platform::load_catalogue_with({}).kernels;
  std::vector<Prediction> predictions;
  for (const Point& point : session.points) {
    const Manifest& kernel = find_kernel(kernels, point.kernel);
    if (point.counters && kernel.library.empty()) {
      const Parameters parameters = complete(kernel, point.parameters);
      predictions.push_back({kernel.name + " " + text(parameters), &point,
                             model(kernel, parameters, session.gpu(point.gpu)->sm_count)});
    }
  }
  return predictions;
}

// The code of the others is read, which takes a compiler: app/cli/shared/code_models_test.cpp.
std::vector<Manifest> kernels_with_formulas() {
  std::vector<Manifest> kernels = platform::load_catalogue_with({}).kernels;
  std::erase_if(kernels, is_read_from_code);
  return kernels;
}

// A multiple of 256 is a multiple of every tile.
bool has_ragged_size(const Point& point) {
  return std::ranges::any_of(point.parameters, [](const auto& value) {
    const bool is_size = value.first == "M" || value.first == "N" || value.first == "K";
    return is_size && std::fmod(value.second, 256) != 0;
  });
}

class Recording : public testing::Test {
 protected:
  const SessionLog session_ =
      platform::load_session(platform::data_directory() / "assets" / "sessions" / "h100_h200.jsonl");
  const std::vector<Prediction> predictions_ = predictions(session_);
};

TEST_F(Recording, HoldsEveryKernelOfOurs) {
  std::set<std::string> recorded, bundled;
  for (const Prediction& prediction : predictions_) {
    recorded.insert(prediction.point->kernel);
  }
  for (const Manifest& kernel : platform::load_catalogue_with({}).kernels) {
    if (kernel.library.empty()) {
      bundled.insert(kernel.name);
    }
  }
  EXPECT_EQ(recorded, bundled);
}

// The table of predictions says "every recorded launch" that has a time; whoever records anew makes it anew.
TEST_F(Recording, IsJudgedAsAWholeInTheReadme) {
  const auto page = platform::read_text(platform::data_directory() / "kernels/README.md");
  ASSERT_TRUE(page);
  const auto timed =
      std::ranges::count_if(session_.points, [](const Point& point) { return point.timing.has_value(); });
  EXPECT_THAT(*page, testing::HasSubstr("| all | " + count(static_cast<double>(timed)) + " |"));
}

TEST_F(Recording, EveryLaunchThatRanFits) {
  const auto kernels = platform::load_catalogue_with({}).kernels;
  for (const Prediction& prediction : predictions_) {
    const Point& point = *prediction.point;
    EXPECT_EQ(why_unfit(find_kernel(kernels, point.kernel), point.parameters, point.launch, point.compiled,
                        *session_.gpu(point.gpu)),
              std::nullopt)
        << prediction.launch;
  }
}

// The H100 was recorded before the H200, and cold alone.
TEST_F(Recording, HoldsEveryLaunchOfTheH100OnTheH200Too) {
  std::map<std::string, std::set<std::tuple<std::string, Parameters, Caches>>> launches;
  for (const Point& point : session_.points) {
    launches[point.gpu].emplace(point.kernel, point.parameters, point.caches);
  }
  ASSERT_EQ(launches.size(), 2);
  const auto &h200 = launches.at("NVIDIA H200"), &h100 = launches.at("NVIDIA H100 80GB HBM3");
  EXPECT_GT(h100.size(), 900);
  EXPECT_TRUE(std::ranges::includes(h200, h100));
}

TEST_F(Recording, CountedTheFlopsOfTheModel) {
  for (const auto& [launch, point, model] : predictions_) {
    if (!model.states_work) {
      continue;
    }
    EXPECT_EQ(point->counted_flops()->value, model.flops.value_or(Flops{}).value) << launch;
  }
}

// If the last tiles overhang the matrices, formulas count some bytes outside.
TEST_F(Recording, CountedTheBytesAtL1OfTheModel) {
  for (const auto& [launch, point, model] : predictions_) {
    if (const auto modelled = model.bytes[MemoryLevel::l1]) {
      const double counted = point->counters->bytes(MemoryLevel::l1)->value;
      const double allowed = has_ragged_size(*point) ? 0.004 : 1e-6;
      EXPECT_NEAR(counted, modelled->value, allowed * modelled->value) << launch;
    }
  }
}

// Copies ahead also ask for data beyond the last step, and a warp whose lanes are all outside asks for nothing.
// Atomics are not modelled.
TEST_F(Recording, CountedTheGlobalRequestsOfTheModel) {
  constexpr double allowed = 0.022;
  for (const auto& [launch, point, model] : predictions_) {
    if (model.is_bound) {
      continue;
    }
    double modelled = 0;
    for (const GlobalAccessModel& access : model.global_accesses) {
      modelled += access.requests;
    }
    const double counted = *point->counters->global_requests;
    EXPECT_GE(counted, (1 - allowed) * modelled) << launch;
    if (!point->kernel.starts_with("histogram")) {
      EXPECT_LE(counted, (1 + allowed + model.ahead / model.rounds) * modelled) << launch;
    }
  }
}

// Constants were chosen on the H200's launches of the size most recorded; the model has never seen the other
// sizes and the H100. The bounds are a little looser than what is reached.
TEST_F(Recording, IsPredicted) {
  const std::vector<JudgedLaunch> launches = judged_launches(session_, kernels_with_formulas());
  for (const char* gpu : {"NVIDIA H200", "NVIDIA H100 80GB HBM3"}) {
    std::vector<JudgedLaunch> on_gpu;
    std::ranges::copy_if(launches, std::back_inserter(on_gpu),
                         [&](const JudgedLaunch& launch) { return launch.gpu == gpu; });
    const Judgement judgement = judge(on_gpu);
    EXPECT_LT(judgement.median_error, 1.06) << gpu;
    EXPECT_GT(judgement.within_1_3, 0.9) << gpu;
    EXPECT_GT(judgement.pairs_ordered, 0.99 * static_cast<double>(judgement.pairs)) << gpu;
    EXPECT_GT(judgement.good_favourites, 0.9 * static_cast<double>(judgement.problems)) << gpu;
    EXPECT_EQ(judgement.impossible, 0) << gpu;
  }
}

// The bounds of what is advised were chosen on the H200; of the H100 every third launch.
TEST_F(Recording, ComesTrueWhereAdvised) {
  std::size_t seen = 0;
  const auto every_third_of_the_h100 = [&](const Point& point) {
    return point.gpu == "NVIDIA H100 80GB HBM3" && seen++ % 3 == 0;
  };
  const auto kernels = kernels_with_formulas();
  const AdviceScore reached = score(judged_advice(session_, kernels, platform::load_compiled_table(kernels),
                                                  Hidden::others, every_third_of_the_h100));
  EXPECT_GT(reached.moves_recorded, 120);
  EXPECT_GE(reached.faster, 0.95 * static_cast<double>(reached.moves_recorded));
  EXPECT_LE(reached.median_error, 1.08);
  EXPECT_GT(reached.nothing_recorded, 40);
  EXPECT_LE(reached.contradicted, 0.06 * static_cast<double>(reached.nothing_recorded));
  EXPECT_LE(reached.unknown, 0.3 * static_cast<double>(reached.launches));
}

// The hardware's counter also holds the turns at the banks that a warp lost to the data that fills L1: never
// fewer wavefronts than the addresses need, and up to a fifth more in kernels that copy.
TEST_F(Recording, CountedTheWavefrontsOfTheModelAndTurnsLost) {
  constexpr double noise = 0.001, lost = 0.2;
  for (const auto& [launch, point, model] : predictions_) {
    if (const auto modelled = model.bytes[MemoryLevel::shared]) {
      const double counted = point->counters->bytes(MemoryLevel::shared)->value;
      EXPECT_GE(counted, (1 - noise) * modelled->value) << launch;
      EXPECT_LE(counted, (1 + lost) * modelled->value) << launch;
    }
  }
}

}  // namespace
}  // namespace rooftile
