#include "analysis/exchange/tuner_file.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "analysis/roofline/example_point.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

nlohmann::ordered_json tuner_cache() {
  return {{"schema_version", "1.1.0"},
          {"device_name", "NVIDIA RTX A4000"},
          {"kernel_name", "vector_add"},
          {"problem_size", 1000000},
          {"tune_params_keys", {"block_size_x", "vector", "use_padding"}},
          {"tune_params", {{"block_size_x", {128, 256}}, {"vector", {1, 2}}, {"use_padding", {true, false}}}},
          {"objective", "time"},
          {"cache",
           {{"128,1,True",
             {{"block_size_x", 128},
              {"vector", 1},
              {"use_padding", true},
              {"time", 0.05},
              {"times", {0.12, 0.03, 0.04}},
              {"compile_time", 440.9}}},
            {"256,2,False",
             {{"block_size_x", 256},
              {"vector", 2},
              {"use_padding", false},
              {"time", "CompilationFailedConfig"}}}}}};
}

TEST(TunerFile, WhatIsNotANumberSpoilsItsOwnEntryAlone) {
  for (const char* word : {"NaN", "Infinity", "-Infinity"}) {
    std::string text = tuner_cache().dump();
    text.replace(text.find("0.05"), 4, word);
    text.replace(text.find("[0.12,0.03,0.04]"), 16, std::string("[") + word + "]");
    text.replace(text.find("CompilationFailedConfig"), 23, "\\\"NaN: Infinity");
    const TunedLaunches read = read_tuner_file(text, "cache.json");
    EXPECT_EQ(read.left_out.size(), 1u) << word;
    ASSERT_EQ(read.points.size(), 1u) << word;
    EXPECT_EQ(read.points[0].failure, "Kernel Tuner: \"NaN: Infinity");
  }
}

