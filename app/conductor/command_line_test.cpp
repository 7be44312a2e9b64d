#include "app/conductor/command_line.hpp"

#include <gmock/gmock.h>

#include <iostream>
#include <set>
#include <sstream>

#include "analysis/platform/test_reference_page.hpp"

namespace rooftile::conductor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Words = std::vector<const char*>;

struct Answer {
  std::optional<CommandLine> options;
  int status = -1;
  std::string out, err;
};

Answer answer(Words words) {
  words.insert(words.begin(), "rooftile");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Answer given;
  given.options = parse_command_line(static_cast<int>(words.size()), words.data(), given.status);
  given.out = testing::internal::GetCapturedStdout();
  given.err = testing::internal::GetCapturedStderr();
  return given;
}

CommandLine parsed(const Words& words) {
  const Answer given = answer(words);
  EXPECT_EQ(given.status, 0) << given.err;
  return given.options.value_or(CommandLine{});
}

TEST(CommandLineOfTheWindow, WithoutWordsLeavesEverythingToTheWindow) {
  const CommandLine none = parsed({});
  EXPECT_FALSE(none.session || none.screenshot || none.size || none.theme || none.scale || none.gpu ||
               none.kernel);
  EXPECT_FALSE(none.live);
  EXPECT_THAT(none.worker, IsEmpty());
  EXPECT_THAT(none.kernel_folders, IsEmpty());
  EXPECT_THAT(none.values, IsEmpty());
}

TEST(CommandLineOfTheWindow, TheFirstSessionIsShownAndTheOthersStandBeside) {
  const CommandLine two = parsed({"before.jsonl", "--kernel", "copy", "after.jsonl"});
  EXPECT_EQ(two.session, "before.jsonl");
  EXPECT_THAT(two.beside, ElementsAre("after.jsonl"));
  EXPECT_THAT(parsed({"before.jsonl"}).beside, IsEmpty());
}

TEST(CommandLineOfTheWindow, SourcesAreOpenedAndNotReadAsSessions) {
  const CommandLine wanted = parsed({"a.cu", "b.cu"});
  EXPECT_THAT(wanted.sources, ElementsAre("a.cu", "b.cu"));
  EXPECT_FALSE(wanted.session);
}

TEST(CommandLineOfTheWindow, ALessonIsPlayedOverASession) {
  const CommandLine wanted = parsed({"mine.jsonl", "banks.md"});
  EXPECT_EQ(wanted.session, "mine.jsonl");
  EXPECT_EQ(wanted.lesson, "banks.md");
}

TEST(CommandLineOfTheWindow, TakesEachOptionAsItIsMeant) {
  EXPECT_THAT(parsed({"--worker", "ssh host rooftile-worker"}).worker,
              ElementsAre("ssh", "host", "rooftile-worker"));
  EXPECT_THAT(parsed({"--worker", "'/a b/worker' --idle 3"}).worker, ElementsAre("/a b/worker", "--idle", "3"));
  EXPECT_THAT(parsed({"--kernels", "a", "--kernels", "b", "s.jsonl"}).kernel_folders, ElementsAre("a", "b"));
  EXPECT_THAT(parsed({"--gpus", "a.toml", "--gpus", "b.toml", "s.jsonl"}).gpu_files,
              ElementsAre("a.toml", "b.toml"));
  EXPECT_EQ(parsed({"--kernels", "a", "s.jsonl"}).session, "s.jsonl") << "an option takes one word";
  EXPECT_EQ(parsed({"--set", "N=8", "s.jsonl"}).session, "s.jsonl");
  EXPECT_THAT(parsed({"--set", "alpha=-0.5", "--set", "N=1e3"}).values,
              ElementsAre(std::pair("alpha", -0.5), std::pair("N", 1000)));
  EXPECT_EQ(parsed({"--gpu", "H200"}).gpu, "H200");
  EXPECT_EQ(parsed({"--scale", "1.5"}).scale, 1.5f);
  EXPECT_EQ(parsed({"--theme", "dark"}).theme, Theme::dark);
  EXPECT_EQ(parsed({"--size", "320x240"}).size, std::pair(320, 240));
  EXPECT_TRUE(parsed({"--live"}).live);
}

