// The verb with programs that are shell scripts: they leave the records that the library in them would.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/record/records.hpp"
#include "analysis/roofline/example_point.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Check : public CommandLine {
 protected:
  // A program whose kernel takes so long, up to 1 % more or less in the next runs.
  std::string program(double time_us) {
    std::string script = "n=$(cat run 2>/dev/null || echo 0); echo $(((n + 1) % 3)) >run; ";
    for (int run = 0; run < 3; ++run) {
      Point point = example::counted_gemm();
      const Seconds time{1e-6 * time_us * (0.99 + 0.01 * run)};
      point.id = 1;
      point.timing = Timing{time, time, time, 10, {}, {}};
      point.program = ProgramLaunches{10, 0, 1, 10.0 * time, 1};
      point.final = true;
      write("records" + std::to_string(run),
            to_line(Header{record_version, "rooftile", "", "2026", {}}) + "\n" + to_line(point) + "\n");
    }
    return "cd " + file("").string() + "; " + script + "cp records$n $ROOFTILE_PROFILE_FOLDER/$$.jsonl";
  }
  Outcome check(const std::string& script, Arguments options = {}, const Arguments& before = {}) const {
    Arguments words = before;
    words.insert(words.end(), {"check", file("baseline.jsonl").string()});
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "sh", "-c", script});
    return run(words);
  }
};

TEST_F(Check, AProgramThatBecameSlowerEndsWithOneAndAsFastWithZero) {
  EXPECT_EQ(check(program(100), {"--record"}).how, ok);
  EXPECT_EQ(check(program(101)).how, ok);
  const std::string markdown = file("summary.md").string(), later = file("later.jsonl").string();
  const Outcome slower = check(program(120), {"--markdown", markdown, "-o", later});
  EXPECT_EQ(slower.how, "ended with status 1");
  EXPECT_THAT(slower.err,
              AllOf(HasSubstr("more time"), HasSubstr("take 1.2 times as long"), HasSubstr(": slower.")));
  EXPECT_THAT(text_of("summary.md"),
              AllOf(StartsWith("## rooftile check: failed"), HasSubstr("| more time |")));
  EXPECT_EQ(check(program(120), {"--tolerance", "0.3"}).how, ok);
  const std::string baseline = file("baseline.jsonl").string();
  EXPECT_EQ(run({"check", baseline, "--session", later}).how, "ended with status 1");
  EXPECT_EQ(run({"check", later, "--session", baseline}).how, ok) << "faster";
}

TEST_F(Check, JsonHoldsEachRatioWithItsInterval) {
  EXPECT_EQ(check(program(100), {"--record"}).how, ok);
  const auto json = nlohmann::json::parse(check(program(120), {}, {"--json"}).out);
  EXPECT_EQ(json["passed"], false);
  EXPECT_EQ(json["runs"], 6);
  const auto& kernel = json["kernels"][0];
  EXPECT_EQ(kernel["answer"], "worse");
  EXPECT_GT(kernel["ratios"]["time"]["low"], 1.15);
  EXPECT_LT(kernel["ratios"]["time"]["high"], 1.25);
  EXPECT_EQ(kernel["ratios"]["flops"]["median"], 1);
}

TEST_F(Check, WhatCannotBeCheckedSaysWhy) {
  EXPECT_THAT(check("exit 0", {"--record"}).err,
              HasSubstr("nothing is recorded. The program did not start CUDA"));
  EXPECT_THAT(check("exit 3", {"--record"}).err, HasSubstr("The program ended with status 3."));
  EXPECT_EQ(run({"check", file("baseline.jsonl").string()}).how, misused);
}

}  // namespace
}  // namespace rooftile::cli
