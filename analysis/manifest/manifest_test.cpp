#include "analysis/manifest/manifest.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "analysis/manifest/manifest_error.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Optional;
using testing::StartsWith;

constexpr const char* copy_manifest = R"toml(title = "Copy"
idea = "moves floats"
source = "copy.cu"
entry = "copy"

[[parameter]]
name = "BLOCK"
values = [32, 64, 128]
default = 64

[[parameter]]
name = "N"
role = "size"
values = [1024]
range = [1, 4096]
default = 1024

[[constraint]]
require = "N >= BLOCK"
reason = "A block must not be larger than the array."

[[buffer]]
name = "data"
count = "N"
role = "in_out"

[launch]
arguments = [{ buffer = "data" }, { int = "N" }]
grid = "ceil_div(N, BLOCK)"
block = ["BLOCK"]

[work]
elements = "N"
elements_label = "elements moved"

[traffic]
compulsory_dram = "8 * N"
)toml";

using Files = std::map<std::filesystem::path, std::string>;

ReadFile reader(const Files& files) {
  return [files](const std::filesystem::path& file) {
    const auto found = files.find(file);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
}

Manifest read(const std::string& manifest) {
  return read_manifest("copy/kernel.toml", reader({{"copy/kernel.toml", manifest}, {"copy/copy.cu", ""}}));
}

// The complaint about the copy kernel once `before` has been replaced by `after`.
std::string complaint(const std::string& before, const std::string& after) {
  std::string text = copy_manifest;
  text.replace(text.find(before), before.size(), after);
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Manifest, ReadsAKernel) {
  const Manifest copy = read(copy_manifest);
  EXPECT_EQ(copy.name, "copy");
  EXPECT_EQ(copy.title, "Copy");
  EXPECT_EQ(copy.source, "copy/copy.cu");
  ASSERT_EQ(copy.parameters.size(), 2);
  EXPECT_EQ(copy.parameters[0].role, ParameterRole::dial);
  EXPECT_THAT(copy.parameters[0].values, ElementsAre(32, 64, 128));
  EXPECT_EQ(copy.parameters[0].label, "BLOCK");
  EXPECT_EQ(copy.parameters[1].role, ParameterRole::size);
  EXPECT_EQ(copy.buffers.at(0).element_bytes, 4);
  EXPECT_EQ(copy.buffers.at(0).role, BufferRole::in_out);
  ASSERT_EQ(copy.arguments.size(), 2);
  EXPECT_EQ(copy.arguments[0].name, "data");
  EXPECT_EQ(copy.arguments[1].type, "int");
  EXPECT_EQ(copy.arguments[1].value.text(), "N");
  EXPECT_EQ(copy.grid[0].text(), "ceil_div(N, BLOCK)");
  EXPECT_EQ(copy.block[2].evaluate({}), 1);
  EXPECT_FALSE(copy.flops);
  EXPECT_EQ(copy.pipe, fp32_pipe);
  EXPECT_FALSE(copy.verify);
  EXPECT_EQ(copy.cluster[0].evaluate({}), 1);
  EXPECT_EQ(copy.buffers[0].skew.evaluate({}), 0);
}

// Source, buffers and launch are enough.
constexpr const char* shortest_manifest = R"toml(
[[parameter]]
name = "N"
role = "size"
values = [1024]
default = 1024

[[buffer]]
name = "in"
count = "2 * N"
role = "input"

[[buffer]]
name = "out"
element = "double"
count = "N"
role = "output"

[launch]
arguments = [{ buffer = "in" }, { buffer = "out" }, { int = "N" }]
grid = "ceil_div(N, 256)"
block = 256
)toml";

TEST(Manifest, WhatAShortOneLeavesOutHasADefault) {
  const Manifest copy = read(shortest_manifest);
  EXPECT_EQ(copy.title, "copy");
  EXPECT_EQ(copy.entry, "copy");
  EXPECT_EQ(copy.source, "copy/copy.cu");
  EXPECT_EQ(copy.group, "Own kernels");
  EXPECT_FALSE(copy.states_work) << "only counters know its FLOPs and bytes";
  EXPECT_EQ(copy.elements.evaluate({{"N", 10}}), 10) << "its outputs";
  EXPECT_EQ(copy.compulsory_dram_bytes.evaluate({{"N", 10}}), 4 * 20 + 8 * 10) << "each buffer once";
  EXPECT_FALSE(copy.flops);
  EXPECT_FALSE(copy.verify);
  EXPECT_TRUE(read(copy_manifest).states_work);
}

