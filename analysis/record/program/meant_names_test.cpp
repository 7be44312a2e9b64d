#include "analysis/record/program/meant_names.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

TEST(MeantNames, AreThoseThatTheExpressionIsFoundIn) {
  ProfileOptions options;
  options.kernel = "gemm|^copy<.*>$";
  options.range = "^step";
  const MeantNames names(options);
  const struct {
    const char* question;
    bool is_meant;
  } rows[] = {{"kernel sgemm_128", true},
              {"kernel copy<float>", true},
              {"kernel a copy<float>", false},
              {"range step 1", true},
              {"range a step", false},
              {"range gemm", false},
              {"step", false},
              {"", false}};
  for (const auto& row : rows) {
    EXPECT_EQ(names.answer(row.question), row.is_meant) << row.question;
  }
}

TEST(MeantNames, AnExpressionThatCannotBeReadIsRefusedAndMeansNothing) {
  EXPECT_THAT([] { expect_expression("gemm("); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("\"gemm(\" is no regular expression")));
  ProfileOptions options;
  options.kernel = "[a";
  EXPECT_FALSE(MeantNames(options).answer("kernel a"));
}

// An expression is matched in time linear in the name.
TEST(MeantNames, LongNamesAreNoTrouble) {
  ProfileOptions options;
  options.kernel = "(a|aa)+$";
  EXPECT_FALSE(MeantNames(options).answer("kernel " + std::string(30'000, 'a') + "b"));
}

}  // namespace
}  // namespace rooftile
