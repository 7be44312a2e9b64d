#include "analysis/record/session_beside.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;

// A session of these GPUs, each with roofs and two launches.
std::string text_of_session(const std::vector<std::string>& gpus) {
  Header header;
  header.made_by = "a test";
  std::string text = to_line(header) + '\n';
  std::uint64_t id = 0;
  for (const std::string& name : gpus) {
    DeviceRecord device;
    device.gpu.name = name;
    device.gpu.sm_count = 132;
    device.gpu.boost_clock = {1e9};
    device.gpu.l2_size = {1e6};
    device.gpu.sm = *sm_limits({9, 0});
    text += to_line(device) + '\n';
    text += to_line(RoofsRecord{{name, {{MemoryLevel::dram, {1e12}, Origin::measured, ""}}, {}}}) + '\n';
    for (int launches = 0; launches < 2; ++launches) {
      Point point;
      point.id = ++id;
      point.kernel = "k";
      point.gpu = name;
      point.final = true;
      text += to_line(point) + '\n';
    }
  }
  return text;
}

std::vector<std::string> names_of(const std::vector<DeviceRecord>& devices) {
  std::vector<std::string> names;
  for (const DeviceRecord& device : devices) {
    names.push_back(device.gpu.name);
  }
  return names;
}

TEST(SessionBeside, AGpuThatIsThereGetsANameOfItsOwnAndEveryLaunchAnId) {
  struct Case {
    std::vector<std::string> before, after, names;
  };
  for (const auto& [before, after, names] :
       {Case{{"A"}, {"A"}, {"A", "A (after)"}}, Case{{"A"}, {"B"}, {"A", "B"}},
        Case{{"A", "B"}, {"B", "C"}, {"A", "B", "B (after)", "C"}}}) {
    SessionLog log = read_session(text_of_session(before), "before.jsonl");
    const std::size_t launches = log.points.size();
    SessionReader reader(log, "after.jsonl", SessionBeside(log, "after"));
    reader.read(text_of_session(after));
    reader.finish();
    EXPECT_EQ(names_of(log.devices), names);
    ASSERT_EQ(log.points.size(), launches + 2 * after.size());
    for (std::size_t i = 0; i < log.points.size(); ++i) {
      const Point& point = log.points[i];
      EXPECT_EQ(log.point(point.id), &point) << "an id of its own";
      EXPECT_EQ(point.gpu, names[i / 2]);
      EXPECT_TRUE(log.roofs_of(point.gpu)) << point.gpu;
    }
  }
}

}  // namespace
}  // namespace rooftile