TEST(Manifest, OfWorkThatIsStatedTheRestStillHasADefault) {
  const Manifest copy = read(std::string(shortest_manifest) + "[work]\nflops = \"2 * N\"\n");
  EXPECT_TRUE(copy.states_work);
  EXPECT_EQ(copy.flops->evaluate({{"N", 10}}), 20);
  EXPECT_EQ(copy.elements.evaluate({{"N", 10}}), 10);
}

TEST(Manifest, AnEarlierVersionOfTheKernelVerifiesItInOneLine) {
  const std::string text = "verify = \"copy.cu\"\n" + std::string(shortest_manifest);
  const Manifest copy = read(text);
  ASSERT_TRUE(copy.verify);
  EXPECT_EQ(copy.verify->source, "copy/copy.cu");
  EXPECT_EQ(copy.verify->entry, copy.entry);
  EXPECT_TRUE(copy.verify->with_macros);
  EXPECT_EQ(copy.verify->arguments.size(), copy.arguments.size());
  EXPECT_EQ(copy.verify->grid[0].evaluate({{"N", 1024}}), 4);
  EXPECT_FALSE(copy.verify->tolerance || copy.verify->relative_tolerance) << "by the type of the elements";
  EXPECT_THROW(read("verify = \"nowhere.cu\"\n" + std::string(shortest_manifest)), ManifestError);
}

TEST(Manifest, ArraysOfNumPyAreAnInputAndWhatIsExpected) {
  std::string text = shortest_manifest;
  text.replace(text.find("role = \"input\""), 0, "file = \"../data/in.npy\"\n");
  const Manifest copy = read("verify = \"out.npy\"\n" + text);
  EXPECT_EQ(copy.buffers.at(0).file, "data/in.npy");
  EXPECT_EQ(copy.buffers.at(1).file, "");
  EXPECT_THAT(copy.verify.value().files, ElementsAre("copy/out.npy"));
  EXPECT_FALSE(copy.verify->tolerance || copy.verify->relative_tolerance) << "by the type of the elements";
  const Manifest stated =
      read(text + "[verify]\nfiles = [\"out.npy\"]\ntolerance = \"1 / N\"\nrelative_tolerance = \"N / 400\"\n");
  EXPECT_THAT(stated.verify.value().files, ElementsAre("copy/out.npy"));
  EXPECT_EQ(stated.verify->tolerance.value().evaluate({{"N", 4}}), 0.25);
  EXPECT_EQ(stated.verify->relative_tolerance.value().evaluate({{"N", 4}}), 0.01);
}

TEST(Manifest, TellsWhichFilesOfArraysItCannotUse) {
  const std::string role = "role = \"in_out\"", launch = "[launch]";
  EXPECT_THAT(complaint(role, role + "\nfile = \"in.csv\""),
              HasSubstr("\"file\" must be an array of NumPy, such as \"file.npy\", not \"in.csv\""));
  EXPECT_THAT(complaint(role, "role = \"output\"\nfile = \"in.npy\""), HasSubstr("an output is not read"));
  EXPECT_THAT(complaint(launch, "[verify]\nfiles = [\"a.npy\", \"b.npy\"]\n" + launch),
              HasSubstr("there are 2 files for 1 buffers, data"));
  EXPECT_THAT(complaint(launch, "[verify]\nfiles = [\"a.csv\"]\n" + launch),
              HasSubstr("must be an array of NumPy"));
}

TEST(Manifest, SaysHowItsSourceIsCompiled) {
  const Manifest copy = read(
      "entry = \"ns::copy<float, 2 * N>\"\ninclude = [\"../common\"]\n"
      "options = [\"-std=c++20\", \"-DFAST=1\"]\n" +
      std::string(shortest_manifest));
  EXPECT_EQ(copy.entry, "ns::copy<float, 2 * N>");
  EXPECT_THAT(copy.include_folders, ElementsAre("common"));
  EXPECT_THAT(copy.compiler_options, ElementsAre("-std=c++20", "-DFAST=1"));
}

