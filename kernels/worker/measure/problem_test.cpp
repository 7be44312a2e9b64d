// The buffers of a problem, on the fake driver, which hands out a place of its own for each.
#include "kernels/worker/measure/problem.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cstring>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "kernels/worker/fakes/fake_device.hpp"
#include "kernels/worker/test_array.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// The calls of the driver since the last look.
std::vector<std::string> asked;
CUdeviceptr next_place = 0;
unsigned long long first_bad = ~0ull;

CUresult allocate(CUdeviceptr* pointer, std::size_t) {
  *pointer = next_place += 0x1000;
  return CUDA_SUCCESS;
}
CUresult fill(CUdeviceptr memory, unsigned char value, std::size_t bytes) {
  asked.push_back("fill " + std::to_string(memory / 0x1000) + " with " + std::to_string(value) + ": " +
                  std::to_string(bytes));
  return CUDA_SUCCESS;
}
// Its first argument is what it works on.
CUresult note_launch(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  asked.push_back("launch on " + std::to_string(*static_cast<CUdeviceptr*>(arguments[0]) / 0x1000));
  return cuLaunchKernelEx(config, function, arguments, extra);
}
// The struct as fill_compare_evict.cu leaves it.
CUresult compare(void* to, CUdeviceptr, std::size_t bytes) {
  struct {
    unsigned largest, shown;
    unsigned long long first_bad;
    double result, reference;
  } const found{0, 0, first_bad, 1, 2};
  if (bytes < 100) {
    std::memcpy(to, &found, sizeof found);
  } else {  // the map of wrong elements
    static_cast<unsigned*>(to)[1] = 3;
  }
  return CUDA_SUCCESS;
}

CUresult take_in(CUdeviceptr memory, const void* from, std::size_t bytes) {
  asked.push_back("write " + std::to_string(memory / 0x1000) + ": " + std::to_string(bytes) + " from " +
                  std::to_string(*static_cast<const float*>(from)));
  return CUDA_SUCCESS;
}
CUresult copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  asked.push_back("copy " + std::to_string(from / 0x1000) + " to " + std::to_string(to / 0x1000) + ": " +
                  std::to_string(bytes));
  return CUDA_SUCCESS;
}

class ProblemTest : public FakeDeviceTest {
 protected:
  ProblemTest() {
    next_place = 0;
    first_bad = ~0ull;
    take();
    driver_.cuMemAlloc = allocate;
    driver_.cuMemsetD8 = fill;
    driver_.cuLaunchKernelEx = note_launch;
    driver_.cuMemcpyDtoH = compare;
    driver_.cuMemcpyHtoD = take_in;
    driver_.cuMemcpyDtoDAsync = copy;
  }

  const Manifest& kernel(const std::string& name) const { return find_kernel(all_, name); }
  static std::vector<std::string> take() { return std::exchange(asked, {}); }
  // The first place that a buffer can have: the ones before are HelperKernels's.
  Problem problem(const Manifest& manifest, const Parameters& given) {
    Problem made(device_, compiler_, helpers_, manifest, complete(manifest, given), Room::exact);
    made.expect(manifest, complete(manifest, given));
    take();
    return made;
  }
  static std::string identity(const Manifest& manifest, const Parameters& given) {
    return Problem::identity(manifest, complete(manifest, given));
  }

  const Device device_{driver_, 0};
  const Compiler compiler_{load_nvrtc().value(), testing::TempDir()};
  HelperKernels helpers_{device_, compiler_, platform::data_directory() / "kernels"};
  const Catalogue all_ = platform::load_catalogue_with({});
};

