#include "analysis/source/code/compile_errors.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A log of NVRTC 13.0.
constexpr const char* log_of_nvrtc = R"log(mine.cu does not compile:
/home/u/mine.cu(8): error: expected a ";"
    out[threadIdx.x] = tiel[0][0];
    ^

/home/u/mine.cu(1): error: name followed by "::" must be a class or namespace name
  template <class T> struct Box { typename T::kind kind; };
                                           ^
          detected during instantiation of class "Box<T> [with T=int]" at line 9

/home/u/mine.cu(6): warning #177-D: variable "unused" was declared but never referenced
    int unused;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

/home/u/mine.cu(12): error: no instance of overloaded function "f" matches the argument list
            argument types are: (double **)
  f(x);
  ^
/home/u/mine.cu(11): note #3326-D: function "f(int)" does not match because argument #1 does not match parameter
  __device__ void f(int);
                  ^

/usr/include/mine.cuh(3): error: identifier "there" is undefined
  there();
  ^

4 errors detected in the compilation of "/home/u/mine.cu".)log";

TEST(CompileErrors, StandAtTheirLinesWithAllThatIsSaidOfThem) {
  EXPECT_THAT(
      compile_errors(log_of_nvrtc, "mine.cu"),
      ElementsAre(CompileError{8, "expected a \";\"", {}},
                  CompileError{1,
                               "name followed by \"::\" must be a class or namespace name",
                               {"detected during instantiation of class \"Box<T> [with T=int]\" at line 9"}},
                  CompileError{12,
                               "no instance of overloaded function \"f\" matches the argument list",
                               {"argument types are: (double **)",
                                "/home/u/mine.cu(11): note #3326-D: function \"f(int)\" does not match because "
                                "argument #1 does not match parameter"}}));
}

TEST(CompileErrors, AHeaderThatIsNotFoundStandsAtItsInclude) {
  EXPECT_THAT(compile_errors("mine.cu(1): catastrophic error: cannot open source file \"nix.h\"\n"
                             "  #include \"nix.h\"\n                  ^\n\n",
                             "mine.cu"),
              ElementsAre(CompileError{1, "cannot open source file \"nix.h\"", {}}));
}

TEST(CompileErrors, OtherTextHoldsNone) {
  for (const char* text :
       {"", "\n\n", "ptxas error   : Entry function 'a' uses too much shared data", "mine.cu(x): error: words",
        "mine.cu(0): error: words", "mine.cu(99999999999999): error: words", "mine.cu(4: error: words",
        "not_mine.cu(4): error: words", "error: mine.cu(4)"}) {
    EXPECT_THAT(compile_errors(text, "mine.cu"), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace rooftile
