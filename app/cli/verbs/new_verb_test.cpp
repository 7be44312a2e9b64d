// rooftile-cli new: from a source of somebody's own to a kernel that every verb knows.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class NewVerb : public CommandLine {
 protected:
  // In a folder of its own.
  Outcome run_here(const Arguments& words) const {
    fs::create_directories(file("here"));
    return run_in_shell("cd '" + file("here").string() + "' && ", words);
  }
};

constexpr const char* description =
    R"({"kernels":[{"name":"sum","types":["float const*","float*","int"],"dimensions":1,"dynamic_shared":false}]})";

TEST_F(NewVerb, MakesAKernelThatOtherVerbsKnow) {
  write("own/mine.cu",
        "extern \"C\" __global__ void sum(const float* in, float* out, int n) { out[threadIdx.x] = in[n]; }");
  write("description", description);
  const std::string source = file("own/mine.cu").string();
  const Outcome made =
      run_scripted({"new", "mine", "--from", source}, "--description " + file("description").string());
  ASSERT_EQ(made.how, ok) << made.err;
  EXPECT_THAT(made.out, HasSubstr("measure mine"));
  EXPECT_THAT(platform::read_text(file("own/mine/kernel.toml")).value(), HasSubstr("{ buffer = \"in\" }"));
  const Outcome listed = run({"--kernels", file("own").string(), "kernels", "mine"});
  EXPECT_EQ(listed.how, ok) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("n "));
  const Outcome measured = run_scripted({"--kernels", file("own").string(), "measure", "mine"});
  EXPECT_EQ(measured.how, ok) << measured.err;
}

