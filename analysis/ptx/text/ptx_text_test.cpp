// PTX to a program: declarations, scopes, operands, and what is no PTX.
#include "analysis/ptx/text/ptx_text.hpp"

#include <gmock/gmock.h>

#include "analysis/ptx/work/test_kernel.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::string& text, const char* entry = "") {
  try {
    parse_ptx(text, entry);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PtxText, TheKernelThatIsMeantIsRead) {
  const std::string two = kernel_text("ret;") + ".entry other()\n{\n\ttrap;\n}\n";
  EXPECT_EQ(parse_ptx(two).entry, "kernel");
  EXPECT_EQ(parse_ptx(two, "other").instructions.size(), 1u);
  EXPECT_EQ(refusal(two, "third"), "The PTX has no kernel named third.");
  EXPECT_EQ(refusal(""), "The PTX has no kernel.");
  EXPECT_EQ(refusal(".entry nothing() { }"), "The kernel nothing of the PTX has no instructions.");
}

TEST(PtxText, ParametersLieAtMultiplesOfTheirSize) {
  const Program program = parse_ptx(
      ".entry k(\n.param .u32 a,\n.param .u64 .ptr .global .align 4 b,\n.param .align 64 .b8 c[128]\n)\n{ ret; "
      "}");
  std::vector<int> offsets;
  for (const EntryParameter& parameter : program.parameters) {
    offsets.push_back(parameter.offset);
  }
  EXPECT_THAT(offsets, ElementsAre(0, 8, 64));
  EXPECT_EQ(program.parameter_bytes, 192);
}

TEST(PtxText, DynamicSharedMemoryBeginsBehindAllOther) {
  const Program program = parse_ptx(kernel_text(
      ".shared .align 8 .b8 fixed[40];\nld.shared.f32 %f1, [rest+4];\nst.shared.f32 [fixed+8], %f1;\nret;",
      ".extern .shared .align 16 .b8 rest[];\n"));
  EXPECT_EQ(program.static_shared_bytes, 48);
  std::vector<std::uint64_t> addresses;
  for (const Operand& operand : program.operands) {
    if (operand.kind == Operand::Kind::address && operand.value >= 8) {
      addresses.push_back(operand.value);
    }
  }
  EXPECT_THAT(addresses, ElementsAre(8, 16, 52, 8)) << "two parameters, then both arrays";
}

TEST(PtxText, BracesHaveRegistersAndLabelsOfTheirOwn) {
  const std::string body = R"(
	{
	.reg .pred done;
again: setp.eq.s32 done, %r1, %r1;
@!done bra again;
	}
	{
	.reg .pred done;
again: setp.eq.s32 done, %r1, %r1;
@!done bra again;
	}
	ret;)";
  const Program program = parse_ptx(kernel_text(body));
  std::vector<int> targets;
  for (const Instruction& instruction : program.instructions) {
    if (instruction.op == Op::bra) {
      targets.push_back(instruction.target);
    }
  }
  EXPECT_THAT(targets, ElementsAre(1, 2));
}

