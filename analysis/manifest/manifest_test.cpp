#include "analysis/manifest/manifest.hpp"

#include <gmock/gmock.h>

#include "analysis/manifest/manifest_error.hpp"
#include "analysis/manifest/test_manifest.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(Manifest, ReadsAKernel) {
  const Manifest copy = test::read(test::copy_manifest);
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
  const Manifest copy = test::read(shortest_manifest);
  EXPECT_EQ(copy.title, "copy");
  EXPECT_EQ(copy.entry, "copy");
  EXPECT_EQ(copy.source, "copy/copy.cu");
  EXPECT_EQ(copy.group, "Own kernels");
  EXPECT_FALSE(copy.states_work) << "only counters know its FLOPs and bytes";
  EXPECT_EQ(copy.elements.evaluate({{"N", 10}}), 10) << "its outputs";
  EXPECT_EQ(copy.compulsory_dram_bytes.evaluate({{"N", 10}}), 4 * 20 + 8 * 10) << "each buffer once";
  EXPECT_FALSE(copy.flops);
  EXPECT_FALSE(copy.verify);
  EXPECT_TRUE(test::read(test::copy_manifest).states_work);
}

TEST(Manifest, OfWorkThatIsStatedTheRestStillHasADefault) {
  const Manifest copy = test::read(std::string(shortest_manifest) + "[work]\nflops = \"2 * N\"\n");
  EXPECT_TRUE(copy.states_work);
  EXPECT_EQ(copy.flops->evaluate({{"N", 10}}), 20);
  EXPECT_EQ(copy.elements.evaluate({{"N", 10}}), 10);
}

TEST(Manifest, AnEarlierVersionOfTheKernelVerifiesItInOneLine) {
  const std::string text = "verify = \"copy.cu\"\n" + std::string(shortest_manifest);
  const Manifest copy = test::read(text);
  ASSERT_TRUE(copy.verify);
  EXPECT_EQ(copy.verify->source, "copy/copy.cu");
  EXPECT_EQ(copy.verify->entry, copy.entry);
  EXPECT_TRUE(copy.verify->with_macros);
  EXPECT_EQ(copy.verify->arguments.size(), copy.arguments.size());
  EXPECT_EQ(copy.verify->grid[0].evaluate({{"N", 1024}}), 4);
  EXPECT_FALSE(copy.verify->tolerance || copy.verify->relative_tolerance) << "by the type of the elements";
  EXPECT_THROW(test::read("verify = \"nowhere.cu\"\n" + std::string(shortest_manifest)), ManifestError);
}

TEST(Manifest, ArraysOfNumPyAreAnInputAndWhatIsExpected) {
  std::string text = shortest_manifest;
  text.replace(text.find("role = \"input\""), 0, "file = \"../data/in.npy\"\n");
  const Manifest copy = test::read("verify = \"out.npy\"\n" + text);
  EXPECT_EQ(copy.buffers.at(0).file, "data/in.npy");
  EXPECT_EQ(copy.buffers.at(1).file, "");
  EXPECT_THAT(copy.verify.value().files, ElementsAre("copy/out.npy"));
  EXPECT_FALSE(copy.verify->tolerance || copy.verify->relative_tolerance) << "by the type of the elements";
  const Manifest stated = test::read(
      text + "[verify]\nfiles = [\"out.npy\"]\ntolerance = \"1 / N\"\nrelative_tolerance = \"N / 400\"\n");
  EXPECT_THAT(stated.verify.value().files, ElementsAre("copy/out.npy"));
  EXPECT_EQ(stated.verify->tolerance.value().evaluate({{"N", 4}}), 0.25);
  EXPECT_EQ(stated.verify->relative_tolerance.value().evaluate({{"N", 4}}), 0.01);
}