TEST_F(NewVerb, ASourceIsAKernelWhereverOneIsNamed) {
  write("description", description);
  write("own/mine.cu", "__global__ void sum(const float* in, float* out, int n) {}");
  const std::string source = file("own/mine.cu").string(),
                    script = "--description " + file("description").string();
  for (int i = 0; i < 2; ++i) {  // made, and found
    const Outcome measured = run_scripted({"measure", source, "n=1024"}, script);
    EXPECT_EQ(measured.how, ok) << measured.err;
    EXPECT_THAT(measured.out, HasSubstr("mine  n=1024"));
  }
  ASSERT_EQ(run_scripted({"new", "other", "--from", source}, script).how, ok);
  fs::last_write_time(file("own/mine/kernel.toml"), fs::file_time_type::min());
  EXPECT_THAT(run_scripted({"measure", source, "n=1024"}, script).out, HasSubstr("other  n=1024"))
      << "of several the one that was saved last";
  write("own/broken.cu", "");
  const Outcome refused = run_scripted({"measure", file("own/broken.cu").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("broken.cu(1): error"));
}

// Contents of a manifest beyond names and places.
Manifest bare_manifest(Manifest manifest) {
  manifest.name = manifest.title = manifest.short_title = manifest.group = manifest.family = "";
  manifest.order = 0;
  for (fs::path* place : {&manifest.file, &manifest.source}) {
    place->clear();
  }
  if (manifest.verify) {
    manifest.verify->source = manifest.verify->source.filename();
  }
  return manifest;
}

TEST_F(NewVerb, EveryBundledKernelIsCopiedIntoAFolderThatWorksAlone) {
  const Catalogue bundled = platform::load_catalogue_with({});
  for (const Manifest& original : bundled.kernels) {
    const Outcome made = run_here({"new", "my_" + original.name, "--from", original.name});
    EXPECT_EQ(made.how, ok) << made.err;
  }
  fs::rename(file("here"), file("elsewhere"));
  const Catalogue copies = platform::load_catalogue({file("elsewhere")});
  EXPECT_THAT(sentences(copies.mistakes), IsEmpty());
  ASSERT_EQ(copies.kernels.size(), bundled.kernels.size());
  for (const Manifest& original : bundled.kernels) {
    const Manifest& copy = find_kernel(copies, "my_" + original.name);
    EXPECT_EQ(bare_manifest(copy), bare_manifest(original)) << original.name;
    EXPECT_EQ(original.library.empty() ? platform::read_text(copy.source) : "",
              original.library.empty() ? platform::read_text(original.source) : "");
    EXPECT_EQ(copy.title, copy.name);
    EXPECT_EQ(copy.group, "Own kernels");
    for (const fs::path& source : {copy.source, copy.verify.value().source}) {
      EXPECT_TRUE(source.empty() || source.parent_path() == copy.file.parent_path()) << source;
    }
  }
}

// One of each family, since compiling and reading all of them takes minutes.
TEST_F(NewVerb, ACopyCompilesAndFits) {
  if (run({"doctor", "--json"}).out.find("compiles the kernels") == std::string::npos) {
    GTEST_SKIP() << "No compiler here.";
  }
  const Catalogue bundled = platform::load_catalogue_with({});
  std::set<std::string> families;
  for (const Manifest& original : bundled.kernels) {
    if (!families.insert(original.family).second) {
      continue;
    }
    run_here({"new", "mine", "--from", original.name});
    const Outcome predicted = run_here({"--kernels", ".", "predict", "mine", "--gpu", "H200", "--json"});
    EXPECT_EQ(predicted.how, ok) << original.name << predicted.err;
    EXPECT_EQ(json::parse(predicted.out).at("point").contains("compiled"), original.library.empty())
        << original.name;
    fs::remove_all(file("here"));
  }
}

TEST_F(NewVerb, ACopyNeedsAFreeNameAndAKernelThatThereIs) {
  const struct {
    Arguments words;
    const char* how;
    const char* told;
  } rows[] = {
      {{"new", "mine", "--from", "sgemm_tilde"}, misused, "did you mean sgemm_tiled"},
      {{"new", "sgemm_naive", "--from", "sgemm_tiled"}, misused, "sgemm_naive is a bundled kernel"},
      {{"new", "", "--from", "sgemm_tiled"}, misused, "\"\" is not the name of a folder"},
      {{"new", "../mine", "--from", "sgemm_tiled"}, misused, "\"../mine\" is not the name of a folder"},
      {{"new", "mine", "--from", "no_such.cu"}, misused, "no_such.cu"},
      {{"new", "reference", "--from", "sgemm_tiled"}, failed, "choose another name"},
  };
  for (const auto& row : rows) {
    const Outcome refused = run_here(row.words);
    EXPECT_EQ(refused.how, row.how) << row.told;
    EXPECT_THAT(refused.err, HasSubstr(row.told));
    EXPECT_THAT(refused.err, Not(HasSubstr("terminate")));
  }
  EXPECT_EQ(run_here({"new", "mine", "--from", "triad"}).how, ok);
  write("here/mine/mine.cu", "changed");
  const Outcome again = run_here({"new", "mine", "--from", "triad"});
  EXPECT_EQ(again.how, failed);
  EXPECT_THAT(again.err, HasSubstr("kernel.toml is there already"));
  EXPECT_EQ(text_of("here/mine/mine.cu"), "changed");
}

TEST_F(NewVerb, ASourceMayBeCalledAsAnOption) {
  write("description", description);
  write("here/-k.cu", "__global__ void sum(const float* in, float* out, int n) {}");
  const Outcome measured = run_here({"measure", "-k.cu", "n=1024", "--worker",
                                     SCRIPTED_WORKER " --description " + file("description").string()});
  EXPECT_EQ(measured.how, ok) << measured.err;
  EXPECT_THAT(measured.out, HasSubstr("k  n=1024"));
}

TEST_F(NewVerb, ASourceThatNoTomlCanNameIsToldOf) {
  write("description", description);
  write("here/\xff.cu", "");
  const Outcome refused = run_here(
      {"measure", "\xff.cu", "--worker", SCRIPTED_WORKER " --description " + file("description").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("needs another name"));
  EXPECT_FALSE(fs::exists(file("here/\xff/kernel.toml")));
}

TEST_F(NewVerb, ACopyOverwritesNothing) {
  for (const char* mine : {"mine.cu", "reference.cu", "problem.toml"}) {
    const std::string place = std::string("here/mine/") + mine;
    write(place, "mine");
    const Outcome refused = run_here({"new", "mine", "--from", "sgemm_tiled"});
    EXPECT_EQ(refused.how, failed) << mine;
    EXPECT_THAT(refused.err, HasSubstr(std::string(mine) + " is there already"));
    EXPECT_EQ(text_of(place), "mine");
    EXPECT_FALSE(fs::exists(file("here/mine/kernel.toml"))) << "half a copy";
    fs::remove_all(file("here/mine"));
  }
}

TEST_F(NewVerb, ACopyFollowsNoLink) {
  write("victim", "victim");
  for (const char* place : {"victim", "nowhere"}) {
    fs::create_directories(file("here/mine"));
    fs::create_symlink(file(place), file("here/mine/mine.cu"));
    EXPECT_EQ(run_here({"new", "mine", "--from", "sgemm_tiled"}).how, failed) << place;
    fs::remove_all(file("here/mine"));
  }
  EXPECT_EQ(text_of("victim"), "victim");
  EXPECT_FALSE(fs::exists(file("nowhere")));
}

TEST_F(NewVerb, ACompilerThatNeverEndsIsEndedAtTheLimitThatWasGiven) {
  write("own/mine.cu", "");
  const std::string source = file("own/mine.cu").string();
  for (const Arguments& words : {Arguments{"measure", source, "--launch-limit", "1"},
                                 Arguments{"--launch-limit=1", "occupancy", source, "--gpu", "H200"},
                                 Arguments{"new", "mine", "--from", source, "--launch-limit", "1"}}) {
    const Outcome ended = run_scripted(words, "--mute");
    EXPECT_EQ(ended.how, failed) << words.front();
    EXPECT_THAT(ended.err, HasSubstr("had not read " + source + " after 1.00 s and was ended"))
        << words.front();
  }
}

TEST_F(NewVerb, OfSeveralKernelsOneIsChosen) {
  write("description", R"({"kernels":[{"name":"a","types":[],"dimensions":1,"dynamic_shared":false},
                                      {"name":"b","types":[],"dimensions":1,"dynamic_shared":false}]})");
  std::string one_line = platform::read_text(file("description")).value();
  std::erase(one_line, '\n');
  write("description", one_line);
  write("own/mine.cu", "");
  const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()},
                                       "--description " + file("description").string());
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("has 2 kernels, a, b. Choose one: --kernel \"a\""));
}