TEST(Manifest, ReadsClustersSkewAndTheReferencesOwnArguments) {
  std::string text = "minimum_cc = \"9.0\"\n" + std::string(copy_manifest);
  text.replace(text.find("grid ="), 0, "cluster = [\"BLOCK / 16\", 2]\n");
  text.replace(text.find("role = \"in_out\""), 0, "skew = \"1 / N\"\n");
  const std::string verify =
      "[verify]\nsource = \"copy.cu\"\nentry = \"copy\"\ngrid = [1]\nblock = [1]\ntolerance = 0\n";
  const Parameters parameters = {{"BLOCK", 64}, {"N", 1024}};

  const Manifest copy = read(text + verify);
  EXPECT_EQ(copy.cluster[0].evaluate(parameters), 4);
  EXPECT_EQ(copy.cluster[1].evaluate(parameters), 2);
  EXPECT_EQ(copy.cluster[2].evaluate(parameters), 1);
  EXPECT_EQ(copy.buffers[0].skew.evaluate(parameters), 1.0 / 1024);
  EXPECT_EQ(copy.verify.value().arguments.size(), 2u);  // the kernel's

  const Manifest other = read(text + verify + "arguments = [{ int = \"BLOCK\" }]\n");
  ASSERT_EQ(other.verify.value().arguments.size(), 1u);
  EXPECT_EQ(other.verify->arguments[0].value.evaluate(parameters), 64);
  EXPECT_EQ(other.arguments.size(), 2u);
}

TEST(Manifest, ReadsWhatTheNumbersOfABufferAre) {
  const auto with = [](const std::string& keys) {
    std::string text = copy_manifest;
    return text.replace(text.find("role = \"in_out\""), 0, keys);
  };
  const Buffer any = read(with("")).buffers[0];
  EXPECT_FALSE(any.below);
  EXPECT_FALSE(any.ascending);
  const Buffer offsets = read(with("below = \"N + 1\"\norder = \"ascending\"\n")).buffers[0];
  EXPECT_EQ(offsets.below.value().evaluate({{"BLOCK", 64}, {"N", 1024}}), 1025);
  EXPECT_TRUE(offsets.ascending);
  EXPECT_FALSE(read(with("below = 1\norder = \"random\"\n")).buffers[0].ascending);
  EXPECT_THAT([&] { read(with("order = \"ascending\"\n")); },
              ThrowsMessage<Error>(HasSubstr("numbers that ascend need \"below\"")));
  EXPECT_THAT([&] { read(with("order = \"falling\"\n")); },
              ThrowsMessage<Error>(HasSubstr("random, ascending")));
}

TEST(Manifest, OfMoreMistakesThanAnybodyReadsTheFirstAreTold) {
  std::string text = copy_manifest;
  for (int i = 0; i < 300; ++i) {
    text = fmt::format("unknown_{} = 1\n", i) + text;
  }
  try {
    read(text);
    FAIL() << "no complaint";
  } catch (const ManifestError& error) {
    EXPECT_EQ(error.mistakes.size(), 101u);
    EXPECT_THAT(error.mistakes.back(), HasSubstr("more than 100 mistakes"));
  }
}

TEST(Manifest, AFileThatNobodyWritesIsNotParsed) {
  EXPECT_THAT(complaint("title =", std::string(2 << 20, '\n') + "title ="),
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
    EXPECT_THAT(complaint(row.before, row.after), HasSubstr(row.complaint)) << row.after;
  }
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
      {"name = \"N\"", "name = \"tx\"", "kernel.toml:12: the name tx is taken"},
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
       "kernel.toml:3: \"library\" must be one of cublas, not \"cublast\""},
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
  std::string text = copy_manifest;
  for (const auto& [before, after] : std::map<std::string, std::string>{{"\"Copy\"", "7"},
                                                                        {"default = 64", "default = 65"},
                                                                        {"{ int = \"N\" }", "{ int = \"M\" }"},
                                                                        {"elements =", "elemnts ="}}) {
    text.replace(text.find(before), before.size(), after);
  }
  try {
    read(text);
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
    EXPECT_THAT(complaint(row.before, row.after), Not(HasSubstr("\n"))) << row.after;
  }
}

