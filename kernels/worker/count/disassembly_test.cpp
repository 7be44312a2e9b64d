#include "kernels/worker/count/disassembly.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/run_program.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> words(const std::vector<MachineInstruction>& instructions) {
  std::vector<std::string> all;
  for (const MachineInstruction& each : instructions) {
    all.push_back(std::to_string(each.offset) + " " + each.label + " " + each.text);
  }
  return all;
}

// A listing by nvdisasm of CUDA 13.0, shortened.
constexpr const char* listing = R"(	.target	sm_90

//--------------------- .text.other               --------------------------
	.section	.text.other,"ax",@progbits
	.align	128
        .global         other
other:
.text.other:
        /*0000*/                   EXIT ;
.L_x_0:
        /*0010*/                   BRA `(.L_x_0);

//--------------------- .text.mine                --------------------------
	.section	.text.mine,"ax",@progbits
mine:
.text.mine:
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/               @P0 EXIT ;
        /*0020*/                   CALL.REL.NOINC `($mine$_Z5twicef) ;
        .type           $mine$_Z5twicef,@function
$mine$_Z5twicef:
        /*0120*/                   FADD R7, R2, R2 ;
.L_x_1:
        /*0160*/                   BRA `(.L_x_1);
        /*0170*/                   NOP;
        /*0180*/                   NOP;
.L_x_2:
	.section	.nv.constant0.mine,"a",@progbits
        /*0000*/ 	.byte	0x00, 0x00
)";

TEST(Disassembly, HoldsTheKernelAndWhatItCalls) {
  EXPECT_THAT(words(instructions_of(listing, "mine")),
              ElementsAre("0  S2R R0, SR_TID.X", "16  @P0 EXIT", "32  CALL.REL.NOINC `($mine$_Z5twicef)",
                          "288 $mine$_Z5twicef: FADD R7, R2, R2", "352 .L_x_1: BRA `(.L_x_1)"));
  EXPECT_THAT(words(instructions_of(listing, "other")), ElementsAre("0  EXIT", "16 .L_x_0: BRA `(.L_x_0)"));
}

TEST(Disassembly, OfAnotherKernelOrOfNoListingIsEmpty) {
  for (const char* text :
       {listing, "", "nvdisasm fatal: unknown architecture", "/*zz*/ EXIT ;", ".text.yours:"}) {
    EXPECT_THAT(instructions_of(text, "yours"), IsEmpty()) << text;
  }
}

TEST(Disassembly, RunsTheProgramOfTheToolkit) {
  const platform::TemporaryFolder toolkit;
  std::filesystem::create_directories(toolkit.path() / "bin");
  const std::filesystem::path program = toolkit.path() / "bin" / "nvdisasm";
  std::ofstream(program) << "#!/bin/sh\nprintf '.text.%s:\\n/*0000*/ EXIT ;\\n' \"$(cat $2)\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", (program.parent_path().string() + ":" + path).c_str(), 1);
  EXPECT_THAT(words(disassemble("mine", "mine")), ElementsAre("0  EXIT"));
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace rooftile::worker