TEST(Manifest, TellsWhichFilesOfArraysItCannotUse) {
  const std::string role = "role = \"in_out\"", launch = "[launch]";
  EXPECT_THAT(test::complaint(role, role + "\nfile = \"in.csv\""),
              HasSubstr("\"file\" must be an array of NumPy, such as \"file.npy\", not \"in.csv\""));
  EXPECT_THAT(test::complaint(role, "role = \"output\"\nfile = \"in.npy\""),
              HasSubstr("an output is not read"));
  EXPECT_THAT(test::complaint(launch, "[verify]\nfiles = [\"a.npy\", \"b.npy\"]\n" + launch),
              HasSubstr("there are 2 files for 1 buffers, data"));
  EXPECT_THAT(test::complaint(launch, "[verify]\nfiles = [\"a.csv\"]\n" + launch),
              HasSubstr("must be an array of NumPy"));
}

TEST(Manifest, SaysHowItsSourceIsCompiled) {
  const Manifest copy = test::read(
      "entry = \"ns::copy<float, 2 * N>\"\ninclude = [\"../common\"]\n"
      "options = [\"-std=c++20\", \"-DFAST=1\"]\n" +
      std::string(shortest_manifest));
  EXPECT_EQ(copy.entry, "ns::copy<float, 2 * N>");
  EXPECT_THAT(copy.include_folders, ElementsAre("common"));
  EXPECT_THAT(copy.compiler_options, ElementsAre("-std=c++20", "-DFAST=1"));
}

TEST(Manifest, ReadsClustersSkewAndTheReferencesOwnArguments) {
  std::string text = "minimum_cc = \"9.0\"\n" + std::string(test::copy_manifest);
  text.replace(text.find("grid ="), 0, "cluster = [\"BLOCK / 16\", 2]\n");
  text.replace(text.find("role = \"in_out\""), 0, "skew = \"1 / N\"\n");
  const std::string verify =
      "[verify]\nsource = \"copy.cu\"\nentry = \"copy\"\ngrid = [1]\nblock = [1]\ntolerance = 0\n";
  const Parameters parameters = {{"BLOCK", 64}, {"N", 1024}};

  const Manifest copy = test::read(text + verify);
  EXPECT_EQ(copy.cluster[0].evaluate(parameters), 4);
  EXPECT_EQ(copy.cluster[1].evaluate(parameters), 2);
  EXPECT_EQ(copy.cluster[2].evaluate(parameters), 1);
  EXPECT_EQ(copy.buffers[0].skew.evaluate(parameters), 1.0 / 1024);
  EXPECT_EQ(copy.verify.value().arguments.size(), 2u);  // the kernel's

  const Manifest other = test::read(text + verify + "arguments = [{ int = \"BLOCK\" }]\n");
  ASSERT_EQ(other.verify.value().arguments.size(), 1u);
  EXPECT_EQ(other.verify->arguments[0].value.evaluate(parameters), 64);
  EXPECT_EQ(other.arguments.size(), 2u);
}

TEST(Manifest, ReadsWhatTheNumbersOfABufferAre) {
  const auto with = [](const std::string& keys) {
    std::string text = test::copy_manifest;
    return text.replace(text.find("role = \"in_out\""), 0, keys);
  };
  const Buffer any = test::read(with("")).buffers[0];
  EXPECT_FALSE(any.below);
  EXPECT_FALSE(any.ascending);
  const Buffer offsets = test::read(with("below = \"N + 1\"\norder = \"ascending\"\n")).buffers[0];
  EXPECT_EQ(offsets.below.value().evaluate({{"BLOCK", 64}, {"N", 1024}}), 1025);
  EXPECT_TRUE(offsets.ascending);
  EXPECT_FALSE(test::read(with("below = 1\norder = \"random\"\n")).buffers[0].ascending);
  EXPECT_THAT([&] { test::read(with("order = \"ascending\"\n")); },
              ThrowsMessage<Error>(HasSubstr("numbers that ascend need \"below\"")));
  EXPECT_THAT([&] { test::read(with("order = \"falling\"\n")); },
              ThrowsMessage<Error>(HasSubstr("random, ascending")));
}