constexpr const char* data_map = R"toml([[tensor_map]]
name = "data_map"
buffer = "data"
rows = "N / 8"
columns = 8
row_stride = 8
box_rows = "BLOCK / 4"
box_columns = 4
swizzle = "32"

[launch]
arguments = [{ tensor_map = "data_map" }, )toml";

TEST(Manifest, ReadsATensorMap) {
  std::string text = copy_manifest;
  const std::string before = "[launch]\narguments = [";
  text.replace(text.find(before), before.size(), data_map);
  const Manifest copy = read(text);
  ASSERT_EQ(copy.tensor_maps.size(), 1);
  const TensorMap& map = copy.tensor_maps[0];
  EXPECT_EQ(map.buffer, "data");
  EXPECT_EQ(map.rows.evaluate({{"N", 1024}}), 128);
  EXPECT_EQ(map.box_rows.evaluate({{"BLOCK", 64}}), 16);
  EXPECT_EQ(map.swizzle_bytes, 32);
  EXPECT_EQ(copy.arguments.at(0).type, "tensor_map");
  EXPECT_EQ(copy.arguments.at(0).name, "data_map");
}

TEST(Manifest, TellsWhichGpusItRunsOn) {
  Manifest manifest = read(copy_manifest);
  EXPECT_EQ(why_unfit(manifest, {7, 5}), std::nullopt);
  manifest.minimum_cc = ComputeCapability{9, 0};
  EXPECT_EQ(why_unfit(manifest, {9, 0}), std::nullopt);
  EXPECT_EQ(why_unfit(manifest, {12, 0}), std::nullopt);
  EXPECT_EQ(why_unfit(manifest, {8, 6}), "copy needs compute capability 9.0 or later, not 8.6.");
  manifest.architecture_specific = true;
  EXPECT_EQ(why_unfit(manifest, {9, 0}), std::nullopt);
  EXPECT_EQ(why_unfit(manifest, {10, 0}),
            "copy uses instructions that only compute capability 9.0 has, not 10.0.");
}

TEST(Manifest, NamesAFileThatIsNotThere) {
  EXPECT_THAT([] { read_manifest("nowhere/kernel.toml", reader({})); },
              testing::ThrowsMessage<Error>("cannot read nowhere/kernel.toml"));
}

TEST(Manifest, AKernelOfNoGroupIsAmongTheOwnKernels) {
  const Manifest copy = read(copy_manifest);
  EXPECT_EQ(copy.group, "Own kernels");
  EXPECT_EQ(copy.short_title, "Copy");
  EXPECT_EQ(copy.family, "");
}

TEST(Manifest, SourceAndEntryAreCalledAsTheFolderUnlessItSaysOtherwise) {
  std::string text = copy_manifest;
  const std::string both = "source = \"copy.cu\"\nentry = \"copy\"\n";
  text.replace(text.find(both), both.size(), "");
  EXPECT_EQ(read(text).source, "copy/copy.cu");
  EXPECT_EQ(read(text).entry, "copy");
}

// The copy kernel, with these lines for its BLOCK.
std::string with_block(const std::string& lines, const std::string& entry = "copy") {
  std::string text = copy_manifest;
  text.replace(text.find("default = 64"), 0, lines);
  const std::string before = "entry = \"copy\"";
  return text.replace(text.find(before), before.size(), "entry = \"" + entry + "\"");
}