TEST(PtxText, OnlyWhatMayDecideAnAddressOrABranchIsExecuted) {
  const Program program = parse_ptx(kernel_text(R"(
	add.s64 	%rd3, %rd1, 4;
	add.s64 	%rd4, %rd1, 8;
	fma.rn.f32 	%f1, %f2, %f3, %f4;
	ld.global.f32 	%f5, [%rd3];
	ret;)"));
  std::vector<std::string> executed;
  for (const Instruction& instruction : program.instructions) {
    if (instruction.executed) {
      executed.push_back(program.name_of(instruction));
    }
  }
  EXPECT_THAT(executed, ElementsAre("ld.param.u64", "add.s64", "ld.global.f32", "ret"));
}

TEST(PtxText, LinesOfTheSourceGoWithTheirInstructions) {
  const Program program =
      parse_ptx(kernel_text(".loc\t1 14 3\nmov.f32 %f1, %f2;\n.loc\t2 97 5, function_name $L__info_string1, "
                            "inlined_at 1 110 8\nmov.f32 %f1, %f3;\n"
                            ".loc\t1 0 0\nret;",
                            "\t.file\t2 \"/cuda/include/\\303\\244.h\", 12, 13\n"));
  const auto& all = program.instructions;
  EXPECT_EQ(all[all.size() - 3].source, (SourceLine{1, 14}));
  EXPECT_EQ(all[all.size() - 2].source, (SourceLine{1, 110})) << "the line that calls what is in the header";
  EXPECT_EQ(all[all.size() - 1].source, (SourceLine{1, 110})) << "line 0 is none";
  EXPECT_THAT(program.files, ElementsAre("", "/somewhere/kernel.cu", HasSubstr(".h")));
}

TEST(PtxText, WhatAHeaderInlinesFromAHeaderBelongsToTheKernelsLine) {
  const Program program =
      parse_ptx(kernel_text(".loc\t1 14 3\nmov.f32 %f1, %f2;\n"
                            ".loc\t2 20 5, function_name $a, inlined_at 1 40 8\n"
                            "mov.f32 %f1, %f3;\n"
                            ".loc\t2 97 5, function_name $b, inlined_at 2 20 5\n"
                            "mov.f32 %f1, %f3;\n"
                            ".loc\t1 30 5, function_name $c, inlined_at 1 50 8\n"
                            "mov.f32 %f1, %f3;\nret;",
                            "\t.file\t2 \"/cuda/include/a.h\", 12, 13\n"));
  std::vector<int> lines;
  for (const Instruction& x : program.instructions) {
    if (x.source.line > 0 && program.name_of(x) == "mov.f32") {
      lines.push_back(x.source.line);
      EXPECT_EQ(x.source.file, 1);
    }
  }
  EXPECT_THAT(lines, ElementsAre(14, 40, 40, 30)) << "a function of the kernel's file keeps its own lines";
}

struct Wrong {
  const char* body;
  const char* sentence;
};

TEST(PtxText, WhatIsNoPtxIsToldWithItsLine) {
  const Wrong rows[] = {
      {"mov.u32 %r10 %r11;\n", "Line 24 of the PTX: expected \";\", found \"%r11;\"."},
      {"mov.u32 %r99, %r1;\n",
       "Line 24 of the PTX: expected a name that is declared before \"%r99\", found \", %r1;\"."},
      {"bra nowhere;\n", "Line 24 of the PTX: there is no label nowhere."},
      {"ld.global.f32 %f1, [%rd1+x];\n", "Line 24 of the PTX: expected a number, found \"];\"."},
      {".reg .b32 %many<2000000>;\n", "Line 24 of the PTX: expected fewer registers, found \";\"."},
      {".shared .b8 huge[99999999999];\n", "Line 24 of the PTX: expected less shared memory, found \";\"."},
      {"@%r mov.u32 %r10, 0;\n", "declared before \"%r\""},
      {"!;\n", "Line 24 of the PTX: expected an instruction, found \"!;\"."},
  };
  for (const Wrong& row : rows) {
    EXPECT_THAT(refusal(kernel_text(row.body)), HasSubstr(row.sentence)) << row.body;
  }
}

TEST(PtxText, PtxThatIsCutOffAnywhereIsASentence) {
  const std::string whole = kernel_text(
      ".shared .align 8 .b8 fixed[40];\n{ .reg .pred done;\n again: setp.eq.s32 done, %r1, 0x10U;\n@!done bra "
      "again;\n}\n"
      "ld.global.v2.f32 {%f1, %f2}, [%rd1+-8];\n/* a comment */ mov.b64 {%r10, %r11}, %rd2;\nret;",
      ".global .align 4 .u32 numbers[3] = {1, 2, 3};\n.func (.param .b32 r) f(.param .b32 a)\n{ ret; }\n"
      ".section .debug_str\n{\n.b8 95\n}\n");
  const std::size_t end = whole.rfind('}');
  for (std::size_t length = 0; length <= end; ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "") << whole.substr(0, length);
  }
  EXPECT_EQ(refusal(whole), "");
}

}  // namespace
}  // namespace rooftile::ptx
