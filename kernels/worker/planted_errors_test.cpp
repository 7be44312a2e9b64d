// Wrong results are planted into the right ones of every bundled kernel, and of small ones whose tolerance is
// that of their type; the worker's own comparison must find each. Prints a table of what it found.
#include "kernels/worker/planted_errors.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <optional>

#include "analysis/model/fit.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "kernels/worker/measure/problem.hpp"
#include "kernels/worker/some_combinations.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

template <class Raw, class Decode, class Encode>
Coding coding_of_16_bits(Decode decode, Encode encode) {
  return {sizeof(Raw), false,
          [decode](const char* place) {
            Raw raw;
            std::memcpy(&raw, place, sizeof raw);
            return static_cast<double>(decode(raw));
          },
          [encode](char* place, double number) {
            const Raw raw = encode(number);
            std::memcpy(place, &raw, sizeof raw);
          }};
}

Coding coding_named(const std::string& element) {
  return element == "float"    ? coding_of<float>()
         : element == "double" ? coding_of<double>()
         : element == "half"
             ? coding_of_16_bits<__half_raw>([](__half_raw raw) { return __half2float(raw); },
                                             [](double number) { return __half_raw(__double2half(number)); })
         : element == "bfloat16"
             ? coding_of_16_bits<__nv_bfloat16_raw>(
                   [](__nv_bfloat16_raw raw) { return __bfloat162float(raw); },
                   [](double number) { return __nv_bfloat16_raw(__double2bfloat16(number)); })
         : element == "char"  ? coding_of<signed char>()
         : element == "short" ? coding_of<short>()
         : element == "int"   ? coding_of<int>()
                              : coding_of<long long>();
}

// A kernel that writes `value` of each element c of a row, and an earlier version of it.
struct SmallKernel {
  const char* name;
  const char* element;
  const char* type;  // in C++
  const char* value;
  const char* reference;
};

constexpr SmallKernel small_kernels[] = {
    {"softmax", "float", "float", "__expf(x[c]) / sum(x, columns, true, true)",
     "expf(x[c]) * (1 / sum(x, columns, false, true))"},
    {"prefix_sum", "float", "float", "sum(x, c + 1, true, false)", "sum(x, c + 1, false, false)"},
    {"masked", "float", "float", "c % 64 > row ? __int_as_float(0xff800000) : 3 * x[c]",
     "c % 64 > row ? __int_as_float(0xff800000) : x[c] + 2 * x[c]"},
    {"roots", "float", "float", "sqrtf(x[c])", "powf(x[c], 0.5f)"},
    {"product", "double", "double", "(double)x[c] * x[row] / 3", "(double)x[c] / 3 * x[row]"},
    {"scaled_half", "half", "__half", "__float2half(3 * x[c])", "__float2half(x[c] + 2 * x[c])"},
    {"sigmoid", "bfloat16", "__nv_bfloat16", "__float2bfloat16(1 / (1 + __expf(-x[c])))",
     "__float2bfloat16(1 - 1 / (1 + expf(x[c])))"},
    {"signs", "char", "char", "x[c] > 0", "!(x[c] <= 0)"},
    {"fixed_point", "short", "short", "(short)(30000 * x[c])", "(short)(x[c] * 30000)"},
    {"bits", "int", "int", "__float_as_int(x[c])", "*(const int*)(x + c)"},
    {"hash", "long_long", "long long", "(long long)(__float_as_uint(x[c]) * 0x9e3779b97f4a7c15ull)",
     "(long long)(0x9e3779b97f4a7c15ull * __float_as_uint(x[c]))"},
};

std::string source_of(const SmallKernel& kernel, const char* value) {
  return fmt::format(R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ float sum(const float* x, int n, bool forwards, bool of_exponentials) {{
  float s = 0;
  for (int i = 0; i < n; ++i) {{
    const float y = x[forwards ? i : n - 1 - i];
    s += of_exponentials ? expf(y) : y;
  }}
  return s;
}}
extern "C" __global__ void {}(const float* in, {}* out, int columns) {{
  const int row = blockIdx.x;
  const float* x = in + (long long)row * columns;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[(long long)row * columns + c] = {};
}}
)",
                     kernel.name, kernel.type, value);
}

Manifest small_manifest(const fs::path& folder, const SmallKernel& kernel) {
  const fs::path own = folder / kernel.name;
  fs::create_directories(own);
  std::ofstream(own / fmt::format("{}.cu", kernel.name)) << source_of(kernel, kernel.value);
  std::ofstream(own / "v1.cu") << source_of(kernel, kernel.reference);
  std::ofstream(own / "kernel.toml") << fmt::format(R"toml(verify = "v1.cu"
[[parameter]]
name = "N"
role = "size"
values = [4096]
default = 4096
[[buffer]]
name = "in"
count = "64 * N"
role = "input"
[[buffer]]
name = "out"
element = "{}"
count = "64 * N"
role = "output"
[launch]
arguments = [{{ buffer = "in" }}, {{ buffer = "out" }}, {{ int = "N" }}]
grid = 64
block = 256
)toml",
                                                    kernel.element);
  return platform::load_manifest(own / "kernel.toml");
}

