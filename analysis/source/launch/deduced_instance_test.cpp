#include "analysis/source/launch/deduced_instance.hpp"

#include <gmock/gmock.h>

#include "analysis/source/launch/written_launch.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;

TEST(DeducedInstance, AnExpressionHasTheTypeOfItsDeclaration) {
  const std::string text =
      "struct Twice {};\nvoid run(size_t n, const float* in, unsigned int* hits) {\n"
      "  double *x, *y, alpha = 2;\n  int rows, columns = rows * 2;\n  auto b = f();\n  half host[64];\n"
      "  x = y; launch(";
  const std::pair<const char*, const char*> rows[] = {
      {"n", "size_t"},    {"in", "float*"},     {"hits", "unsigned int*"},
      {"x", "double*"},   {"y", "double*"},     {"rows", "int"},
      {"columns", "int"}, {"host", "half*"},    {"b", ""},
      {"unknown", ""},    {"3", "int"},         {"2.0f", "float"},
      {"2.5", "double"},  {"Twice{}", "Twice"}, {"f(3)", ""}};
  for (const auto& [expression, type] : rows) {
    EXPECT_EQ(host_type(text, expression, text.size()), type) << expression;
  }
}

TEST(DeducedInstance, FollowsFromTheTypesThatAreGiven) {
  const KernelTemplate map{"map", {"typename T", "typename F", "int N = 4"}, {"const T *x", "int n", "F f"}};
  EXPECT_EQ(deduced_instance(map, {"double*", "int", "Twice"}), "map<double, Twice>");
  EXPECT_EQ(deduced_instance(map, {"double*", "int", ""}), std::nullopt);
  EXPECT_EQ(deduced_instance({"f", {"int N"}, {"float* x"}}, {"float*"}), std::nullopt);
}

TEST(DeducedInstance, IsOfferedWhereALaunchNamesNone) {
  EXPECT_THAT(
      instances_to_offer("struct Twice { __device__ float operator()(float x) const { return 2 * x; } };\n"
                         "template <typename T, typename F> __global__ void map(T* x, int n, F f) {}\n"
                         "void run(double* x, int n) { map<<<8, 256>>>(x, n, Twice{}); }\n"),
      ElementsAre("map<double, Twice>"));
}

}  // namespace
}  // namespace rooftile
