// Counter data of an H200, evaluated wherever there is a CUPTI.
#include "kernels/worker/count/counter_recording.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"
#include "kernels/worker/count/counter_config.hpp"
#include "kernels/worker/count/recorded_launch.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

TEST(RecordedLaunch, EvaluatesToWhatItWasRecordedWith) {
  const auto cupti = load_cupti();
  ASSERT_TRUE(cupti);
  const CounterRecording launch = recorded_launch("h200_transpose_tiled");
  const CounterConfig config(*cupti, launch.chip, {});
  EXPECT_THAT(launch.values, SizeIs(21));
  for (const auto& [metric, value] : launch.values) {
    EXPECT_EQ(config.evaluate(launch.image, metric), value) << metric;
  }
}

// 2,048 x 2,048 floats, tiles of 32 without padding: every column read conflicts 32 ways.
TEST(RecordedLaunch, HoldsWhatATransposeMustMove) {
  const CounterRecording launch = recorded_launch("h200_transpose_tiled");
  const double floats = 2048.0 * 2048;
  EXPECT_EQ(launch.values.at("l1tex__t_bytes.sum"), 2 * 4 * floats);
  EXPECT_NEAR(launch.values.at("dram__bytes_read.sum") / (4 * floats), 1, 0.001);
  EXPECT_NEAR(launch.values.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") / floats, 1, 0.02);
  EXPECT_EQ(launch.values.at("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"), 0);
}

TEST(RecordedLaunch, AMetricThatWasNotGatheredIsNoNumber) {
  const auto cupti = load_cupti();
  ASSERT_TRUE(cupti);
  const CounterRecording launch = recorded_launch("h200_transpose_tiled");
  const CounterConfig config(*cupti, launch.chip, {});
  EXPECT_EQ(config.evaluate(launch.image, "l1tex__t_sectors_pipe_lsu_mem_local.sum"), std::nullopt);
  EXPECT_EQ(config.evaluate(launch.image, "no__such_metric.sum"), std::nullopt);
}

TEST(CounterRecording, ComesBackAsItWas) {
  const fs::path stem = fs::path(testing::TempDir()) / "recordings" / "launch";
  save({"GH100", {{"dram__bytes_read.sum", 8401920}, {"ratio", 1.0 / 3}}, {0, 1, 10, 255}}, stem);
  const CounterRecording read = load_counter_recording(stem);
  EXPECT_EQ(read.chip, "GH100");
  EXPECT_EQ(read.values,
            (std::map<std::string, double>{{"dram__bytes_read.sum", 8401920}, {"ratio", 1.0 / 3}}));
  EXPECT_EQ(read.image, (std::vector<std::uint8_t>{0, 1, 10, 255}));
}

TEST(CounterRecording, AMissingOneIsAnErrorThatNamesTheFile) {
  EXPECT_THAT([] { load_counter_recording("/nowhere/launch"); },
              ThrowsMessage<Error>(HasSubstr("/nowhere/launch.image cannot be opened")));
}

}  // namespace
}  // namespace rooftile::worker
