#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "analysis/manifest/manifest.hpp"
#include "analysis/manifest/manifest_error.hpp"
#include "analysis/manifest/test_manifest.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Manifest, OfMoreMistakesThanAnybodyReadsTheFirstAreTold) {
  std::string text = test::copy_manifest;
  for (int i = 0; i < 300; ++i) {
    text = fmt::format("unknown_{} = 1\n", i) + text;
  }
  try {
    test::read(text);
    FAIL() << "no complaint";
  } catch (const ManifestError& error) {
    EXPECT_EQ(error.mistakes.size(), 101u);
    EXPECT_THAT(error.mistakes.back(), HasSubstr("more than 100 mistakes"));
  }
}

TEST(Manifest, AFileThatNobodyWritesIsNotParsed) {
  EXPECT_THAT(test::complaint("title =", std::string(2 << 20, '\n') + "title ="),
              HasSubstr("kernel.toml has 2.10 MB, and at most 262 kB of TOML are read"));
}

std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

struct Mistaken {
  std::string before, after, complaint;
};

void expect_complaints(const std::vector<Mistaken>& rows) {
  for (const Mistaken& row : rows) {
    EXPECT_THAT(test::complaint(row.before, row.after), HasSubstr(row.complaint)) << row.after;
  }
}

TEST(Manifest, BytesAreTwoDigitsEach) {
  for (const char* wrong : {"0", "0g", "0A", "0x10"}) {
    EXPECT_THAT(test::complaint("{ int = \"N\" }", fmt::format("{{ hex = \"{}\" }}", wrong)),
                HasSubstr("\"hex\" must be bytes in the order of memory"));
  }
  EXPECT_THAT(test::complaint("{ int = \"N\" }", "{ int = \"N\", offset = 4 }"),
              HasSubstr("only a buffer says its offset"));
}

// Somebody else may have sent the folder.
TEST(Manifest, ACompiledKernelNamesNoFileOutsideOfItsFolder) {
  const std::string compiled =
      std::string(test::copy_manifest)
          .replace(std::string_view(test::copy_manifest).find("values = [32, 64, 128]"), 0,
                   "where = \"launch\"\n");
  const struct {
    const char *before, *after, *complaint;
  } rows[] = {
      {"copy.cu", "../copy.cubin", "the files of a compiled kernel lie in its own folder"},
      {"copy.cu\"", "/tmp/copy.cubin\"", "/tmp/copy.cubin does not"},
      {"copy.cu\"", "copy.cubin\"\nverify = \"../expected.npy\"", "expected.npy does not"},
      {"copy.cu\"", "copy.cubin\"\nverify = \"sub/../../expected.npy\"", "expected.npy does not"},
      {"copy.cu\"", "copy.cubin\"\nglobal = [{ name = \"a b\", file = \"/etc/g.npy\" }]",
       "/etc/g.npy does not"},
  };
  for (const auto& row : rows) {
    std::string text = compiled;
    text.replace(text.find(row.before), std::string_view(row.before).size(), row.after);
    try {
      read_manifest("kernels/copy/kernel.toml", [&](const std::filesystem::path& file) {
        return file.filename() == "kernel.toml" ? std::optional(text) : std::optional<std::string>("");
      });
      ADD_FAILURE() << row.after;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(row.complaint)) << row.after;
    }
  }
}

TEST(Manifest, ACompiledKernelHasNothingToCompile) {
  EXPECT_THAT(test::complaint("copy.cu", "copy.cubin"),
              HasSubstr("the kernel is compiled already: BLOCK can only be"));
}