TEST_F(NewVerb, TheOnlyKernelThatTheSourceLaunchesIsMeant) {
  write("description", R"({"kernels":[{"name":"a","types":[],"dimensions":1,"dynamic_shared":false},)"
                       R"({"name":"b","types":[],"dimensions":1,"dynamic_shared":false}]})");
  write("own/mine.cu", "__global__ void a() {}\n__global__ void b() {}\nint main() { b<<<1, 64>>>(); }");
  const Outcome made = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()},
                                    "--description " + file("description").string());
  EXPECT_EQ(made.how, ok) << made.err;
  EXPECT_THAT(text_of("own/mine/kernel.toml"), HasSubstr("entry = \"b\""));
}

TEST_F(NewVerb, AnInstanceThatTheSourceLaunchesIsOfferedBesideAKernelThatItDoesNot) {
  write("description", description);
  write("own/mine.cu",
        "template <int N> __global__ void all(int* x) {}\nint main() { all<64><<<1, 64>>>(x); }");
  const Arguments words = {"new", "mine", "--from", file("own/mine.cu").string()};
  const Outcome refused = run_scripted(words, "--description " + file("description").string());
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, testing::EndsWith("--kernel \"all<64>\"\n"));
}

TEST_F(NewVerb, AMisspeltKernelIsToldOfAtItsLine) {
  write("description", R"({"kernels":[]})");
  const std::pair<const char*, const char*> rows[] = {
      {"// mine\n__gobal__ void f(int* x) {}", "mine.cu(2): did you mean __global__ instead of __gobal__?"},
      {"global void f(int* x) {}", "mine.cu(1): did you mean __global__ instead of global?"},
      {"struct S { __global__ void f(int* x) {} };", "mine.cu(1): this __global__ gives no kernel"},
      {"#pragma once\n__global__ void f(int* x);", "mine.cu(2): this __global__ only declares a kernel"},
      {"__kernel void f(__global int* x) {}", "mine.cu is OpenCL: write the kernel for CUDA"},
      {"\n", "mine.cu is empty."},
      {"static void f(int* x) {}", "mine.cu has no kernel: write one as a __global__ void function."}};
  for (const auto& [code, sentence] : rows) {
    write("own/mine.cu", code);
    const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()},
                                         "--description " + file("description").string());
    EXPECT_THAT(refused.err, HasSubstr(sentence));
  }
}

