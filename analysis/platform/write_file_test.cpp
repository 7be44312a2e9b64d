#include "analysis/platform/write_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "analysis/platform/session_files.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const FileKind note = {"a note", [](std::string_view text) { return text.starts_with("note:"); }};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// No file may grow beyond so many bytes, as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

class WriteFile : public testing::Test {
 protected:
  WriteFile() { fs::create_directories(folder_); }
  ~WriteFile() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("rooftile_write_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path file_ = folder_ / "n.txt";
};

TEST_F(WriteFile, MakesReplacesAndLeavesNothingElse) {
  for (const char* words : {"note: first, and longer", "note: second"}) {
    write_file(file_, words, note);
    EXPECT_EQ(text_of(file_), words);
  }
  write("");
  write_file(file_, std::string("note:\0\n\xff", 8), note);
  EXPECT_EQ(text_of(file_), std::string("note:\0\n\xff", 8)) << "an empty file is nobody's";
  EXPECT_THAT(names(), ElementsAre("n.txt"));
}

TEST_F(WriteFile, AFileOfAnotherKindStaysAsItIs) {
  write("my diary\n");
  const auto message = HasSubstr(file_.string() + " exists and is not a note, so it is left as it is");
  EXPECT_THAT([&] { write_file(file_, "note: new", note); }, ThrowsMessage<Error>(message));
  EXPECT_THAT([&] { expect_replaceable(file_, note); }, ThrowsMessage<Error>(message));
  EXPECT_THAT([&] { GrowingFile(file_, note); }, ThrowsMessage<Error>(message));
  EXPECT_EQ(text_of(file_), "my diary\n");
  EXPECT_THAT(names(), ElementsAre("n.txt"));
}

TEST_F(WriteFile, WhatIsNoPlainFileIsRefused) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const fs::path& file : {folder_, pipe, fs::path("/dev/null"), fs::path("/dev/full")}) {
    const auto refused = ThrowsMessage<Error>(HasSubstr(file.string() + " is not a regular file"));
    EXPECT_THAT([&] { write_file(file, "words", any_kind); }, refused);
    EXPECT_THAT([&] { GrowingFile(file, any_kind); }, refused);
  }
}

TEST_F(WriteFile, AFullDiskIsSaidAndLeavesTheOldFile) {
  write("note: old");
  const FullDisk full(100);
  EXPECT_THAT([&] { write_file(file_, "note:" + std::string(1000, 'x'), note); },
              ThrowsMessage<Error>(HasSubstr(file_.string() + ": cannot be written: File too large")));
  EXPECT_EQ(text_of(file_), "note: old");
  EXPECT_THAT(names(), ElementsAre("n.txt"));
}

TEST_F(WriteFile, ALinkAndThePermissionsStay) {
  write("note: old");
  fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = folder_ / "link";
  fs::create_symlink(file_, link);
  write_file(link, "note: new", note);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(text_of(file_), "note: new");
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFile, AGrowingFileLosesTheHalfLineAndIsOneProgramsAtATime) {
  write("note: one\nnote: hal");
  {
    GrowingFile growing(file_, note);
    growing.append("note: two");
    EXPECT_THAT([&] { GrowingFile(file_, note); },
                ThrowsMessage<Error>(HasSubstr("is being written by another rooftile")));
  }
  GrowingFile(file_, note).append("note: three");
  EXPECT_EQ(text_of(file_), "note: one\nnote: two\nnote: three\n");
}

TEST_F(WriteFile, ALineThatFindsNoRoomLeavesNoHalfOfItself) {
  GrowingFile growing(file_, note);
  growing.append("note: one");
  {
    const FullDisk full(20);
    EXPECT_THAT([&] { growing.append(std::string(100, 'x')); },
                ThrowsMessage<Error>(HasSubstr("File too large")));
  }
  growing.append("two");
  EXPECT_EQ(text_of(file_), "note: one\ntwo\n");
}

TEST_F(WriteFile, AGrowingFileGoesIfItStaysEmpty) {
  {
    const GrowingFile mine(file_, note);
    EXPECT_TRUE(fs::exists(file_));
  }
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(WriteFile, AFileIsHeldAgainstEveryOtherWriter) {
  const auto held = ThrowsMessage<Error>(HasSubstr(file_.string() + " is being written by another rooftile"));
  GrowingFile growing(file_, note);
  EXPECT_THAT([&] { write_file(file_, "note: other", note); }, held) << "empty as it is";
  growing.append("note: one");
  growing.replace("note: all\n");
  EXPECT_THAT([&] { write_file(file_, "note: other", note); }, held);
  EXPECT_THAT([&] { GrowingFile(file_, note); }, held);
  growing.append("note: two");
  EXPECT_EQ(text_of(file_), "note: all\nnote: two\n");
  EXPECT_THAT(names(), ElementsAre("n.txt"));
}

TEST_F(WriteFile, ANewFileTakesTheNameOfNoOther) {
  const fs::path link = folder_ / "link";
  fs::create_symlink(folder_ / "nowhere", link);
  write("mine");
  for (const fs::path& file : {file_, link}) {
    EXPECT_THROW(write_new_file(file, "note: new"), NameTaken) << file;
    EXPECT_THROW(GrowingFile(file, note, Existing::refused), NameTaken) << file;
  }
  EXPECT_EQ(text_of(file_), "mine");
  EXPECT_FALSE(fs::exists(folder_ / "nowhere"));
  write_new_file(folder_ / "new", "note: new");
  EXPECT_EQ(text_of(folder_ / "new"), "note: new");
}

TEST(SessionKind, IsToldByItsFirstRecord) {
  const struct {
    std::string text;
    bool is_session;
  } rows[] = {
      {to_line(Header{}) + "\n", true},
      {to_line(Header{}) + "\n{\"record\": \"poi", true},
      {to_line(Point{}) + "\n", false},
      {"a diary\n", false},
      {"{\"name\": \"somebody's JSON\"}\n", false},
      {"\n" + to_line(Header{}), false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(session_kind.recognises(row.text), row.is_session) << row.text;
  }
}

}  // namespace
}  // namespace rooftile::platform
