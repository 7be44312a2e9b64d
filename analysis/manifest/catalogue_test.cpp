#include "analysis/manifest/catalogue.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A family of one kernel in two texts.
constexpr const char* shared_by_sorts = R"toml(group = "Sorting"

[[parameter]]
name = "N"
role = "size"
values = [1024, 4096]
range = [1, 8192]
default = 1024

[[buffer]]
name = "keys"
element = "int"
count = "N"
role = "in_out"

[launch]
arguments = [{ buffer = "keys" }, { int = "N" }]

[work]
elements = "N"
elements_label = "keys"

[traffic]
compulsory_dram = "8 * N"

[verify]
source = "reference.cu"
entry = "reference"
grid = [1]
block = [32]
tolerance = 0

[problem.ascending]

[problem.pairs]
group = "Pairs"

[[problem.pairs.buffer]]
name = "values"
count = "N"
role = "in_out"

[problem.pairs.launch]
arguments = [{ buffer = "keys" }, { buffer = "values" }, { int = "N" }]
)toml";

constexpr const char* radix_sort = R"toml(title = "Radix sort"
idea = "digit by digit"
problem = "ascending"

[[parameter]]
name = "BLOCK"
values = [64, 128]
default = 64

[launch]
grid = ["ceil_div(N, BLOCK)"]
block = ["BLOCK"]
)toml";

constexpr const char* own_kernel = R"toml(title = "Own"
idea = "stands alone"

[[buffer]]
name = "data"
count = 32
role = "in_out"

[launch]
arguments = [{ buffer = "data" }]
grid = [1]
block = [32]

[work]
elements = 32
elements_label = "numbers"

[traffic]
compulsory_dram = 256
)toml";

// Texts as files: no test of this one touches a disk.
class CatalogueTest : public testing::Test {
 protected:
  CatalogueTest() {
    files_["sort/problem.toml"] = shared_by_sorts;
    files_["sort/reference.cu"] = "";
    add("sort/radix", radix_sort);
  }

  void add(const std::string& folder, const std::string& manifest) {
    const std::filesystem::path path = folder;
    files_[path / "kernel.toml"] = manifest;
    files_[path / (path.filename().string() + ".cu")] = "";
    kernels_.push_back(path / "kernel.toml");
  }

  void replace(const std::string& file, const std::string& before, const std::string& after) {
    std::string& text = files_.at(file);
    ASSERT_NE(text.find(before), std::string::npos) << before;
    text.replace(text.find(before), before.size(), after);
  }

