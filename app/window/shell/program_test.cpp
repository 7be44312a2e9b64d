#include "app/window/shell/program.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile::window {
namespace {

TEST(ProgramOfTheWindow, OneThatCannotBeStartedIsToldOfBeforeAnythingElse) {
  conductor::CommandLine wanted;
  wanted.program = {"/no/such/program"};
  testing::internal::CaptureStderr();
  EXPECT_THAT([&] { run(wanted); },
              testing::ThrowsMessage<Error>(testing::StartsWith("cannot start /no/such/program: ")));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "of the cost of counting";
}

}  // namespace
}  // namespace rooftile::window
