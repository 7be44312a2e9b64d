#include "kernels/worker/compile/compile_hints.hpp"

#include <gmock/gmock.h>

namespace rooftile::worker {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(CompileHint, SaysWhatTheCompilersWordsLeaveOut) {
  const struct {
    const char* log;
    testing::Matcher<std::string> hint;
  } rows[] = {
      {"mine.cu(1): catastrophic error: cannot open source file \"vector\"",
       HasSubstr("<vector> is for code of the host")},
      {"mine.cu(1): catastrophic error: cannot open source file \"common/tile.cuh\"",
       HasSubstr("common/tile.cuh is neither beside the source")},
      {"mine.cu(1): catastrophic error: cannot open source file \"/dev/zero\": not a regular file",
       HasSubstr("/dev/zero is a folder or a device")},
      {"/usr/include/cub/device/device_reduce.cuh(46): catastrophic error: cannot open source file \"cstdint\"",
       HasSubstr("include the parts that the kernel uses")},
      {"ptxas error   : Entry function 'a' uses too much shared data (0x3a980 bytes, 0xc000 max)",
       HasSubstr("dynamic_shared_bytes")},
      {"__nv_name_map(2): error: identifier \"mine\" is undefined", HasSubstr("The source has no kernel mine")},
      {"mine.cu(2): error: expected a \";\"", IsEmpty()}};
  for (const auto& row : rows) {
    EXPECT_THAT(compile_hint(row.log, "mine"), row.hint) << row.log;
  }
}

}  // namespace
}  // namespace rooftile::worker