TEST(Manifest, AParameterSaysWhatItIsAndWhereItGoes) {
  constexpr auto dial = ParameterRole::dial, size = ParameterRole::size, scalar = ParameterRole::scalar;
  const struct {
    const char* lines;
    ParameterRole role;
    ParameterPlace where;
  } rows[] = {
      {"", dial, ParameterPlace::macro},
      {"role = \"dial\"\n", dial, ParameterPlace::macro},
      {"role = \"size\"\n", size, ParameterPlace::argument},
      {"role = \"scalar\"\n", scalar, ParameterPlace::argument},
      {"where = \"launch\"\n", dial, ParameterPlace::launch},
      {"where = \"argument\"\n", dial, ParameterPlace::argument},
      {"where = \"template\"\n", dial, ParameterPlace::template_argument},
      {"role = \"size\"\nwhere = \"macro\"\n", size, ParameterPlace::macro},
      {"role = \"variant\"\n", size, ParameterPlace::macro},  // in older files
  };
  for (const auto& row : rows) {
    const Parameter block = read(with_block(row.lines, "copy<BLOCK>")).parameters[0];
    EXPECT_EQ(block.role, row.role) << row.lines;
    EXPECT_EQ(block.where, row.where) << row.lines;
    EXPECT_EQ(block.is_compiled(),
              row.where == ParameterPlace::macro || row.where == ParameterPlace::template_argument);
  }
}

std::string message_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Manifest, AParameterOfTheLaunchIsNoArgument) {
  EXPECT_EQ(message_of(with_block("where = \"launch\"\n")), "");
  EXPECT_THAT(complaint("role = \"size\"", "role = \"size\"\nwhere = \"launch\""),
              HasSubstr("N is a parameter of the launch alone; for an argument say where = \"argument\""));
  EXPECT_THAT(complaint("default = 64", "default = 64\nwhere = \"grid\""),
              HasSubstr("\"where\" must be one of macro, template, argument, launch, not \"grid\""));
}

TEST(Manifest, ATemplateArgumentStandsInTheEntry) {
  const std::string in_template = "where = \"template\"\n";
  const Manifest copy = read(with_block(in_template, "ours::copy<float, 2 * BLOCK>"));
  EXPECT_EQ(entry_at(copy, complete(copy, {{"BLOCK", 128}})), "ours::copy<float, 2 * 128>");
  const Manifest macro = read(with_block("", "copy<BLOCK>"));
  EXPECT_EQ(entry_at(macro, complete(macro, {})), "copy<BLOCK>") << "the compiler knows the macro";
  for (const char* entry : {"copy", "copy<float>", "copy<BLOCKS>"}) {
    EXPECT_THAT(message_of(with_block(in_template, entry)),
                HasSubstr("BLOCK is no template argument of the entry \"copy\", as it would be of "
                          "\"copy<BLOCK>\""))
        << entry;
  }
}

std::string with_lets(const std::string& lets, const std::string& grid = "blocks_x") {
  std::string text = copy_manifest;
  const std::string before = "ceil_div(N, BLOCK)";
  return text.replace(text.find(before), before.size(), grid) + "[let]\n" + lets;
}

// Keys of TOML have no order, so neither do lets.
TEST(Manifest, ALetNamesAnExpressionOnce) {
  const Manifest copy = read(with_lets("blocks_x = \"ceil_div(N, items)\"\nitems = \"2 * BLOCK\"\n"));
  EXPECT_EQ(copy.grid[0].text(), "blocks_x");
  EXPECT_EQ(copy.grid[0].full_text(), "(ceil_div(N, (2 * BLOCK)))");
  EXPECT_EQ(copy.grid[0].evaluate({{"N", 1000}, {"BLOCK", 64}}), 8);
  EXPECT_EQ(read(with_lets("half = 0.5\n", "half * N")).grid[0].evaluate({{"N", 1000}}), 500);
}

TEST(Manifest, ALetKnowsWhatIsKnownWhereItIsUsed) {
  EXPECT_EQ(message_of(with_lets("twice = \"2 * sms\"\n", "twice")), "");
  EXPECT_THAT(
      message_of(with_lets("row = \"ty * N\"\n", "row")),
      HasSubstr(":29: grid: the expression \"(ty * N)\" cannot be read at column 2: \"ty\" is unknown here"));
}

