#include "kernels/inject/launch_filter.hpp"

#include <gtest/gtest.h>

#include "analysis/record/program/meant_names.hpp"

namespace rooftile::inject {
namespace {

// Launches of groups named by letters, those wanted in capitals.
std::string wanted(const ProfileOptions& options, std::string launches) {
  const MeantNames names(options);
  LaunchFilter filter(
      options, [&](const std::string& kernel) { return names.answer(std::string(kernel_question) + kernel); });
  for (char& letter : launches) {
    const auto group = static_cast<std::size_t>(letter - 'a');
    const std::string shape = "(" + std::to_string(group) + ",1,1)x(32,1,1)";
    if (filter.means(group, std::string("kernel_") + letter, shape) && filter.wants(group)) {
      filter.counted();
      filter.complete(group);
      letter = static_cast<char>(letter - 'a' + 'A');
    }
  }
  return launches;
}

ProfileOptions of_shape(const char* shape) {
  ProfileOptions options;
  options.shape = shape;
  return options;
}

TEST(LaunchFilter, WantsWhatTheOptionsSay) {
  const struct {
    ProfileOptions options;
    const char* launches;
  } rows[] = {{{"", "", 0, 0, 0}, "ABaabCca"},
              {{"", "", 0, 2, 0}, "ABaabcca"},
              {{"", "", 3, 0, 0}, "abaABCca"},
              {{"", "", 0, 0, 2}, "ABaAbCcaBA"},
              {{"", "", 0, 3, 2}, "ABaAbccaba"},
              {{"", "_[bc]$", 0, 0, 0}, "aBaabCca"},
              {{"", "_[bc]$", 1, 0, 0}, "abaaBCca"},
              {{"", "kernel_d", 0, 0, 0}, "abaabcca"},
              {of_shape("(1,1,1)x(32,1,1)"), "aBaabcca"},
              {of_shape("(1,1,1)x(64,1,1)"), "abaabcca"}};
  for (const auto& row : rows) {
    std::string launches = row.launches;
    for (char& letter : launches) {
      letter = static_cast<char>(std::tolower(letter));
    }
    EXPECT_EQ(wanted(row.options, launches), row.launches);
  }
}

TEST(LaunchFilter, AGroupIsWantedUntilItIsComplete) {
  LaunchFilter filter({}, [](const std::string&) { return true; });
  EXPECT_TRUE(filter.wants(0));
  EXPECT_TRUE(filter.wants(0)) << "the first one was not counted, or in one pass alone";
  filter.complete(0);
  EXPECT_FALSE(filter.wants(0));
  EXPECT_TRUE(filter.wants(1));
  filter.begin_again();
  EXPECT_TRUE(filter.wants(0));
}

}  // namespace
}  // namespace rooftile::inject
