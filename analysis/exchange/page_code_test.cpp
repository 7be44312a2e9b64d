#include "analysis/exchange/page_code.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "analysis/manifest/test_manifest.hpp"
#include "analysis/model/compiled_table.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

constexpr const char* source = "extern \"C\" __global__ void copy();";

std::string code_of(const std::string& compiled_source, int block) {
  return fmt::format(
      "{{\"kernel\":\"copy\",\"source_key\":\"{}\",\"compute_capability\":\"8.0\","
      "\"parameters\":{{\"BLOCK\":{}}}}}\n{}\n",
      source_key(compiled_source), block, to_line({0, "copy", fmt::format(".maxntid {}", block), {}}));
}

const Manifest copy = test::read(test::copy_manifest);

// The PTX of a launch with this block on that architecture; "none" where the page does not bring it.
std::string found(const PageCode& code, double block, ComputeCapability cc) {
  const auto ptx = code.find(copy, {{"BLOCK", block}, {"N", 99}}, cc);
  return ptx ? ptx->ptx : "none";
}

TEST(PageCode, IsFoundByTheValuesThatAreCompiled) {
  const PageCode code(code_of(source, 32) + code_of(source, 64), {{"copy", source}});
  EXPECT_EQ(found(code, 32, {9, 0}), ".maxntid 32");
  EXPECT_EQ(found(code, 64, {8, 0}), ".maxntid 64");
  EXPECT_EQ(found(code, 128, {9, 0}), "none");
}

TEST(PageCode, IsNotForOlderArchitectures) {
  const PageCode code(code_of(source, 32), {{"copy", source}});
  EXPECT_EQ(found(code, 32, {7, 5}), "none");
}

TEST(PageCode, OfAnotherSourceIsLeftOut) {
  EXPECT_TRUE(PageCode(code_of("as it was", 32), {{"copy", source}}).empty());
  EXPECT_TRUE(PageCode(code_of(source, 32), {}).empty());
}

TEST(PageCode, OfStrangersIsAnErrorInASentence) {
  for (const char* text : {"<script>", "{}\n{}\n", "{\"kernel\":3}", "[]"}) {
    EXPECT_THROW(PageCode(text, {{"copy", source}}), Error) << text;
  }
}

}  // namespace
}  // namespace rooftile
