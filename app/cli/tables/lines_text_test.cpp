#include "app/cli/tables/lines_text.hpp"

#include <gmock/gmock.h>

namespace rooftile::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

SourceProfile profile(std::vector<LineProfile> lines) {
  SourceProfile made;
  made.kernel = "turn";
  made.parameters = {{"TILE", 8}};
  made.gpu = "G";
  made.source = "int i = 0;\nout[i] = in[i];\n";
  made.lines = std::move(lines);
  made.sampling_period = 512;
  return made;
}

using Figure = std::optional<double>;

LineProfile line(int number, Figure executed = {}, Figure threads = {}, Figure sectors = {},
                 Figure ideal_sectors = {}, Figure wavefronts = {}, Figure ideal_wavefronts = {}) {
  return {number, executed, threads, sectors, ideal_sectors, wavefronts, ideal_wavefronts, {}};
}

LineProfile sampled(int number, const std::map<std::string, double>& stalls) {
  LineProfile made = line(number);
  made.stalls = stalls;
  return made;
}

TEST(LinesText, AnEmptyProfileShowsTheSourceAlone) {
  EXPECT_EQ(
      text(profile({})),
      "turn  TILE=8\nG, cold caches\n\n"
      "samples  top stall  executed  threads  sectors / ideal  wavefronts / ideal  line\n"
      "                                                                               1  int i = 0;\n"
      "                                                                               2  out[i] = in[i];\n"
      "                                                                                  (all)\n");
}

TEST(MachineText, TellsInstructionsInTheirOrderBelowTheirLines) {
  SourceProfile made = profile({line(2, 108)});
  made.instructions = {{0, "", "S2R R0, SR_TID.X", line(1)},
                       {16, "", "LDG.E R2, [R2.64]", line(2, 100, 3200, 800, 400)},
                       {32, ".L_x_0:", "BRA `(.L_x_0)", line(0, 8)},
                       {4096, "", "EXIT", line(0)}};
  EXPECT_EQ(
      machine_text(made),
      "samples  top stall  executed  threads  sectors / ideal  wavefronts / ideal  offset\n"
      "                                                                                 1  int i = 0;\n"
      "                                                                              0000      S2R R0, "
      "SR_TID.X\n"
      "                                                                                 2  out[i] = in[i];\n"
      "                         100     32.0        800 / 400                        0010      LDG.E R2, "
      "[R2.64]\n"
      "                                                                                 –  (not in this file)\n"
      "                           8                                                  0020      .L_x_0: BRA "
      "`(.L_x_0)\n"
      "                                                                              1000      EXIT\n");
  EXPECT_EQ(machine_text(profile({line(2, 108)})), "") << "nothing tells them";
}

TEST(LinesText, WhatWasNotCountedStaysEmptyOrIsADash) {
  const struct {
    LineProfile line;
    const char* words;
  } rows[] = {
      {line(2, 100, 1600), "                 100     16.0                                          2  out[i]"},
      {line(2, 100), "                 100                                                   2  out[i]"},
      {line(2, 100, {}, 800), "800 / –"},
      {line(2, 100, {}, 800, 400), "800 / 400"},
      {line(2, 100, {}, 0, 0, 64, 32), "64 / 32"},
      {sampled(2, {{"wait", 3}}), "  100 %  wait "},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(text(profile({row.line})), HasSubstr(row.words));
  }
}

TEST(LinesText, WhatBelongsToNoLineOfTheFileIsNamed) {
  EXPECT_THAT(text(profile({line(0, 7), line(2, 3)})), HasSubstr("–  (not in this file)\n"));
  EXPECT_THAT(text(profile({line(2, 3)})), Not(HasSubstr("of no line")));
  EXPECT_THAT(text(profile({line(0, 7), line(2, 3)})), HasSubstr("  10  ")) << "the total counts them";
}

TEST(LinesText, StallsStandLargestFirstWithWhatTheyMeanAndThoseIssuingLeftOut) {
  SourceProfile made = profile({sampled(1, {{"selected", 50}, {"barrier", 10}}),
                                sampled(2, {{"long_scoreboard", 30}, {"barrier", 5}, {"odd", 5}})});
  made.dropped_samples = 4;
  const std::string all = text(made);
  EXPECT_THAT(
      all, HasSubstr("\n100 samples of warps, one every 512 cycles, 4 dropped. Warps that did not issue were\n"
                     "  30 %  long_scoreboard  waiting for global or local memory\n"
                     "  15 %  barrier          " +
                     meaning("barrier") + "\n" + "   5 %  odd              odd\n"));
}

TEST(LinesText, CachesAndNotesAreTold) {
  SourceProfile made = profile({});
  made.caches = Caches::warm;
  made.notes = {"Samples were refused.", "Sectors were not counted."};
  EXPECT_THAT(text(made), HasSubstr("G, warm caches\n"));
  EXPECT_THAT(text(made), testing::EndsWith("(all)\n\nSamples were refused.\nSectors were not counted."));
}

}  // namespace
}  // namespace rooftile::cli