// Sizes for which decoding each element takes no time, where they are legal.
Parameters small_sizes(const Manifest& manifest) {
  Parameters given;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.role == ParameterRole::size && !parameter.follows) {
      given[parameter.name] = parameter.accepts(256) ? 256 : std::ranges::min(parameter.values);
    }
  }
  const Parameters small = complete(manifest, given);
  return why_illegal(manifest, small) ? complete(manifest, {}) : small;
}

class PlantedErrors : public testing::Test {
 protected:
  void SetUp() override {
    driver_ = load_driver();
    if (!driver_) {
      GTEST_SKIP() << "No driver here.";
    }
    try {
      device_.emplace(*driver_, 0);
    } catch (const Error& error) {
      GTEST_SKIP() << "No GPU here: " << error.what();
    }
    compiler_.emplace(load_nvrtc().value(), folder_.path() / "cubins");
    helpers_.emplace(*device_, *compiler_, platform::data_directory() / "kernels");
    fmt::print("{:22} {:>7} {:>7} {:>7}\n", "kernel", "planted", "found", "missed");
  }

  // A right result verifies, and none of the wrong ones.
  void plant_into(const Manifest& manifest) {
    const Parameters parameters = small_sizes(manifest);
    Problem problem(*device_, *compiler_, *helpers_, manifest, parameters, Room::exact);
    problem.expect(manifest, parameters);
    launch(manifest, parameters, problem);
    const auto verification = problem.verify(manifest, parameters);
    ASSERT_TRUE(verification) << manifest.name;
    EXPECT_TRUE(verification->passed) << manifest.name << ": " << verification->sentence;
    const Buffer& buffer = *std::ranges::find_if(manifest.buffers, &Buffer::is_written);
    const Elements right = result(buffer, parameters, problem);
    int planted = 0;
    std::vector<std::string> missed;
    for (const PlantedError& error : planted_errors()) {
      Elements wrong = right;
      error.plant(wrong);
      if (const std::int64_t differing = wrong.differing(right); differing > 0) {
        ++planted;
        write(wrong, problem.pointer(buffer.name));
        const auto found = problem.verify(manifest, parameters);
        if (found->passed) {
          missed.emplace_back(error.name);
        }
        EXPECT_LE(found->wrong ? found->wrong->wrong : 0, differing) << manifest.name << ": " << error.name;
      }
    }
    fmt::print("{:22} {:7} {:7} {:7}\n", manifest.name, planted, planted - std::ssize(missed), missed.size());
    EXPECT_GE(planted, 25) << manifest.name;
    EXPECT_THAT(missed, testing::IsEmpty()) << manifest.name;
  }

  void launch(const Manifest& manifest, const Parameters& parameters, const Problem& problem) {
    const Binary binary = compiler_->compile(manifest, parameters, device_->gpu().cc);
    Arguments arguments = problem.arguments(manifest, parameters);
    problem.reset_outputs();
    Kernel(*device_, binary.cubin, binary.symbol)
        .launch(launch_of(manifest, parameters, device_->gpu().sm_count), arguments);
    device_->synchronize();
  }
  Elements result(const Buffer& buffer, const Parameters& parameters, const Problem& problem) const {
    const auto count = static_cast<std::size_t>(buffer.count.evaluate(parameters));
    std::string bytes(count * static_cast<std::size_t>(buffer.element_bytes), '\0');
    driver_->check(driver_->cuMemcpyDtoH(bytes.data(), problem.pointer(buffer.name), bytes.size()),
                   "cuMemcpyDtoH");
    const auto n = parameters.contains("N") ? static_cast<std::size_t>(parameters.at("N")) : count;
    return {bytes, coding_named(buffer.element), count % n == 0 ? n : count};
  }
  void write(const Elements& elements, CUdeviceptr place) const {
    driver_->check(driver_->cuMemcpyHtoD(place, elements.bytes().data(), elements.bytes().size()),
                   "cuMemcpyHtoD");
  }

  const platform::TemporaryFolder folder_;
  std::optional<Driver> driver_;
  std::optional<Device> device_;
  std::optional<Compiler> compiler_;
  std::optional<HelperKernels> helpers_;
};

TEST_F(PlantedErrors, AreFoundInEveryBundledKernel) {
  for (const Manifest& manifest : platform::load_catalogue_with({}).kernels) {
    if (manifest.library.empty() && !why_unfit(manifest, device_->gpu().cc)) {
      plant_into(manifest);
    }
  }
}

TEST_F(PlantedErrors, AreFoundByTheToleranceOfEachType) {
  for (const SmallKernel& kernel : small_kernels) {
    plant_into(small_manifest(folder_.path(), kernel));
  }
}

}  // namespace
}  // namespace rooftile::worker