TEST(TunerFile, DeepNestingIsRefused) {
  std::string deep = R"({"cache": )";
  for (int i = 0; i < 100'000; ++i) {
    deep += R"({"a":)";
  }
  EXPECT_THAT([&] { read_tuner_file(deep + "1" + std::string(100'000, '}') + "}", "cache.json"); },
              testing::ThrowsMessage<Error>(HasSubstr("cache.json: is nested")));
}

TEST(TunerFile, TooManyEntriesThatCannotBeReadEndTheReading) {
  std::string text = R"({"results": [0)";
  for (int i = 0; i < 20'000; ++i) {
    text += ",0";
  }
  const TunedLaunches read = read_tuner_file(text + "]}", "results.json");
  EXPECT_LE(read.left_out.size(), 10'001u);
  EXPECT_THAT(read.left_out.back(), HasSubstr("the rest of the file is left out"));
}

TEST(TunerFile, AnEntryOfACacheIsALaunch) {
  const TunedLaunches read = read_tuner_file(tuner_cache().dump(), "cache.json");
  EXPECT_THAT(read.left_out, IsEmpty());
  ASSERT_EQ(read.points.size(), 2u);
  const Point& timed = read.points[0];
  EXPECT_EQ(timed.kernel, "vector_add");
  EXPECT_EQ(timed.gpu, "NVIDIA RTX A4000");
  EXPECT_EQ(timed.parameters, (Parameters{{"block_size_x", 128}, {"vector", 1}, {"use_padding", 1}}));
  EXPECT_EQ(timed.launch.block, (Dim3{128, 1, 1}));
  EXPECT_DOUBLE_EQ(timed.timing->median.value, 4e-5);
  EXPECT_DOUBLE_EQ(timed.timing->fastest.value, 3e-5);
  EXPECT_DOUBLE_EQ(timed.timing->slowest.value, 1.2e-4);
  EXPECT_EQ(timed.timing->launches, 3);
  EXPECT_EQ(timed.caches, Caches::warm);
  EXPECT_FALSE(timed.failure);
  EXPECT_EQ(read.points[1].failure, "Kernel Tuner: CompilationFailedConfig");
  EXPECT_FALSE(read.points[1].timing);
}

TEST(TunerFile, ACacheThatIsStillWrittenToIsRead) {
  std::string text = tuner_cache().dump();
  text.resize(text.rfind("}}"));
  EXPECT_EQ(read_tuner_file(text + ",\n", "cache.json").points.size(), 2u);
}

TEST(TunerFile, AnEntryThatCannotBeUsedIsToldAndTheOthersStay) {
  nlohmann::ordered_json cache = tuner_cache();
  cache["cache"]["a"] = {{"block_size_x", "wide"}, {"vector", 1}, {"use_padding", true}, {"time", 1}};
  cache["cache"]["b"] = {{"block_size_x", 128}, {"vector", 1}, {"use_padding", true}};
  cache["cache"]["c"] = {{"block_size_x", 128}, {"vector", 1}, {"use_padding", true}, {"time", -1}};
  cache["cache"]["d"] = 7;
  const TunedLaunches read = read_tuner_file(cache.dump(), "cache.json");
  EXPECT_EQ(read.points.size(), 2u);
  EXPECT_THAT(
      read.left_out,
      ElementsAre("cache.json: cache.a: block_size_x must be a number", "cache.json: cache.b: has no time",
                  HasSubstr("cache.json: cache.c: point.timing.median_s must be a number from 0"),
                  "cache.json: cache.d: block_size_x must be a number"));
}

TEST(TunerFile, WhatIsNeitherIsRefused) {
  for (const char* text : {"", "[]", "7", "{", "{\"cache\": []}", "{\"results\": {}}", "{\"cache\": {}}"}) {
    EXPECT_THROW(read_tuner_file(text, "cache.json"), Error) << text;
  }
}

std::vector<Point> swept() {
  Point good = example::counted_gemm(), wrong = good, broken = good, hung = good;
  good.parameters = {{"TILE", 32}, {"N", 2048}};
  good.phases = {{"compile", {0.04}}, {"verify", {0.01}}, {"time", {0.1}}};
  wrong.verification->passed = false;
  broken.compiled.reset();
  broken.timing.reset();
  broken.failure = "does not compile";
  hung.timing.reset();
  hung.failure = "took longer than 60 s";
  return {good, wrong, broken, hung};
}

// Required keys and types are those of kernel_tuner/schema/T4/1.0.0/results-schema.json of Kernel Tuner.
TEST(TunerFile, ResultsKeepToTheSchema) {
  const json all = json::parse(tuner_results(swept(), "2026-01-01T00:00:00Z"));
  EXPECT_THAT(all.at("schema_version").get<std::string>(), testing::MatchesRegex(R"([0-9]+\.[0-9]+\.[0-9]+)"));
  const std::set<std::string> words = {"timeout",     "compile",     "runtime",
                                       "correctness", "constraints", "correct"};
  ASSERT_EQ(all.at("results").size(), 4u);
  for (const json& result : all.at("results")) {
    EXPECT_TRUE(result.at("timestamp").is_string());
    EXPECT_TRUE(result.at("configuration").is_object());
    EXPECT_TRUE(result.at("objectives").is_array());
    EXPECT_TRUE(result.at("times").is_object());
    EXPECT_TRUE(result.at("times").at("runtimes").is_array());
    EXPECT_TRUE(words.contains(result.at("invalidity")));
    EXPECT_TRUE(result.at("correctness").is_number());
    for (const json& measurement : result.at("measurements")) {
      EXPECT_TRUE(measurement.at("name").is_string());
      EXPECT_TRUE(measurement.at("value").is_number());
      EXPECT_TRUE(measurement.at("unit").is_string());
    }
  }
}

TEST(TunerFile, ResultsHoldWhatWasMeasured) {
  const json results = json::parse(tuner_results(swept(), "2026")).at("results");
  const json& good = results[0];
  EXPECT_EQ(good.at("configuration"), json({{"TILE", 32}, {"N", 2048}}));
  EXPECT_EQ(good.at("configuration").at("TILE").dump(), "32") << "not 32.0";
  EXPECT_EQ(good.at("times").at("compilation_time"), 40);
  EXPECT_EQ(good.at("times").at("validation"), 10);
  EXPECT_EQ(good.at("measurements").at(0), json({{"name", "time"}, {"value", 1.843}, {"unit", "ms"}}));
  std::vector<std::string> words;
  for (const json& result : results) {
    words.push_back(result.at("invalidity"));
  }
  EXPECT_THAT(words, ElementsAre("correct", "correctness", "compile", "runtime"));
}

TEST(TunerFile, WhatIsWrittenIsReadAgain) {
  const TunedLaunches read = read_tuner_file(tuner_results(swept(), "2026"), "results.json");
  ASSERT_EQ(read.points.size(), 4u);
  EXPECT_EQ(read.points[0].parameters, swept()[0].parameters);
  EXPECT_DOUBLE_EQ(read.points[0].timing->median.value, 1.843e-3);
  EXPECT_EQ(read.points[2].failure, "Kernel Tuner: compile");
}

}  // namespace
}  // namespace rooftile
