// The bundled table holds what the compiler makes today.
#include <gmock/gmock.h>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/some_combinations.hpp"

namespace rooftile::worker {
namespace {

// Registers and all else that a kernel needs; where they come from may differ, and what it computes in is no
// need.
Compiled needs_of(Compiled compiled) {
  compiled.from_table = compiled.from_cache = false;
  compiled.half_arithmetic.reset();
  return compiled;
}

TEST(BundledTable, HoldsWhatTheCompilerMakesOfASample) {
  const auto catalogue = platform::load_catalogue_with({}).kernels;
  const CompiledTable table = platform::load_compiled_table(catalogue);
  Nvrtc nvrtc = load_nvrtc().value();
  if (table.compiler != "NVRTC " + nvrtc.version) {
    GTEST_SKIP() << "The table was made by " << table.compiler << ", not by NVRTC " << nvrtc.version;
  }
  const Compiler compiler(std::move(nvrtc), {});
  std::size_t turn = 0;
  for (const Manifest& kernel : catalogue) {
    if (!kernel.library.empty()) {
      continue;
    }
    ASSERT_TRUE(table.kernels.contains(kernel.name)) << kernel.name << " was changed: make the table anew";
    const auto& made = table.kernels.at(kernel.name).made;
    for (const Parameters& place : some_combinations(kernel, 2)) {
      const ComputeCapability cc =
          std::next(made.begin(), static_cast<std::ptrdiff_t>(turn++ % made.size()))->first;
      const auto known = table.find(kernel.name, place, cc);
      ASSERT_TRUE(known) << kernel.name << ' ' << text(place) << ' ' << text(cc);
      EXPECT_EQ(needs_of(*known), needs_of(compiler.compile(kernel, place, cc).compiled))
          << kernel.name << ' ' << text(place) << ' ' << text(cc);
    }
  }
}

// 7.5 to 12.0, as far as a kernel is for them.
TEST(BundledTable, KnowsEveryLegalPlaceOfEveryKernel) {
  const auto catalogue = platform::load_catalogue_with({}).kernels;
  const CompiledTable table = platform::load_compiled_table(catalogue);
  const std::vector<ComputeCapability> all = {{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {12, 0}};
  for (const Manifest& kernel : catalogue) {
    for (const ComputeCapability cc : all) {
      if (kernel.library.empty() && !why_unfit(kernel, cc)) {
        for (const Parameters& place : every_combination(kernel)) {
          EXPECT_TRUE(table.find(kernel.name, place, cc))
              << kernel.name << ' ' << text(place) << ' ' << text(cc);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rooftile::worker