TEST(CommandLineOfTheWindow, WhatStandsAfterTwoDashesIsAProgram) {
  const CommandLine wanted = parsed({"--size", "800x600", "--every", "10", "--kernel", "gemm|copy", "--nvtx",
                                     "step", "--", "./program", "--its", "arguments", "--", "--help"});
  EXPECT_THAT(wanted.program, ElementsAre("./program", "--its", "arguments", "--", "--help"));
  EXPECT_EQ(wanted.profile, (ProfileOptions{"", "gemm|copy", 0, 0, 10, "step"}));
  EXPECT_FALSE(wanted.kernel) << "of the program, not to start with";
  EXPECT_EQ(wanted.size, std::pair(800, 600));
  const CommandLine plain = parsed({"--skip", "2", "--count", "3", "--", "./program"});
  EXPECT_EQ(plain.profile, (ProfileOptions{"", "", 2, 3, 0, ""}));
  EXPECT_THAT(parsed({"s.jsonl", "--kernel", "copy"}).program, IsEmpty());
}

// Stands for a full disk.
struct TakesNothing : std::streambuf {};

TEST(CommandLineOfTheWindow, HelpThatNobodyCanReadIsAFailure) {
  TakesNothing takes_nothing;
  std::streambuf* before = std::cout.rdbuf(&takes_nothing);
  const Answer given = answer({"--help"});
  std::cout.rdbuf(before);
  std::cout.clear();
  EXPECT_FALSE(given.options);
  EXPECT_EQ(given.status, 1);
  EXPECT_EQ(given.err, "rooftile: Standard output cannot be written.\n");
}

TEST(CommandLineOfTheWindow, AMistakeIsNamedWithWhatWasExpected) {
  const struct {
    Words words;
    const char* sentence;
  } rows[] = {
      {{"--size", "1600"}, "--size: expected WIDTHxHEIGHT, such as 1600x960, not '1600'"},
      {{"--size", "1600*960"}, "not '1600*960'"},
      {{"--size", "1600x960x2"}, "not '1600x960x2'"},
      {{"--size", "319x960"}, "not '319x960'"},
      {{"--size", "1600x239"}, "not '1600x239'"},
      {{"--set", "TILE"}, "--set: expected NAME=VALUE, such as TILE=32, not 'TILE'"},
      {{"--set", "=8"}, "not '=8'"},
      {{"--set", "TILE="}, "not 'TILE='"},
      {{"--set", "TILE=8,16"}, "not 'TILE=8,16'"},
      {{"--set", "TILE=8", "--set", "N=1", "--set", "TILE=16"}, "--set: TILE is set twice; name it once"},
      {{"--theme", "pink"}, "pink"},
      {{"--scale", "0.5"}, "0.5"},
      {{"--scale", "4"}, "4"},
      {{"--kernel"}, "--kernel"},
      {{"--"}, "--: name a program after it"},
      {{"--every", "3"}, "name a program after --"},
      {{"s.jsonl", "mine.cu"}, "open a session or a CUDA source, not both"},
      {{"--worker", "'/a b/worker"}, "a quote that is not closed"},
      {{"s.jsonl", "--", "./program"}, "open a file or run a program, not both"},
      {{"--kernel", "gemm(", "--", "./program"}, "\"gemm(\" is no regular expression"},
      {{"--skip", "-1", "--", "./program"}, "--skip"},
  };
  for (const auto& row : rows) {
    const Answer given = answer(row.words);
    EXPECT_FALSE(given.options) << row.words.back();
    EXPECT_EQ(given.status, 2) << row.words.back();
    EXPECT_THAT(given.err, HasSubstr(row.sentence));
    EXPECT_THAT(given.out, IsEmpty()) << row.words.back();
  }
}

TEST(CommandLineOfTheWindow, HelpIsNoMistakeAndEndsTheProgram) {
  const Answer given = answer({"--help"});
  EXPECT_FALSE(given.options);
  EXPECT_EQ(given.status, 0);
  EXPECT_THAT(given.out,
              HasSubstr("Move a tile-size slider, watch the kernel move on the roofline of your GPU."));
}

// app/window/window.md, which is the manual page.
TEST(CommandLineOfTheWindow, TheReferenceHasEveryOption) {
  std::set<std::string> described, known;
  const std::vector<ReferenceSection> page = reference_page("app/window/window.md");
  for (const auto& row : page.front().rows) {
    const std::string option = literals(row.at(0)).at(0);
    const auto begin = option.find("--");
    described.insert(option.substr(begin, option.find(' ', begin) - begin));
  }
  std::istringstream help(answer({"--help"}).out);
  for (std::string line; std::getline(help, line);) {
    if (const auto begin = line.find("--"); line.starts_with("  -")) {
      known.insert(line.substr(begin, line.find_first_of(" ,", begin) - begin));
    }
  }
  EXPECT_EQ(described, known);
}

}  // namespace
}  // namespace rooftile::conductor