TEST_F(ProblemTest, DialsLeaveItAsItIsAndSizesMakeAnother) {
  const Manifest& tiled = kernel("sgemm_tiled");
  const std::string usual = identity(tiled, {{"N", 512}});
  const struct {
    Parameters given;
    bool same;
  } rows[] = {
      {{{"N", 512}, {"TILE", 32}}, true},
      {{{"N", 512}, {"PAD_A", 3}}, true},
      {{{"N", 1024}}, false},
      {{{"N", 512}, {"M", 256}}, false},
      {{{"N", 512}, {"K", 256}}, false},
      {{{"N", 512}, {"EXTRA", 1}}, false},
      {{{"N", 512}, {"alpha", 2}}, false},
      {{{"N", 512}, {"beta", 1}}, false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(identity(tiled, row.given) == usual, row.same) << testing::PrintToString(row.given);
  }
}

TEST_F(ProblemTest, ADialOfTheLaunchLeavesItAsItIsAndACompiledSizeDoesNot) {
  const struct {
    const char *kernel, *parameter;
    double value;
    bool same;
  } rows[] = {
      {"row_softmax", "CARVEOUT", 50, true}, {"gemm_bf16_wgmma", "BLOCKS", 1, true}, {"triad", "OP", 1, false}};
  for (const auto& row : rows) {
    const Manifest& one = kernel(row.kernel);
    EXPECT_EQ(identity(one, {}) == identity(one, {{row.parameter, row.value}}), row.same) << row.parameter;
  }
}

TEST_F(ProblemTest, KernelsOfOneProblemShareIt) {
  const Parameters size = {{"N", 512}};
  const std::string usual = identity(kernel("sgemm_tiled"), size);
  for (const char* name : {"sgemm_naive", "sgemm_register_2d", "sgemm_vectorized", "cublas_sgemm"}) {
    EXPECT_EQ(identity(kernel(name), size), usual) << name;
  }
  for (const char* name : {"gemm_bf16_mma", "transpose_tiled", "triad"}) {
    EXPECT_NE(identity(kernel(name), size), usual) << name;
  }
}

TEST_F(ProblemTest, AVariantOfAnotherElementIsAnother) {
  const Manifest& tiled = kernel("transpose_tiled");
  EXPECT_NE(identity(tiled, {{"N", 1024}, {"BYTES", 4}}), identity(tiled, {{"N", 1024}, {"BYTES", 8}}));
}

TEST_F(ProblemTest, OutputsArePoisonedBeforeEachLaunch) {
  const Manifest& tiled = kernel("transpose_tiled");
  const Problem made = problem(tiled, {{"N", 256}, {"BYTES", 4}});
  made.reset_outputs();
  EXPECT_THAT(take(),
              ElementsAre("fill " + std::to_string(made.pointer("out") / 0x1000) + " with 255: 262144"));
}

TEST_F(ProblemTest, WhatIsAlsoReadIsFilledAgainBeforeEachLaunch) {
  Manifest manifest = kernel("transpose_tiled");
  const auto out = std::ranges::find(manifest.buffers, "out", &Buffer::name);
  out->role = BufferRole::in_out;
  const Problem made = problem(manifest, {{"N", 256}, {"BYTES", 4}});
  made.reset_outputs();
  EXPECT_THAT(take(), ElementsAre("launch on " + std::to_string(made.pointer("out") / 0x1000)));
}

TEST_F(ProblemTest, ArgumentsStandInTheirOrderWithTheirTypes) {
  Manifest manifest = kernel("transpose_tiled");
  const auto scalar = [](const char* type, const char* value) {
    return Argument{"", type, Expression(value, {"N"})};
  };
  manifest.arguments = {{"out", "buffer", {}},        {"in", "buffer", {}},       scalar("int", "N + 1"),
                        scalar("long_long", "N * N"), scalar("float", "N / 512"), scalar("double", "N / 3")};
  const Problem made = problem(manifest, {{"N", 256}});
  Arguments arguments = made.arguments(manifest, complete(manifest, {{"N", 256}}));
  const auto values = arguments.pointers();
  ASSERT_EQ(values.size(), 6u);
  EXPECT_EQ(*static_cast<CUdeviceptr*>(values[0]), made.pointer("out"));
  EXPECT_EQ(*static_cast<CUdeviceptr*>(values[1]), made.pointer("in"));
  EXPECT_EQ(*static_cast<int*>(values[2]), 257);
  EXPECT_EQ(*static_cast<long long*>(values[3]), 65536);
  EXPECT_EQ(*static_cast<float*>(values[4]), 0.5f);
  EXPECT_EQ(*static_cast<double*>(values[5]), 256.0 / 3);
}

TEST_F(ProblemTest, EachBufferHasAPlaceOfItsOwn) {
  const Problem made = problem(kernel("sgemm_tiled"), {{"N", 256}});
  EXPECT_NE(made.pointer("A"), made.pointer("B"));
  EXPECT_NE(made.pointer("B"), made.pointer("C"));
}

TEST_F(ProblemTest, ItsReferenceIsRunOnceAndOnlyWhereOneIsNamed) {
  Manifest manifest = kernel("transpose_tiled");
  fake_launches().clear();
  problem(manifest, {{"N", 256}});
  const std::size_t with = fake_launches().size();
  manifest.verify.reset();
  fake_launches().clear();
  const Problem made = problem(manifest, {{"N", 256}});
  EXPECT_EQ(fake_launches().size() + 1, with);
  EXPECT_EQ(made.verify(manifest, complete(manifest, {{"N", 256}})), std::nullopt);
}

TEST_F(ProblemTest, AnOutputThatDiffersIsNamed) {
  Manifest manifest = kernel("sgemm_tiled");
  manifest.verify->tolerance = Expression("N / 256000", {"N"});
  const Parameters size = complete(manifest, {{"N", 256}});
  const Problem made = problem(manifest, size);
  EXPECT_TRUE(made.verify(manifest, size)->passed);
  first_bad = 5;
  const auto verification = made.verify(manifest, size);
  ASSERT_TRUE(verification);
  EXPECT_FALSE(verification->passed);
  EXPECT_EQ(verification->sentence,
            "C: element 5 is 1, the reference says 2 (tolerance 0.001); 3 of 65,536 elements are wrong");
  ASSERT_TRUE(verification->wrong);
  EXPECT_EQ(verification->wrong->buffer, "C");
  EXPECT_EQ(verification->wrong->row_length, 256);
  EXPECT_EQ(verification->wrong->cells.at(0).substr(0, 3), ".4.") << "3 of 4 x 2 elements";
}

TEST_F(ProblemTest, AFileIsTheInputInsteadOfRandomNumbers) {
  const platform::TemporaryFolder folder;
  write_array(folder.path() / "in.npy", std::vector<float>(256 * 256, 1.5f));
  Manifest manifest = kernel("copy");
  manifest.verify.reset();
  manifest.buffers.at(0).file = folder.path() / "in.npy";
  const Problem made(device_, compiler_, helpers_, manifest, complete(manifest, {{"N", 256}}), Room::exact);
  EXPECT_THAT(take(),
              ElementsAre("write " + std::to_string(made.pointer("in") / 0x1000) + ": 262144 from 1.500000"));
}

TEST_F(ProblemTest, AFileThatIsAlsoWrittenToIsReadOnce) {
  const platform::TemporaryFolder folder;
  write_array(folder.path() / "data.npy", std::vector<float>(256 * 256, 2.5f));
  Manifest manifest = kernel("copy");
  manifest.verify.reset();
  Buffer& out = manifest.buffers.at(1);
  out.role = BufferRole::in_out;
  out.file = folder.path() / "data.npy";
  const Problem made(device_, compiler_, helpers_, manifest, complete(manifest, {{"N", 256}}), Room::exact);
  const auto first = take();
  EXPECT_THAT(first,
              Contains("write " + std::to_string(made.pointer("out") / 0x1000) + ": 262144 from 2.500000"));
  made.restore_inputs();
  EXPECT_THAT(take(), ElementsAre(testing::EndsWith("to " + std::to_string(made.pointer("out") / 0x1000) +
                                                    ": 262144")));
}

TEST_F(ProblemTest, AFileOfExpectedValuesIsTheReference) {
  const platform::TemporaryFolder folder;
  write_array(folder.path() / "out.npy", std::vector<float>(256 * 256, 3.5f));
  Manifest manifest = kernel("copy");
  manifest.verify.emplace().files = {folder.path() / "out.npy"};
  manifest.verify->tolerance = Expression("0", {});
  const Parameters size = complete(manifest, {{"N", 256}});
  fake_launches().clear();
  Problem made(device_, compiler_, helpers_, manifest, size, Room::exact);
  made.expect(manifest, size);
  EXPECT_EQ(fake_launches().size(), 1u) << "which fills the input";
  EXPECT_THAT(take(), Contains(testing::EndsWith(" from 3.500000")));
  EXPECT_TRUE(made.verify(manifest, size)->passed);
  first_bad = 5;
  EXPECT_EQ(made.verify(manifest, size)->sentence,
            "out: element 5 is 1, the reference says 2 (tolerance 0); 3 of 65,536 elements are wrong");
  made.expect(manifest, size);
  EXPECT_THAT(take(), Not(Contains(testing::EndsWith(" from 3.500000")))) << "it was read already";
  write_array(folder.path() / "out.npy", std::vector<float>(256 * 256, 4.5f));
  fs::last_write_time(folder.path() / "out.npy", fs::file_time_type::clock::now() + std::chrono::hours(1));
  made.expect(manifest, size);
  EXPECT_THAT(take(), Contains(testing::EndsWith(" from 4.500000")));
}

// verify = "v1.cu": an earlier version with the macros and the launch of the kernel.
TEST_F(ProblemTest, AReferenceIsRunAgainForOtherMacrosAndForAnotherText) {
  const platform::TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  };
  const std::string source =
      "#include \"factor.h\"\n"
      "extern \"C\" __global__ void copy(const float* in, float* out, long long N) { out[0] = ITEMS * FACTOR * "
      "in[0]; }\n";
  write("v1.cu", source);
  write("factor.h", "#define FACTOR 2\n");
  Manifest manifest = kernel("copy");
  manifest.verify =
      VerifyRule{folder.path() / "v1.cu", "copy", true, manifest.arguments, manifest.grid, manifest.block};
  const Parameters first = complete(manifest, {{"N", 256}, {"ITEMS", 1}});
  Problem made = problem(manifest, first);
  const auto launches = [&](const Parameters& parameters) {
    fake_launches().clear();
    made.expect(manifest, parameters);
    return fake_launches().size();
  };
  EXPECT_EQ(launches(first), 0u) << "nothing has changed";
  const Parameters other = complete(manifest, {{"N", 256}, {"ITEMS", 2}});
  EXPECT_EQ(launches(other), 1u);
  EXPECT_EQ(launches(other), 0u);
  write("factor.h", "#define FACTOR 3\n");
  EXPECT_EQ(launches(other), 1u) << "another header";
  write("v1.cu", source + "__global__ void more(float* out) { out[0] = 1; }\n");
  EXPECT_EQ(launches(other), 1u) << "another source";
  manifest.verify.reset();
  EXPECT_EQ(launches(other), 0u);
  EXPECT_EQ(made.verify(manifest, other), std::nullopt) << "nothing is expected any more";
}

