#include "analysis/platform/questions.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "analysis/platform/run_program.hpp"

namespace rooftile::platform {
namespace {

TEST(Questions, AreAnsweredAsLongAsSomebodyIsThere) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "questions";
  EXPECT_EQ(ask(socket, "a"), std::nullopt);
  {
    const Answerer answerer(socket, [](const std::string& question) { return question.ends_with('a'); });
    EXPECT_EQ(ask(socket, "a"), true);
    EXPECT_EQ(ask(socket, "ab"), false);
    EXPECT_EQ(ask(socket, ""), false);
    EXPECT_EQ(ask(socket, std::string(200'000, 'b') + "a"), true);
  }
  EXPECT_EQ(ask(socket, "a"), std::nullopt);
}

TEST(Questions, ManyAskAtOnce) {
  const TemporaryFolder folder;
  const auto socket = folder.path() / "questions";
  const Answerer answerer(socket, [](const std::string& question) { return question == "7"; });
  std::vector<std::thread> askers;
  for (int thread = 0; thread < 8; ++thread) {
    askers.emplace_back([&] {
      for (int number = 0; number < 50; ++number) {
        EXPECT_EQ(ask(socket, std::to_string(number)), number == 7);
      }
    });
  }
  for (std::thread& asker : askers) {
    asker.join();
  }
}

TEST(Questions, TheFolderMayHaveALongName) {
  const TemporaryFolder folder;
  const auto deep = folder.path() / std::string(150, 'd');
  std::filesystem::create_directory(deep);
  const Answerer answerer(deep / "questions", [](const std::string&) { return true; });
  EXPECT_EQ(ask(deep / "questions", "a"), true);
}

TEST(Questions, WhereThereIsNoFolderThereIsNoSocket) {
  EXPECT_THROW(Answerer("/nowhere/questions", [](const std::string&) { return true; }), Error);
}

}  // namespace
}  // namespace rooftile::platform