TEST_F(NewVerb, WhatIsThereAlreadyIsLeftAlone) {
  write("own/mine.cu", "");
  write("own/mine/kernel.toml", "mine");
  write("description", description);
  const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()},
                                       "--description " + file("description").string());
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("kernel.toml is there already"));
  EXPECT_EQ(platform::read_text(file("own/mine/kernel.toml")), "mine");
}

TEST_F(NewVerb, AFolderThatCannotBeMadeIsToldWithItsReason) {
  write("here/mine", "a file");
  const Outcome refused = run_here({"new", "mine", "--from", "sgemm_tiled"});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("cannot create mine: "));
}

TEST_F(NewVerb, ASourceThatIsNoFileIsToldOf) {
  fs::create_directories(file("own"));
  fs::create_symlink("/dev/zero", file("own/device.cu"));
  fs::create_symlink("circle.cu", file("own/circle.cu"));
  for (const char* source : {"own/device.cu", "own/circle.cu"}) {
    const Outcome refused = run({"measure", file(source).string()});
    EXPECT_EQ(refused.how, failed) << source;
    EXPECT_THAT(refused.err, HasSubstr("cannot read " + file(source).string()));
  }
}

TEST_F(NewVerb, WhatTheCompilerSaysIsToldAndNothingIsMade) {
  write("own/mine.cu", "broken");
  const Outcome refused = run_scripted({"new", "mine", "--from", file("own/mine.cu").string()});
  EXPECT_EQ(refused.how, failed);
  EXPECT_THAT(refused.err, HasSubstr("mine.cu(1): error: the source does not compile"));
  EXPECT_FALSE(fs::exists(file("own/mine")));
}

TEST_F(NewVerb, ASearchSpaceOfATunerIsAKernel) {
  write("f.cu", "__global__ void f(float* out) { out[blockIdx.x] = tile; }\n");
  write("space.json",
        R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "tile", "Values": "[1, 2, 4]", "Default": 2}]},
            "KernelSpecification": {"Language": "CUDA", "KernelName": "f", "KernelFile": "f.cu",
              "LocalSize": {"X": "32"}, "GridDivX": [], "ProblemSize": [64],
              "Arguments": [{"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
                             "Size": "ProblemSize[0]"}]}})");
  const Outcome made = run({"new", "tuned", "--from", file("space.json").string()});
  EXPECT_EQ(made.how, ok) << made.err;
  EXPECT_THAT(run({"--kernels", file("").string(), "kernels", "tuned"}).out,
              AllOf(HasSubstr("tile"), HasSubstr("1 2 4"), HasSubstr("default 2")));
  write("other.json", "{}");
  const Outcome other = run({"new", "another", "--from", file("other.json").string()});
  EXPECT_THAT(other.err, HasSubstr("other.json: It is no search space of a tuner"));
  EXPECT_FALSE(fs::exists(file("another")));
}

}  // namespace
}  // namespace rooftile::cli
