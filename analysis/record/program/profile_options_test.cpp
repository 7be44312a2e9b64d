#include "analysis/record/program/profile_options.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<ProfileOptions> read_options(const Variables& variables) {
  return profile_options([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(ProfileOptions, ComeBackAsTheyWereSent) {
  for (const ProfileOptions& options :
       {ProfileOptions{"/tmp/x", "", 0, 0, 0},
        ProfileOptions{"/tmp/x y", "gemm|^copy<.*>", 3, 20, 100, "^step", ReplayUse::never, 4, true,
                       "/tmp/launch", 1 << 20, "(64,64,1)x(32,32,1)"}}) {
    EXPECT_EQ(read_options(variables_of(options)), options);
  }
}

TEST(ProfileOptions, WithoutAFolderNothingIsAsked) {
  EXPECT_EQ(read_options({}), std::nullopt);
}

TEST(ProfileOptions, WhatIsWrongIsNamed) {
  const struct {
    Variables variables;
    const char* sentence;
  } rows[] = {{{{"ROOFTILE_PROFILE_SKIP", "many"}}, "ROOFTILE_PROFILE_SKIP=many"},
              {{{"ROOFTILE_PROFILE_COUNT", "-1"}}, "expected a whole number from 0 on"}};
  for (const auto& row : rows) {
    Variables variables = row.variables;
    variables["ROOFTILE_PROFILE_FOLDER"] = "/tmp";
    EXPECT_THAT([&] { read_options(variables); },
                testing::ThrowsMessage<Error>(testing::HasSubstr(row.sentence)));
  }
}

}  // namespace
}  // namespace rooftile