TEST(Manifest, TellsMistakesInLets) {
  const struct {
    const char *lets, *message;
  } rows[] = {
      {"blocks_x = \"ceil_div(N, BLOK)\"\n",
       "copy/kernel.toml:39: blocks_x: the expression \"ceil_div(N, BLOK)\" cannot be read at column 13: "
       "\"BLOK\" is "
       "unknown here; known are BLOCK, N, "},
      {"blocks_x = \"2 * other\"\nother = \"blocks_x / 2\"\n",
       "copy/kernel.toml:40: other needs blocks_x, which needs other itself"},
      {"blocks_x = \"blocks_x + 1\"\n", "copy/kernel.toml:39: blocks_x needs itself"},
      {"blocks_x = 1\nN = 2\n", "copy/kernel.toml:40: the name \"N\" is taken; choose another"},
      {"blocks_x = 1\nwarps = 2\n", "copy/kernel.toml:40: the name \"warps\" is taken; choose another"},
      {"blocks_x = 1\n\"\" = 2\n", "copy/kernel.toml:40: the name \"\" is taken; choose another"},
      {"blocks_x = 1\n\"a b\" = 2\n", "copy/kernel.toml:40: \"a b\" must be a C identifier, not \"a b\""},
      {"blocks_x = true\n", "copy/kernel.toml:39: \"blocks_x\" in [let] must be "},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(message_of(with_lets(row.lets)), testing::AllOf(StartsWith(row.message), Not(HasSubstr("\n"))))
        << row.lets;
  }
  EXPECT_THAT(message_of("let = 1\n" + std::string(copy_manifest)), HasSubstr("\"let\" must be "));
}

TEST(Manifest, LetsHaveLimits) {
  std::string many, doubling = "x0 = \"N + N\"\n";
  for (int i = 0; i < 65; ++i) {
    many += fmt::format("a{} = 1\n", i);
  }
  for (int i = 1; i < 64; ++i) {
    doubling += fmt::format("x{} = \"x{} + x{}\"\n", i, i - 1, i - 1);
  }
  EXPECT_THAT(message_of(with_lets(many, "N")),
              HasSubstr("there are 65 names in [let], more than the 64 that are read"));
  EXPECT_THAT(message_of(with_lets(doubling, "N")), HasSubstr("is longer than the 2000 that are read"));
}

TEST(Manifest, AGridMayDependOnTheGpu) {
  EXPECT_THAT(complaint("ceil_div(N, BLOCK)", "2 * sms"), "no complaint");
  EXPECT_THAT(complaint("[\"BLOCK\"]", "[\"sms\"]"), HasSubstr("\"sms\" is unknown here"));
  EXPECT_THAT(complaint("name = \"N\"", "name = \"sms\""), HasSubstr("the name sms is taken"));
}

TEST(BundledManifests, AllLoad) {
  const Catalogue catalogue = platform::load_catalogue_with({});
  EXPECT_THAT(sentences(catalogue.mistakes), IsEmpty());
  EXPECT_EQ(find_kernel(catalogue, "sgemm_tiled").title, "Tiled matrix multiply");
}

TEST(BundledManifests, DefaultsAreLegal) {
  for (const Manifest& manifest : platform::load_catalogue_with({}).kernels) {
    EXPECT_EQ(why_illegal(manifest, complete(manifest, {})), std::nullopt) << manifest.name;
  }
}

class TiledParameters : public testing::Test {
 protected:
  std::optional<std::string> why(const Parameters& given) const {
    return why_illegal(transpose_, complete(transpose_, given));
  }
  const Manifest transpose_ = find_kernel(platform::load_catalogue_with({}).kernels, "transpose_tiled");
};

TEST_F(TiledParameters, DefaultsFollowWhatIsGiven) {
  EXPECT_EQ(complete(transpose_, {}),
            (Parameters{{"TILE", 32}, {"ROWS", 4}, {"PAD", 0}, {"BYTES", 4}, {"N", 8192}, {"M", 8192}}));
  EXPECT_EQ(complete(transpose_, {{"N", 1000}}).at("M"), 1000);
  EXPECT_EQ(complete(transpose_, {{"N", 1000}, {"M", 7}}).at("M"), 7);
  EXPECT_TRUE(transpose_.parameter("M")->follows);
  EXPECT_FALSE(transpose_.parameter("N")->follows);
  EXPECT_EQ(transpose_.parameter("Q"), nullptr);
}