TEST_F(ProblemTest, WhatTheReferenceLeavesUnwrittenIsNoRemainder) {
  const Manifest& tiled = kernel("transpose_tiled");
  Problem made(device_, compiler_, helpers_, tiled, complete(tiled, {{"N", 256}, {"BYTES", 4}}), Room::exact);
  take();
  made.expect(tiled, complete(tiled, {{"N", 256}, {"BYTES", 4}}));
  EXPECT_THAT(take(), Contains(testing::EndsWith(" with 255: 262144")));
}

TEST_F(ProblemTest, AFileThatIsNotTheBufferIsToldOf) {
  const platform::TemporaryFolder folder;
  Manifest manifest = kernel("copy");
  manifest.buffers.at(0).file = folder.path() / "in.npy";
  const auto told = [&] {
    try {
      problem(manifest, {{"N", 256}});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(told(), HasSubstr("in.npy, which kernel.toml names for in."));
  write_array(folder.path() / "in.npy", std::vector<float>(1000));
  EXPECT_THAT(told(), HasSubstr("in.npy has 1,000 elements, and the buffer 65,536."));
  fs::remove(folder.path() / "in.npy");
  fs::create_symlink("/dev/zero", folder.path() / "in.npy");
  EXPECT_THAT(told(), HasSubstr("it is a folder or a device"));
}

TEST_F(ProblemTest, AFileThatIsWrittenAgainMakesAnother) {
  const platform::TemporaryFolder folder;
  const fs::path file = folder.path() / "in.npy";
  write_array(file, {1});
  Manifest manifest = kernel("transpose_tiled");
  const std::string random = identity(manifest, {});
  manifest.buffers.at(0).file = file;
  const std::string first = identity(manifest, {});
  EXPECT_NE(first, random);
  EXPECT_EQ(first, identity(manifest, {}));
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
  EXPECT_NE(first, identity(manifest, {}));
}

TEST_F(ProblemTest, EveryBundledKernelHasItsBuffersAndArguments) {
  for (const Manifest& manifest : all_.kernels) {
    const Problem made = problem(manifest, {});
    for (const Buffer& buffer : manifest.buffers) {
      EXPECT_NE(made.pointer(buffer.name), 0u) << manifest.name << ' ' << buffer.name;
    }
    EXPECT_EQ(made.arguments(manifest, complete(manifest, {})).pointers().size(), manifest.arguments.size())
        << manifest.name;
  }
}

}  // namespace
}  // namespace rooftile::worker