  Catalogue read() const {
    return read_catalogue(kernels_, [&](const std::filesystem::path& file) {
      const auto found = files_.find(file);
      return found == files_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  Manifest radix() const { return find_kernel(read(), "radix"); }
  std::vector<std::string> mistakes() const { return sentences(read().mistakes); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Manifest& manifest : read().kernels) {
      names.push_back(manifest.group + ": " + manifest.name);
    }
    return names;
  }

  std::map<std::filesystem::path, std::string> files_;
  std::vector<std::filesystem::path> kernels_;
};

TEST_F(CatalogueTest, AKernelHasWhatItsProblemStates) {
  const Manifest manifest = radix();
  EXPECT_EQ(manifest.family, "sort");
  EXPECT_EQ(manifest.problem, "ascending");
  EXPECT_EQ(manifest.group, "Sorting");
  EXPECT_EQ(manifest.source, "sort/radix/radix.cu");
  EXPECT_EQ(manifest.verify.value().source, "sort/reference.cu");  // beside the file that names it
  ASSERT_EQ(manifest.parameters.size(), 2);
  EXPECT_EQ(manifest.parameters[0].name, "BLOCK");  // its dials before the sizes of the problem
  EXPECT_EQ(manifest.parameters[1].name, "N");
  EXPECT_EQ(manifest.arguments.size(), 2);
  EXPECT_EQ(manifest.elements_label, "keys");
}

TEST_F(CatalogueTest, WhatAKernelStatesItselfCounts) {
  add("sort/pairs", R"toml(title = "Pairs"
idea = "values go with their keys"
problem = "pairs"

[[parameter]]
name = "N"
default = 4096

[[buffer]]
name = "values"
element = "double"

[launch]
grid = [1]
block = [32]

[traffic]
compulsory_dram = "24 * N"
)toml");
  const Manifest pairs = find_kernel(read(), "pairs");
  EXPECT_EQ(pairs.group, "Pairs");
  ASSERT_EQ(pairs.parameters.size(), 1);
  EXPECT_EQ(pairs.parameters[0].default_value.text(), "4096");
  EXPECT_EQ(pairs.parameters[0].values, (std::vector<double>{1024, 4096}));  // as the family has them
  ASSERT_EQ(pairs.buffers.size(), 2);
  EXPECT_EQ(pairs.buffers[1].element_bytes, 8);
  EXPECT_EQ(pairs.arguments.size(), 3);  // the problem's, not the family's
  EXPECT_EQ(pairs.compulsory_dram_bytes.text(), "24 * N");
  EXPECT_EQ(radix().compulsory_dram_bytes.text(), "8 * N");
}

TEST_F(CatalogueTest, LetsOfAFamilyAreItsKernelsTooAndEachMayHaveItsOwn) {
  replace("sort/problem.toml", "[launch]", "[let]\nmoved = \"passes * N\"\npasses = 2\n\n[launch]");
  replace("sort/problem.toml", "\"8 * N\"", "\"8 * moved\"");
  EXPECT_EQ(radix().compulsory_dram_bytes.evaluate({{"N", 10}}), 160);
  replace("sort/radix/kernel.toml", "[launch]", "[let]\npasses = \"BLOCK / 16\"\n\n[launch]");
  EXPECT_EQ(radix().compulsory_dram_bytes.evaluate({{"N", 10}, {"BLOCK", 64}}), 320);
}

TEST_F(CatalogueTest, AMistakeIsToldWithItsPlaceAndLeavesOutOnlyItsKernels) {
  const struct {
    const char* file;
    const char* before;
    const char* after;
    const char* mistake;
  } rows[] = {
      {"sort/radix/kernel.toml", "idea", "ideal",
       "sort/radix/kernel.toml:2: unknown key \"ideal\"; did you mean \"idea\"?"},
      {"sort/radix/kernel.toml", "\"ascending\"", "\"descending\"",
       "sort/radix/kernel.toml:3: sort/problem.toml has no problem \"descending\"; it has ascending, pairs"},
      {"sort/radix/kernel.toml", "[launch]", "[[parameter]]\nname = \"N\"\nrole = \"dial\"\n\n[launch]",
       "sort/radix/kernel.toml:12: N has the role \"size\" in its problem.toml, not \"dial\"; leave \"role\" "
       "out"},
      {"sort/radix/kernel.toml", "[launch]", "[[buffer]]\nname = \"keys\"\nrole = \"input\"\n\n[launch]",
       "sort/radix/kernel.toml:12: keys has the role \"in_out\" in its problem.toml, not \"input\""},
      {"sort/radix/kernel.toml", "[launch]",
       "[[parameter]]\nname = \"N\"\nvalues = [7]\nrange = [7, 9]\n\n[launch]",
       "sort/radix/kernel.toml:12: the default 1024 of N is not one of its values"},
      {"sort/radix/kernel.toml", "grid = [\"ceil_div(N, BLOCK)\"]\n", "",
       "sort/radix/kernel.toml:10: \"grid\" is missing in [launch]"},
      {"sort/problem.toml", "[1024, 4096]", "1024",
       "sort/problem.toml:6: \"values\" in [[parameter]] must be an array of numbers"},
      {"sort/problem.toml", "compulsory_dram", "compulsory",
       "sort/problem.toml:24: unknown key \"compulsory\" in [traffic]"},
      {"sort/problem.toml", "\"Sorting\"", "Sorting", "sort/problem.toml:1: not valid TOML: "},
      {"sort/problem.toml", "reference.cu", "refrence.cu",
       "sort/problem.toml:27: \"source\": there is no file sort/refrence.cu"},
      {"sort/problem.toml", "[[parameter]]", "[[parameters]]",
       "sort/problem.toml:3: unknown key \"parameters\"; did you mean \"parameter\"?"},
  };
  add("own", own_kernel);
  add("sort/merge", radix_sort);
  const auto whole = files_;
  for (const auto& row : rows) {
    files_ = whole;
    replace(row.file, row.before, row.after);
    EXPECT_THAT(mistakes(), ElementsAre(HasSubstr(row.mistake))) << row.after;  // once, also if of two kernels
    EXPECT_THAT(names(), testing::Contains("Own kernels: own")) << row.after;
    EXPECT_THAT([&] { radix(); }, testing::ThrowsMessage<Error>(HasSubstr(row.mistake))) << row.after;
  }
}

TEST_F(CatalogueTest, AKernelOfAFamilyWithoutItsProblemSaysWhatIsMissing) {
  files_.erase("sort/problem.toml");
  EXPECT_THAT(
      mistakes(),
      ElementsAre("sort/radix/kernel.toml:3: the problem \"ascending\" stands in sort/problem.toml, which "
                  "is not there: bring it along, or state here what it says"));
}

TEST_F(CatalogueTest, AKernelThatNamesNoProblemStandsAloneAlsoBesideOne) {
  add("sort/own", own_kernel);
  EXPECT_THAT(mistakes(), IsEmpty());
  EXPECT_TRUE(find_kernel(read(), "own").parameters.empty());
}

TEST_F(CatalogueTest, KeepsAGroupTogether) {
  kernels_.clear();
  const auto of = [](const std::string& group, int order) {
    return fmt::format("group = \"{}\"\norder = {}\n{}", group, order, own_kernel);
  };
  add("first_stream", of("Streams", 1));
  add("sort", of("Sorting", 2));
  add("last_stream", of("Streams", 3));
  add("beta", of("Sorting", 3));
  add("alpha", of("Sorting", 3));
  EXPECT_THAT(names(), ElementsAre("Streams: first_stream", "Streams: last_stream", "Sorting: sort",
                                   "Sorting: alpha", "Sorting: beta"));
}

TEST_F(CatalogueTest, OfTwoKernelsWithOneNameTheFirstStays) {
  add("here/own", own_kernel);
  add("there/own", own_kernel);
  EXPECT_THAT(mistakes(),
              ElementsAre("there/own/kernel.toml: here/own/kernel.toml is a kernel of the same name; "
                          "rename the folder of one of them"));
  EXPECT_EQ(find_kernel(read(), "own").file, "here/own/kernel.toml");
}

TEST_F(CatalogueTest, AnUnknownKernelIsAnsweredWithTheKnownOnes) {
  EXPECT_THAT([&] { find_kernel(read(), "radx"); },
              testing::ThrowsMessage<Error>("there is no kernel \"radx\"; known are radix"));
}

}  // namespace
}  // namespace rooftile
