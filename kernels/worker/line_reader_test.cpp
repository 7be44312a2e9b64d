#include "kernels/worker/line_reader.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace rooftile::worker {
namespace {

using namespace std::chrono_literals;
using Read = LineReader::State;

// Input that comes when the test says so, as from a pipe.
class Pipe : public std::streambuf {
 public:
  void write(const std::string& text) {
    const std::lock_guard lock(mutex_);
    waiting_ += text;
    changed_.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_one();
  }

 private:
  int underflow() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || closed_; });
    read_ = std::exchange(waiting_, {});
    setg(read_.data(), read_.data(), read_.data() + read_.size());
    return read_.empty() ? traits_type::eof() : traits_type::to_int_type(read_.front());
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_, read_;
  bool closed_ = false;
};

TEST(LineReader, GivesLinesInOrderAndThenTheEnd) {
  std::istringstream in("one\n\nthree words here\nwithout a newline");
  LineReader reader(in);
  std::string line;
  for (const char* expected : {"one", "", "three words here", "without a newline"}) {
    ASSERT_EQ(reader.next(line, 1min), Read::line);
    EXPECT_EQ(line, expected);
  }
  EXPECT_EQ(reader.next(line, 1min), Read::end);
  EXPECT_EQ(reader.next(line, 1min), Read::end);
}

TEST(LineReader, NothingWithinTheTimeIsATimeoutAndLosesNothing) {
  Pipe pipe;
  std::istream in(&pipe);
  LineReader reader(in);
  std::string line = "untouched";
  EXPECT_EQ(reader.next(line, 1ms), Read::timeout);
  pipe.write("half a ");
  EXPECT_EQ(reader.next(line, 1ms), Read::timeout);
  EXPECT_EQ(line, "untouched");
  pipe.write("line\n");
  ASSERT_EQ(reader.next(line, 1min), Read::line);
  EXPECT_EQ(line, "half a line");
  pipe.close();
  EXPECT_EQ(reader.next(line, 1min), Read::end);
}

TEST(LineReader, LinesThatWaitComeBeforeTheEnd) {
  Pipe pipe;
  std::istream in(&pipe);
  pipe.write("first\nsecond\n");
  pipe.close();
  LineReader reader(in);
  std::string line;
  ASSERT_EQ(reader.next(line, 1min), Read::line);
  ASSERT_EQ(reader.next(line, 1min), Read::line);
  EXPECT_EQ(line, "second");
  EXPECT_EQ(reader.next(line, 1min), Read::end);
}

}  // namespace
}  // namespace rooftile::worker
