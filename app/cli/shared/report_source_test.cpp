#include "app/cli/shared/report_source.hpp"

#include <gtest/gtest.h>

namespace rooftile::cli {
namespace {

SessionLog session(const std::vector<std::string>& gpus) {
  SessionLog log;
  for (const std::string& name : gpus) {
    log.devices.emplace_back().gpu.name = name;
  }
  return log;
}

std::string chosen(const SessionLog& log, const std::string& name) {
  try {
    return gpu_of(log, name).name;
  } catch (const UsageError& error) {
    return std::string("misuse: ") + error.what();
  } catch (const Error& error) {
    return std::string("failure: ") + error.what();
  }
}

TEST(GpuOfASession, IsTheFirstOrTheOneThatIsNamed) {
  const SessionLog two = session({"NVIDIA H200", "NVIDIA H100 80GB HBM3"});
  const struct {
    const SessionLog& log;
    const char *name, *gpu;
  } rows[] = {
      {two, "", "NVIDIA H200"},
      {two, "H100", "NVIDIA H100 80GB HBM3"},
      {two, "h200", "NVIDIA H200"},
      {two, "NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3"},
      {two, "T4", "misuse: There is no GPU \"T4\". Known are: NVIDIA H200, NVIDIA H100 80GB HBM3."},
      {two, "NVIDIA H20", "NVIDIA H200"},
      {session({}), "", "failure: The session names no GPU."},
      {session({}), "T4", "failure: The session names no GPU."},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(chosen(row.log, row.name), row.gpu);
  }
}

TEST(ReportSource, ANamedSessionIsReadWithoutAWorker) {
  Options options;
  options.worker = "/no/such/worker";
  const ReportSource found = report_source(options, ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl", "");
  EXPECT_EQ(found.origin, "recorded in h100_h200.jsonl");
  EXPECT_GT(found.log.points.size(), 100u);
}

TEST(ReportSource, WithoutAWorkerTheBundledRecordingIsRead) {
  Options options;
  options.worker = "/no/such/worker";
  EXPECT_EQ(report_source(options, "", "").origin, "recorded in " + recorded_session().filename().string());
  EXPECT_THROW(report_source(options, "/no/such/session.jsonl", ""), Error);
}

}  // namespace
}  // namespace rooftile::cli
