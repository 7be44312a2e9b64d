#include "analysis/source/code/source_lines.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SourceLines, StartAtTheFirstLineThatIsNoCommentAndKeepTheirNumbers) {
  EXPECT_THAT(code_lines("// what it does\n// how\nint i;\n// why\nint j;\n"),
              ElementsAre(NumberedLine{3, "int i;"}, NumberedLine{4, "// why"}, NumberedLine{5, "int j;"}));
  EXPECT_THAT(code_lines("\nint i;"), ElementsAre(NumberedLine{1, ""}, NumberedLine{2, "int i;"}));
  EXPECT_THAT(code_lines("// nothing else\n"), IsEmpty());
  EXPECT_THAT(code_lines(""), IsEmpty());
}

}  // namespace
}  // namespace rooftile
