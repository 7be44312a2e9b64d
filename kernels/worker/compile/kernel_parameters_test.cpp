// Parameters that NVRTC writes into a cubin of each architecture it knows.
#include "kernels/worker/compile/kernel_parameters.hpp"

#include <gmock/gmock.h>

#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr const char* source = R"(
struct alignas(64) Map { char bytes[128]; };
extern "C" __global__ void several(const float* in, float* out, int N, const __grid_constant__ Map map, double d,
                                   long long M, float f) {
  out[N] = in[M] + d + f + map.bytes[N];
}
extern "C" __global__ void severals(int N) {}
extern "C" __global__ void mixed(char c, double d, int n) {}
extern "C" __global__ void none() {}
)";

class KernelParametersTest : public testing::Test {
 protected:
  std::string cubin(ComputeCapability cc) const {
    const std::string arch = "-arch=sm_" + std::to_string(cc.major) + std::to_string(cc.minor);
    return compile_to_cubin(nvrtc_, {source, "several.cu", {}, {}}, {arch, "--minimal", "-std=c++17"},
                            {"several"})
        .bytes;
  }
  static std::vector<int> sizes(std::string_view cubin, const std::string& symbol) {
    std::vector<int> bytes;
    const auto parameters = parameters_of(cubin, symbol);
    for (const KernelParameter& parameter : *parameters) {
      bytes.push_back(parameter.bytes);
    }
    return bytes;
  }
  const Nvrtc nvrtc_ = load_nvrtc().value();
};

TEST_F(KernelParametersTest, AreReadOnEveryArchitecture) {
  for (const ComputeCapability cc : architectures(nvrtc_)) {
    SCOPED_TRACE(text(cc));
    const std::string bytes = cubin(cc);
    EXPECT_THAT(sizes(bytes, "several"), ElementsAre(8, 8, 4, 128, 8, 8, 4));
    EXPECT_THAT(sizes(bytes, "severals"), ElementsAre(4));
    EXPECT_EQ(parameters_of(bytes, "mixed"), (std::vector<KernelParameter>{{1, 0}, {8, 8}, {4, 16}}));
    EXPECT_THAT(parameters_of(bytes, "none"), Optional(IsEmpty()));
    EXPECT_EQ(parameters_of(bytes, "sever"), std::nullopt);
  }
}

TEST_F(KernelParametersTest, ACubinThatWasCutOffIsReadAsFarAsItGoes) {
  const std::string whole = cubin({9, 0});
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    const std::string_view cut = std::string_view(whole).substr(0, size);
    EXPECT_LE(parameters_of(cut, "several").value_or(std::vector<KernelParameter>{}).size(), 7U) << size;
  }
  EXPECT_EQ(parameters_of(std::string(4096, '\xff'), "several"), std::nullopt);
}

const Argument in{"in", "buffer", {}}, out{"out", "buffer", {}}, map{"A_map", "tensor_map", {}};

Argument scalar(const char* type, const char* value) {
  return {{}, type, Expression(value, {"M", "N"})};
}

TEST_F(KernelParametersTest, AreHeldAgainstTheArgumentsOfAManifest) {
  const Argument n = scalar("int", "N"), d = scalar("double", "1"), m = scalar("long_long", "M"),
                 f = scalar("float", "1");
  const struct {
    std::vector<Argument> arguments;
    const char* entry;
    std::optional<std::string> expected;
  } rows[] = {
      {{in, out, n, map, d, m, f}, "several", std::nullopt},
      {{}, "none", std::nullopt},
      {{n}, "unknown", std::nullopt},
      {{in, out, n, map, d, m},
       "several",
       "several takes 7 parameters, but its manifest gives it 6 arguments: they must be the same, in the same "
       "order."},
      {{},
       "severals",
       "severals takes 1 parameter, but its manifest gives it 0 arguments: they must be the same, in the same "
       "order."},
      {{in, out, n, map, d, scalar("int", "M"), f},
       "several",
       "Parameter 6 of several has 8 bytes, but its argument { int = \"M\" } in the manifest has 4."},
      {{in, n, out, map, d, m, f},
       "several",
       "Parameter 2 of several has 8 bytes, but its argument { int = \"N\" } in the manifest has 4."},
      {{in, out, n, in, d, m, f},
       "several",
       "Parameter 4 of several has 128 bytes, but its argument { buffer = \"in\" } in the manifest has 8."},
  };
  const std::string bytes = cubin({9, 0});
  for (const auto& row : rows) {
    EXPECT_EQ(why_not_given(row.arguments, bytes, row.entry, row.entry), row.expected);
  }
}

}  // namespace
}  // namespace rooftile::worker
