// Compares the predictions of the manifests with every launch that was counted for the bundled session.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/manifest/manifest.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
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

}  // namespace
}  // namespace rooftile