TEST(Manifest, SaysFileLineAndWhatWasExpected) {
  expect_complaints({
      {"role = \"in_out\"\n", "",
       "kernel.toml:22: \"role\" is missing in [[buffer]]; expected a text in quotes"},
      {"\"Copy\"", "7", "kernel.toml:1: \"title\" must be a text in quotes"},
      {"\"Copy\"", "", "kernel.toml:1: not valid TOML: "},
      {"idea", "ideal", "kernel.toml:2: unknown key \"ideal\"; did you mean \"idea\"?"},
      {"copy.cu", "cpoy.cu", "kernel.toml:3: \"source\": there is no file "},
      {"\"copy\"", "\"copy int\"",
       "kernel.toml:4: \"entry\" must be a kernel's name, such as \"sum\" or \"reduce<float, TILE>\", not "
       "\"copy int\""},
      {"\"copy\"", "\"copy<int\"", "kernel.toml:4: \"entry\" must be a kernel's name"},
      {"idea", "options = [\"--time=/etc/passwd\"]\nidea",
       "kernel.toml:2: the option \"--time=/etc/passwd\" is none of those that a kernel may ask for: -D, -U, "},
      {"idea", "include = \"..\"\nidea", "kernel.toml:2: \"include\" must be an array of texts in quotes"},
      {"values = [32, 64, 128]", "values = 32",
       "kernel.toml:8: \"values\" in [[parameter]] must be an array of numbers"},
      {"default = 64", "defualt = 64",
       "kernel.toml:9: unknown key \"defualt\" in [[parameter]]; did you mean \"default\"?"},
      {"default = 64", "default = \"1/0\"", "kernel.toml:9: "},
      {"default = 64", "default = 65", "kernel.toml:9: the default 65 of BLOCK is not one of its values"},
      {"default = 64", "default = \"N\"",
       "kernel.toml:9: default: the expression \"N\" cannot be read at column 1"},
      {"name = \"N\"", "name = \"BLOCK\"", "kernel.toml:12: the name BLOCK is taken"},
      {"name = \"N\"", "name = \"sms\"", "kernel.toml:12: the name sms is taken"},
      {"\"size\"", "\"sice\"", "kernel.toml:13: \"role\" must be one of dial, size, scalar, not \"sice\""},
      {"[1, 4096]", "[1]", "kernel.toml:15: \"range\" must be two numbers"},
      {"N >= BLOCK", "N >= BLOK",
       "kernel.toml:19: require: the expression \"N >= BLOK\" cannot be read at column 6: \"BLOK\" is unknown"},
      {"role = \"in_out\"", "role = \"in_out\"\nelement = \"flaot\"", "must be one of float, double, half"},
      {"{ buffer = \"data\" }", "{ buffer = \"dtaa\" }",
       "kernel.toml:28: there is no [[buffer]] called dtaa; did you mean data?"},
      {"{ int = \"N\" }", "{ int = \"N\", float = \"N\" }",
       "kernel.toml:28: an argument is one type and one value"},
      {"[\"BLOCK\"]", "[1, 1, 1, 1]", "kernel.toml:30: \"block\" must be one to three numbers or expressions"},
      {"[\"BLOCK\"]", "[\"BLOCK\"]\ncluster = [2]",
       "kernel.toml:31: \"cluster\" needs minimum_cc = \"9.0\" or later"},
      {"[work]", "[wrok]", "kernel.toml:32: unknown key \"wrok\"; did you mean \"work\"?"},
      {"idea", "architecture_specific = true\nidea",
       "kernel.toml:2: \"architecture_specific\" needs \"minimum_cc\""},
      {"source = \"copy.cu\"\nentry = \"copy\"", "library = \"cublast\"",
       "kernel.toml:3: \"library\" must be one of cublas, cublasLt, not \"cublast\""},
      {"source = \"copy.cu\"\nentry = \"copy\"", "library = \"cublas\"",
       "kernel.toml:3: a library's matrix multiply needs a [[buffer]] called A"},
      {"{ buffer = \"data\" }", "{ tensor_map = \"data\" }", "there is no [[tensor_map]] called data"},
      {"[work]", "[work]\npipe = \"BF16\"",
       "kernel.toml:33: \"pipe\" must be one of FP64 FMA, FP32 FMA, FP16 FMA, INT32 MAD, FP64 tensor"},
  });
}

TEST(Manifest, WhatIsMoreThanIsReadIsNamed) {
  expect_complaints({
      {"values = [32, 64, 128]", "values = [" + repeated(1000, "64, ") + "64]",
       "kernel.toml:8: BLOCK offers 1,001 values, more than the 1,000 that are read"},
      {"[[parameter]]", repeated(1000, "[[parameter]]\n") + "[[parameter]]",
       "kernel.toml:6: there are 1,002 [[parameter]], more than the 64 that are read"},
      {"[[constraint]]", repeated(64, "[[constraint]]\n") + "[[constraint]]",
       "kernel.toml:18: there are 65 [[constraint]], more than the 64 that are read"},
  });
}

TEST(Manifest, TellsAllMistakesAtOnceByLine) {
  std::string text = test::copy_manifest;
  for (const auto& [before, after] : std::map<std::string, std::string>{{"\"Copy\"", "7"},
                                                                        {"default = 64", "default = 65"},
                                                                        {"{ int = \"N\" }", "{ int = \"M\" }"},
                                                                        {"elements =", "elemnts ="}}) {
    text.replace(text.find(before), before.size(), after);
  }
  try {
    test::read(text);
    FAIL() << "four mistakes were overlooked";
  } catch (const ManifestError& error) {
    EXPECT_THAT(error.mistakes,
                ElementsAre(StartsWith("copy/kernel.toml:1: \"title\" must be a text in quotes"),
                            StartsWith("copy/kernel.toml:9: the default 65 of BLOCK is not one of its values"),
                            StartsWith("copy/kernel.toml:28: int: the expression \"M\" cannot be read"),
                            StartsWith("copy/kernel.toml:33: unknown key \"elemnts\" in [work]")));
  }
}

// Else one mistake would be told as many.
TEST(Manifest, WhatFollowsFromAMistakeIsNotToldToo) {
  const std::string many_parameters = repeated(1000, "[[parameter]]\n") + "[[parameter]]";
  const struct {
    const char* before;
    const char* after;
  } rows[] = {
      {"idea", "ideal"},                                 // is not missing as well
      {"[work]", "[wrok]"},                              // nor is what stands in it
      {"values = [32, 64, 128]", "values = 32"},         // the default is not held against no values
      {"default = 64", "default = \"N\""},               // nor this against the values
      {"name = \"data\"", "name = \"data\"\nskwe = 0"},  // arguments find the buffer
      {"role = \"in_out\"", "role = 3"},                 // a text that is none is not one of the roles
      {"[[parameter]]", "[[parameters]]"},               // expressions could name it
      {"name = \"N\"", "name = 3"},                      // likewise
      {"[[buffer]]", "[[bufer]]"},                       // arguments could
      {"compulsory_dram", "compulsory"},
      {"{ int = \"N\" }", "{ in = \"N\" }"},  // nor its value an expression
      {"[[parameter]]", many_parameters.c_str()},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(test::complaint(row.before, row.after), Not(HasSubstr("\n"))) << row.after;
  }
}

TEST(Manifest, TellsWhatTheCompiledCodeSaysNow) {
  for (const char* table : {"[[shared_access]]", "[[global_access]]", "[[atomic]]", "[waits]", "[reuse]"}) {
    EXPECT_THAT(test::complaint("[work]", std::string(table) + "\nname = \"a\"\n\n[work]"),
                HasSubstr("is read from the compiled code now: remove it"))
        << table;
  }
}

}  // namespace
}  // namespace rooftile
