// rooftile-cli page, with a small page to fill in. app/page/page_test.py opens the real one in a browser.
#include <gmock/gmock.h>

#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* waiting = "<!doctype html>\n<title>rooftile</title>\n[<!--data-->]\n";

class PageVerb : public CommandLine {
 protected:
  Outcome make(Arguments words) {
    write("waiting.html", waiting);
    words.insert(words.begin(), {"page", "--without-data", file("waiting.html").string()});
    return run(words);
  }
};

TEST_F(PageVerb, FillsInWhatIsRecordedAndReplacesItsOwnPagesAlone) {
  const std::string page = file("page.html").string();
  EXPECT_EQ(make({"-o", page}).how, ok);
  const std::string first = text_of("page.html");
  EXPECT_THAT(first, HasSubstr("[H4sI"));  // gzip in base64
  EXPECT_THAT(first, Not(HasSubstr("<!--data-->")));
  EXPECT_EQ(make({"-o", page}).how, ok);
  EXPECT_EQ(text_of("page.html"), first);
  write("mine.html", "my own");
  EXPECT_THAT(make({"-o", file("mine.html").string()}).err, HasSubstr("is not a page of rooftile"));
  EXPECT_EQ(text_of("mine.html"), "my own");
}

TEST_F(PageVerb, RefusesAPageThatWaitsForNoData) {
  write("other.html", "<p>");
  const Outcome outcome =
      run({"page", "--without-data", file("other.html").string(), "-o", file("page.html").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("is no page that waits for its data"));
}

TEST_F(PageVerb, OpensWithALessonWhoseMistakesAreToldHere) {
  const std::string page = file("page.html").string();
  write("class.md", "# One\n## Step\n");
  EXPECT_EQ(make({"-o", page}).how, ok);
  const std::string without = text_of("page.html");
  EXPECT_EQ(make({file("class.md").string(), "-o", page}).how, ok);
  EXPECT_NE(text_of("page.html"), without);
  write("broken.md", "# One\n");
  EXPECT_THAT(make({file("broken.md").string(), "-o", page}).err, HasSubstr("broken.md:1: a lesson has 1 to"));
  EXPECT_THAT(make({file("class.md").string(), file("broken.md").string(), "-o", page}).err,
              HasSubstr("one session and one lesson"));
}

TEST_F(PageVerb, RefusesASessionThatIsNone) {
  write("s.jsonl", "<script>\n");
  const Outcome outcome = make({file("s.jsonl").string(), "-o", file("page.html").string()});
  EXPECT_EQ(outcome.how, failed);
  EXPECT_THAT(outcome.err, HasSubstr("s.jsonl:1: "));
}

}  // namespace
}  // namespace rooftile::cli
