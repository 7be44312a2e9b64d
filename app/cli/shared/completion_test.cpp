#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

TEST_F(CommandLine, AShellIsToldWhatFitsTheWordThatIsTyped) {
  const struct {
    Arguments words;  // the last is unfinished
    const char* fitting;
  } rows[] = {
      {{"mea"}, "measure\n"},
      {{"bench", "spe"}, "speed\n"},
      {{"measure", "sgemm_ti"}, "sgemm_tiled\nsgemm_tiled_vector\n"},
      {{"measure", "sgemm_tiled", "TI"}, "TILE=\n"},
      {{"measure", "sgemm_tiled", "TILE="}, "TILE=4\nTILE=8\nTILE=16\nTILE=32\n"},
      {{"measure", "sgemm_tiled", "--cach"}, "--caches\n"},
      {{"measure", "sgemm_tiled", "--caches", "w"}, "warm\n"},
      {{"predict", "sgemm_tiled", "--gpu", "RTX 409"}, "RTX 4090\n"},
      {{"report", "no_such"}, ""},
  };
  for (const auto& row : rows) {
    Arguments words = {"complete", "--"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.how, ok) << outcome.err;
    EXPECT_EQ(outcome.out, row.fitting) << ::testing::PrintToString(row.words);
  }
}

TEST_F(CommandLine, BashCompletesADial) {
  const Outcome outcome = run_in_shell(
      "exec bash -c 'source \"$1\"; COMP_WORDBREAKS=\" =\"; COMP_LINE=\"$0 measure sgemm_tiled TILE=1\"; "
      "COMP_POINT=${#COMP_LINE}; _rooftile_cli; printf \"%s\\n\" \"${COMPREPLY[@]}\"' ",
      {ROOFTILE_SOURCE_DIR "/app/cli/completion/rooftile-cli.bash"});
  EXPECT_EQ(outcome.out, "16\n") << outcome.err;
}

}  // namespace
}  // namespace rooftile::cli
