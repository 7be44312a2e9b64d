// The program as a whole, with a scripted worker.
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analysis/platform/run_program.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "app/window/shell/program.hpp"

namespace rooftile::window {
namespace {

// Width and height, as the head of a PNG says them: two numbers of four bytes, the largest byte first.
std::pair<int, int> size_of_png(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto number = [&](std::size_t at) {
    int value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
      value = value * 256 + static_cast<unsigned char>(bytes.at(i));
    }
    return value;
  };
  return {number(16), number(20)};
}

TEST(Program, AScreenshotIsTakenOnceTheFirstLaunchIsMeasured) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "program_screenshot";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  conductor::CommandLine wanted;
  wanted.worker = {SCRIPTED_WORKER, "--pause", "100"};
  wanted.journal = folder / "journal.jsonl";
  wanted.kernel = "sgemm_tiled";
  wanted.size = {1000, 700};
  wanted.screenshot = folder / "shot.png";
  run(wanted);
  EXPECT_EQ(size_of_png(*wanted.screenshot), std::pair(1000, 700));
  const SessionLog log = platform::load_session(wanted.journal);
  ASSERT_EQ(log.points.size(), 1u);
  EXPECT_TRUE(log.points.front().final) << "nothing is drawn before it is whole";
  std::filesystem::remove_all(folder);
}

TEST(Program, AScreenshotBesideAProgramIsTakenAtItsEndAndHasItsStatus) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "program_beside";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  conductor::CommandLine wanted;
  wanted.worker = {SCRIPTED_WORKER};
  wanted.journal = folder / "journal.jsonl";
  wanted.size = {1000, 700};
  wanted.screenshot = folder / "shot.png";
  wanted.program = {"sh", "-c", "sleep 0.5; : > " + (folder / "ran").string() + "; exit 7"};
  EXPECT_EQ(run(wanted), 7);
  EXPECT_EQ(size_of_png(*wanted.screenshot), std::pair(1000, 700));
  EXPECT_LT(std::filesystem::last_write_time(folder / "ran"),
            std::filesystem::last_write_time(*wanted.screenshot));
  std::filesystem::remove_all(folder);
}

TEST(Program, TellsHowFastTheWindowIs) {
  const platform::TemporaryFolder folder;
  conductor::CommandLine wanted;
  wanted.worker = {SCRIPTED_WORKER};
  wanted.journal = folder.path() / "journal.jsonl";
  wanted.times = folder.path() / "times.json";
  const std::chrono::duration<double> begun = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_EQ(run(wanted), 0);
  const auto times = nlohmann::json::parse(platform::read_text(*wanted.times).value());
  EXPECT_GT(times.at("first_frame_at_s"), begun.count());
  EXPECT_GT(times.at("work_s"), 0.0);
  EXPECT_LT(times.at("rest_share"), 1.0);
}

}  // namespace
}  // namespace rooftile::window
