#include "analysis/platform/session_files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Header header() {
  Header header;
  header.made_by = "rooftile";
  return header;
}

Point point(std::uint64_t id, const std::string& kernel, bool final) {
  Point point;
  point.id = id;
  point.kernel = kernel;
  point.final = final;
  return point;
}

// "tiled", with dots for a launch that is not final.
std::vector<std::string> launches(const SessionLog& log) {
  std::vector<std::string> launches;
  for (const Point& point : log.points) {
    launches.push_back(point.kernel + (point.final ? "" : " ..."));
  }
  return launches;
}

class SessionFiles : public testing::Test {
 protected:
  SessionFiles() { fs::create_directories(folder_); }
  ~SessionFiles() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(file_) << text; }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_session_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path file_ = folder_ / "session.jsonl";
};

TEST_F(SessionFiles, AJournalCanBeLoadedAtAnyTime) {
  Journal journal(file_);
  journal.append(header());
  journal.append(point(1, "tiled", false));
  EXPECT_THAT(launches(load_session(file_)), ElementsAre("tiled ..."));
  journal.append(point(1, "tiled", true));
  EXPECT_THAT(launches(load_session(file_)), ElementsAre("tiled"));
  EXPECT_EQ(load_session(file_).header, header());
}

TEST_F(SessionFiles, AContinuedJournalLosesOnlyItsHalfWrittenLine) {
  write(to_line(header()) + "\n" + to_line(point(1, "one", true)) + "\n{\"record\": \"poi");
  Journal(file_).append(point(2, "two", true));
  EXPECT_THAT(launches(load_session(file_)), ElementsAre("one", "two"));
}

TEST_F(SessionFiles, ErrorsNameTheFile) {
  EXPECT_THAT([&] { load_session(file_); },
              ThrowsMessage<Error>(HasSubstr(file_.string() + ": cannot be read")));
  EXPECT_THAT([&] { load_session(folder_); }, ThrowsMessage<Error>(HasSubstr("cannot be read")));
  EXPECT_THAT([&] { Journal(folder_ / "nowhere" / "j.jsonl"); },
              ThrowsMessage<Error>(HasSubstr("j.jsonl: cannot be written: No such file")));
  EXPECT_THAT([&] { save_session({}, folder_ / "nowhere" / "s.jsonl"); },
              ThrowsMessage<Error>(HasSubstr("s.jsonl: cannot be written")));
  write("<html>");
  EXPECT_THAT([&] { load_session(file_); }, ThrowsMessage<Error>(HasSubstr(file_.string() + ":1: not JSON")));
}

TEST_F(SessionFiles, APipeIsReadUnlessItHasANameAndMayNeverEnd) {
  const std::string text = to_line(header()) + "\n";
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(ends[1]);
  EXPECT_NO_THROW(load_session("/proc/self/fd/" + std::to_string(ends[0]))) << "as of a shell's <(...)";
  close(ends[0]);
  const fs::path named = folder_ / "pipe";
  ASSERT_EQ(mkfifo(named.c_str(), 0600), 0);
  EXPECT_THAT([&] { load_session(named); }, ThrowsMessage<Error>(HasSubstr("cannot be read")));
}

TEST_F(SessionFiles, ASavedSessionReplacesTheFileAndLeavesNothingElse) {
  write(to_line(header()) + "\nolder and longer than what follows\n");
  SessionLog log;
  log.add(header());
  log.add(point(1, "one", true));
  save_session(log, file_);
  EXPECT_THAT(launches(load_session(file_)), ElementsAre("one"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace rooftile::platform