TEST(Manifest, ReadsARangeAndAConstant) {
  const auto with = [](const std::string& keys) {
    std::string text = test::copy_manifest;
    return test::read(text.replace(text.find("role = \"in_out\""), 0, keys)).buffers[0];
  };
  EXPECT_EQ(with("").fill, FillKind::random);
  EXPECT_EQ(with("fill = \"range\"\n").fill, FillKind::range);
  const Buffer constant = with("fill = \"constant\"\nvalue = \"N / 2\"\n");
  EXPECT_EQ(constant.fill, FillKind::constant);
  EXPECT_EQ(constant.value.evaluate({{"BLOCK", 64}, {"N", 1024}}), 512);
  const std::pair<const char*, const char*> rows[] = {
      {"fill = \"constant\"\n", "\"value\" is missing"},
      {"fill = \"range\"\nbelow = 3\n", "\"below\" is for random numbers"},
      {"fill = \"constant\"\nvalue = 1\nfile = \"a.npy\"\n", "\"file\" is for random numbers"},
      {"value = 1\n", "\"value\" needs fill = \"constant\""},
      {"fill = \"none\"\n", "random, range, constant"}};
  for (const auto& [keys, complaint] : rows) {
    EXPECT_THAT([&] { with(keys); }, ThrowsMessage<Error>(HasSubstr(complaint))) << keys;
  }
}

TEST(Manifest, ReadsTheVariablesThatAreFilled) {
  const auto named = [](const std::string& name, const std::string& keys = "") {
    return test::read(std::string(test::copy_manifest) + "\n[[global]]\nname = \"" + name + "\"\n" + keys)
        .globals.at(0);
  };
  const auto with = [&](const std::string& keys) { return named("ours::table", keys); };
  EXPECT_EQ(with("").name, "ours::table");
  EXPECT_EQ(named("ours::(anonymous namespace)::table").name, "ours::(anonymous namespace)::table");
  EXPECT_THROW(named("(anonymous)::table"), Error);
  EXPECT_EQ(with("").fill, FillKind::none);
  EXPECT_EQ(with("below = 3\nelement = \"int\"\n").fill, FillKind::random);
  EXPECT_EQ(with("file = \"a.npy\"\n").file.filename(), "a.npy");
  EXPECT_EQ(with("fill = \"constant\"\nvalue = \"N\"\n").value.evaluate({{"BLOCK", 64}, {"N", 8}}), 8);
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
  std::string text = test::copy_manifest;
  const std::string before = "[launch]\narguments = [";
  text.replace(text.find(before), before.size(), data_map);
  const Manifest copy = test::read(text);
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
  Manifest manifest = test::read(test::copy_manifest);
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
  EXPECT_THAT([] { read_manifest("nowhere/kernel.toml", test::reader({})); },
              testing::ThrowsMessage<Error>("cannot read nowhere/kernel.toml"));
}

TEST(Manifest, AKernelOfNoGroupIsAmongTheOwnKernels) {
  const Manifest copy = test::read(test::copy_manifest);
  EXPECT_EQ(copy.group, "Own kernels");
  EXPECT_EQ(copy.short_title, "Copy");
  EXPECT_EQ(copy.family, "");
}

TEST(Manifest, SourceAndEntryAreCalledAsTheFolderUnlessItSaysOtherwise) {
  std::string text = test::copy_manifest;
  const std::string both = "source = \"copy.cu\"\nentry = \"copy\"\n";
  text.replace(text.find(both), both.size(), "");
  EXPECT_EQ(test::read(text).source, "copy/copy.cu");
  EXPECT_EQ(test::read(text).entry, "copy");
}

TEST(Manifest, AGridMayDependOnTheGpu) {
  EXPECT_THAT(test::complaint("ceil_div(N, BLOCK)", "2 * sms"), "no complaint");
  EXPECT_THAT(test::complaint("[\"BLOCK\"]", "[\"sms\"]"), HasSubstr("\"sms\" is unknown here"));
  EXPECT_THAT(test::complaint("name = \"N\"", "name = \"sms\""), HasSubstr("the name sms is taken"));
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

}  // namespace
}  // namespace rooftile
