// sweep --slurm, with commands that stand for those of Slurm: sbatch runs the tasks one after the other.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SlurmVerb : public CommandLine {
 protected:
  SlurmVerb() {
    command("sbatch", R"sh(for word; do
  case $word in --array=*) tasks=${word#--array=} ;; --partition=none) echo "sbatch: error: no such partition" >&2; exit 1 ;; esac
done
: > "$HERE/queue"
(
  for task in $(echo "$tasks" | tr , ' '); do
    echo "$task" >> "$HERE/ran"
    [ "$task" = "$KILLED" ] || SLURM_ARRAY_TASK_ID=$task sh "$word"
  done
  rm "$HERE/queue"
) > /dev/null 2>&1 &
echo 41
)sh");
    command("squeue", R"sh(if [ -e "$HERE/queue" ]; then echo "RUNNING None"; else
  echo "slurm_load_jobs error: Invalid job id specified" >&2
  exit 1
fi
)sh");
  }

  void command(const std::string& name, const std::string& text) const {
    write("bin/" + name, "#!/bin/sh\nHERE=" + file("").string() + "\n" + text);
    fs::permissions(file("bin/" + name), fs::perms::owner_all);
  }
  Outcome sweep(const std::string& tiles, const std::string& variables = "",
                const std::string& options = "--time=5") const {
    return run_in_shell(fmt::format("PATH={}:$PATH {} ", file("bin").string(), variables),
                        {"--worker", SCRIPTED_WORKER, "sweep", "sgemm_tiled", "TILE=" + tiles, "--slurm",
                         options, "-n", "3", "-o", file("s.jsonl").string()});
  }
};

TEST_F(SlurmVerb, TasksMeasureEveryCombinationOnceAndTheirPartsAreJoined) {
  const Outcome outcome = sweep("4,8,16,32");
  EXPECT_EQ(outcome.how, ok) << outcome.err;
  std::multiset<double> tiles;
  for (const Point& point : platform::load_session(file("s.jsonl")).points) {
    tiles.insert(point.parameters.at("TILE"));
  }
  EXPECT_EQ(tiles, (std::multiset<double>{4, 8, 16, 32}));
  EXPECT_FALSE(fs::exists(file("s.jsonl.parts")));
}

TEST_F(SlurmVerb, WhatAKilledTaskLeftIsMeasuredByTheSameCommand) {
  const Outcome killed = sweep("4,8,16,32", "KILLED=2");
  EXPECT_EQ(killed.how, failed);
  EXPECT_THAT(killed.err, AllOf(HasSubstr("3 of 4 combinations are measured. Task 2 ended before its part was"),
                                HasSubstr("The same command measures the rest.")));
  EXPECT_EQ(platform::load_session(file("s.jsonl")).points.size(), 3u) << "as they came, for a window to show";
  EXPECT_EQ(sweep("4,8,16,32").how, ok);
  EXPECT_EQ(platform::load_session(file("s.jsonl")).points.size(), 4u);
  EXPECT_EQ(text_of("ran"), "1\n2\n3\n2\n");
}

TEST_F(SlurmVerb, WhatCannotBeIsToldInASentence) {
  const struct {
    std::string variables, options, sentence;
  } rows[] = {
      {"", "--partition=none", "Slurm refuses the array: sbatch: error: no such partition"},
      {"PATH=/nowhere", "", "sbatch is not found: --slurm needs the commands of Slurm on this machine."}};
  for (const auto& row : rows) {
    const Outcome outcome = sweep("4,8", row.variables, row.options);
    EXPECT_EQ(outcome.how, failed);
    EXPECT_THAT(outcome.err, HasSubstr(row.sentence));
    EXPECT_FALSE(fs::exists(file("s.jsonl.parts")));
  }
  EXPECT_EQ(sweep("4,8,16", "KILLED=1").how, failed);
  EXPECT_THAT(sweep("4,8,32").err, HasSubstr("holds the parts of another sweep"));
}

TEST_F(SlurmVerb, ASweepThatWasEndedGoesOn) {
  const Arguments words = {"--worker", SCRIPTED_WORKER,          "sweep",     "sgemm_tiled",
                           "-o",       file("s.jsonl").string(), "--continue"};
  for (const char* tiles : {"TILE=4,8", "TILE=4,8,16,32", "TILE=4,8,16,32"}) {
    Arguments all = words;
    all.emplace_back(tiles);
    EXPECT_EQ(run(all).how, ok) << tiles;
  }
  EXPECT_EQ(platform::load_session(file("s.jsonl")).points.size(), 4u);
}

}  // namespace
}  // namespace rooftile::cli
