#include "analysis/exchange/compile_commands.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

TEST(CompileCommands, FoldersMacrosAndTheStandardAreThoseOfTheSource) {
  const std::string text = R"([
    {"directory": "/p/build", "file": "../src/a.cu",
     "command": "nvcc -forward-unknown-to-host-compiler -DTILE=16 -D \"T=unsigned int\" -I../include -isystem=/opt/x -isystem /opt/y --use_fast_math -std=c++20 -O3 -c ../src/a.cu -o a.o"},
    {"directory": "/p/build", "file": "/p/src/b.cu", "arguments": ["nvcc", "-I", "../b", "--std=gnu++17", "-c", "b.cu"]},
    {"directory": "/p", "file": "other/c.cu", "arguments": ["nvcc", "-Iinc", "c.cu"]}])";
  const CompileOptions a{{"/p/include", "/opt/x", "/opt/y"},
                         {"-DTILE=16", "-DT=unsigned int", "-use_fast_math", "-std=c++20"}};
  EXPECT_EQ(compile_options(text, "/p/src/a.cu"), a);
  EXPECT_EQ(compile_options(text, "/p/src/b.cu"), (CompileOptions{{"/p/b"}, {"-std=c++17"}}));
  EXPECT_EQ(compile_options(text, "/p/src/header.cuh"), a) << "as its neighbours";
  EXPECT_EQ(compile_options(text, "/p/other/c.cu"), (CompileOptions{{"/p/inc"}, {}}));
  EXPECT_EQ(compile_options(text, "/q/d.cu"), CompileOptions{});
}

TEST(CompileCommands, AnotherFileIsToldOf) {
  for (const char* text : {"", "{", "[{}]", "[1]"}) {
    EXPECT_THROW(compile_options(text, "/p/a.cu"), Error) << text;
  }
}

}  // namespace
}  // namespace rooftile
