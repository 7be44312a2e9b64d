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
      "{\"kind\":\"header\"}\n",
      "lessons/1.md"};
  const PageData read = read_page_data(to_json(data));
  EXPECT_EQ(read.files, data.files);
  EXPECT_EQ(read.session_name, "mine.jsonl");
  EXPECT_EQ(read.session, data.session);
  EXPECT_EQ(read.lesson, "lessons/1.md");
}

TEST(PageData, KnowsTheKernelsAndLessonsAmongItsFiles) {
  const PageData data{{{"kernels/b/kernel.toml", ""},
                       {"kernels/a/a.cu", ""},
                       {"lessons/2.md", ""},
                       {"lessons/1.md", ""},
                       {"kernels/a/kernel.toml", ""}},
                      "",
                      "",
                      ""};
  EXPECT_THAT(kernel_files(data), ElementsAre("kernels/a/kernel.toml", "kernels/b/kernel.toml"));
  EXPECT_THAT(lesson_files(data), ElementsAre("lessons/1.md", "lessons/2.md"));
}

TEST(PageData, KeepsATextThatIsNoUtf8Readable) {
  EXPECT_EQ(read_page_data(to_json({{}, "", "\xff", ""})).session, "\xef\xbf\xbd");
}

TEST(PageData, RefusesAnythingElse) {
  EXPECT_THROW(read_page_data("{}"), Error);
  EXPECT_THROW(read_page_data("not JSON"), Error);
  EXPECT_THROW(read_page_data(R"({"files": [1], "session_name": "", "session": "", "lesson": ""})"), Error);
}

}  // namespace
}  // namespace rooftile