TEST_F(TiledParameters, UnknownNamesAreRefused) {
  EXPECT_THAT(
      [&] {
        complete(transpose_, {{"TYLE", 32}});
      },
      testing::ThrowsMessage<Error>(
          "transpose_tiled has no parameter TYLE; it has TILE, ROWS, PAD, BYTES, N, M"));
}

TEST_F(TiledParameters, IllegalValuesAreExplained) {
  EXPECT_EQ(why({}), std::nullopt);
  EXPECT_THAT(why({{"TILE", 12}}), Optional(std::string("TILE = 12 is not offered: 8, 16, 32 or 64.")));
  EXPECT_THAT(why({{"N", 1000}}), testing::Eq(std::nullopt));
  EXPECT_THAT(why({{"N", 0}}), Optional(std::string("N = 0 is not offered: a whole number from 1 to 32768.")));
  EXPECT_THAT(why({{"N", 1.5}}), Optional(HasSubstr("N = 1.5 is not offered")));
  EXPECT_THAT(why({{"N", 32769}}), Optional(HasSubstr("N = 32769 is not offered")));
  EXPECT_THAT(why({{"TILE", 64}, {"ROWS", 2}}),
              Optional(std::string("A block has at most 1,024 threads: give each thread more rows.")));
  EXPECT_THAT(why_illegal(transpose_, {{"TILE", 32}}), Optional(HasSubstr("ROWS has no value; expected 1, 2")));
}

TEST(Manifest, SaysHowWarpsMeetGlobalMemoryAndWaitForIt) {
  const Manifest copy = read(std::string(copy_manifest) + R"toml(
[waits]
rounds = "ceil_div(N, BLOCK)"
ahead = 2

[[global_access]]
name = "load data"
index = "tx"
requests = "warps"

[[global_access]]
name = "store data"
kind = "store"
element = "half"
vector = "2"
index = "2 * tx"
requests = "2 * warps"
)toml");
  ASSERT_EQ(copy.global_accesses.size(), 2);
  EXPECT_EQ(copy.global_accesses[0].kind, GlobalAccessKind::load);
  EXPECT_EQ(copy.global_accesses[1].kind, GlobalAccessKind::store);
  EXPECT_EQ(copy.global_accesses[1].element_bytes, 2);
  const Model model = rooftile::model(copy, complete(copy, {}), 132);
  EXPECT_EQ(model.rounds, 16);
  EXPECT_EQ(model.ahead, 2);
  EXPECT_EQ(model.global_accesses[0].requests, 32);
  EXPECT_EQ(model.global_accesses[0].lines, 32);
  EXPECT_EQ(model.global_accesses[1].partial_sectors, 0);
}

TEST(Manifest, SaysWhatItLoadsAgainAndHowMuchPassesMeanwhile) {
  const Manifest copy = read(std::string(copy_manifest) + "[reuse]\nbytes = \"4 * N\"\ndistance = \"N / 2\"\n");
  const Model model = rooftile::model(copy, complete(copy, {{"N", 1024}}), 132);
  EXPECT_EQ(model.reused, Bytes{4096});
  EXPECT_EQ(model.reuse_distance, Bytes{512});
}

TEST(Manifest, TellsMistakesInGlobalAccessesWaitsAndReuse) {
  const auto told = [](const std::string& more) { return complaint("[work]", more + "\n[work]"); };
  EXPECT_THAT(told("[[global_access]]\nname = \"a\"\nindex = \"tx\"\nrequests = \"1\"\nkind = \"lod\"\n"),
              HasSubstr("\"kind\" must be one of load, store, copy, not \"lod\""));
  EXPECT_THAT(told("[waits]\nahead = 1\n"), HasSubstr("rounds"));
  EXPECT_THAT(told("[waits]\nrounds = 1\nround = 1\n"), HasSubstr("round"));
  EXPECT_THAT(told("[reuse]\nbytes = 1\n"), HasSubstr("distance"));
  EXPECT_THAT(told("[[atomic]]\naddresses = \"1\"\nrequests = \"1\"\nlanes = \"sorted\"\n"),
              HasSubstr("\"lanes\" must be one of random, neighbours, not \"sorted\""));
}

}  // namespace
}  // namespace rooftile
