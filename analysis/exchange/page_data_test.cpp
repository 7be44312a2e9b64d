#include "analysis/exchange/page_data.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;

TEST(PageData, ComesBackAsItWas) {
  const PageData data{{{"assets/gpus.toml", "[[gpu]]\n</script>"},
                       {"kernels/a/kernel.toml", "title = \"\\u00e4\""},
                       {"kernels/a-b/kernel.toml", "other"}},
                      "mine.jsonl",
                      "{\"kind\":\"header\"}\n",
                      "lessons/1.md"};
  const PageData read = read_page_data(to_text(data));
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

TEST(PageData, KeepsEveryByteOfATextAndReadsANameThatIsNoUtf8) {
  const PageData read = read_page_data(to_text({{}, "\xff", std::string("\xff\0\n", 3), ""}));
  EXPECT_EQ(read.session, std::string("\xff\0\n", 3));
  EXPECT_EQ(read.session_name, "\xef\xbf\xbd");
}

TEST(PageData, RefusesAnythingElse) {
  EXPECT_THROW(read_page_data("{}"), Error);
  EXPECT_THROW(read_page_data("not JSON"), Error);
  EXPECT_THROW(read_page_data(R"({"files": [1], "session_name": "", "session": 0, "lesson": ""})"), Error);
  const std::string whole = to_text({{{"a", "text"}}, "name", "session", "lesson"});
  EXPECT_NO_THROW(read_page_data(whole));
  EXPECT_THROW(read_page_data(whole.substr(0, whole.size() - 1)), Error);
}

}  // namespace
}  // namespace rooftile
