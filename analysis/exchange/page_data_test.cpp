#include "analysis/exchange/page_data.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;

TEST(PageData, ComesBackAsItWas) {
  const PageData data{
      {{"assets/gpus.toml", "[[gpu]]\n</script>"}, {"kernels/a/kernel.toml", "title = \"\\u00e4\""}},
      "mine.jsonl",
      "{\"kind\":\"header\"}\n"};
  const PageData read = read_page_data(to_json(data));
  EXPECT_EQ(read.files, data.files);
  EXPECT_EQ(read.session_name, "mine.jsonl");
  EXPECT_EQ(read.session, data.session);
}

TEST(PageData, KnowsTheKernelFilesAmongIts) {
  const PageData data{
      {{"kernels/b/kernel.toml", ""}, {"kernels/a/a.cu", ""}, {"kernels/a/kernel.toml", ""}}, "", ""};
  EXPECT_THAT(kernel_files(data), ElementsAre("kernels/a/kernel.toml", "kernels/b/kernel.toml"));
}

TEST(PageData, KeepsATextThatIsNoUtf8Readable) {
  EXPECT_EQ(read_page_data(to_json({{}, "", "\xff"})).session, "\xef\xbf\xbd");
}

TEST(PageData, RefusesAnythingElse) {
  EXPECT_THROW(read_page_data("{}"), Error);
  EXPECT_THROW(read_page_data("not JSON"), Error);
  EXPECT_THROW(read_page_data(R"({"files": [1], "session_name": "", "session": ""})"), Error);
}

}  // namespace
}  // namespace rooftile
