#include "kernels/worker/compile/nvrtc.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/compile/compile_hints.hpp"
#include "kernels/worker/compile/ptx_text.hpp"
#include "kernels/worker/cuda/library_places.hpp"

namespace rooftile::worker {
namespace {

void check(const Nvrtc& nvrtc, nvrtcResult result, const char* call) {
  if (result != NVRTC_SUCCESS) {
    throw Error(fmt::format("{} failed: {} (compiler taken from {})", call, nvrtc.nvrtcGetErrorString(result),
                            nvrtc.file));
  }
}

// A program that is destroyed with its scope.
struct Program {
  const Nvrtc& nvrtc;
  nvrtcProgram handle = nullptr;
  ~Program() { nvrtc.nvrtcDestroyProgram(&handle); }
};

// Without the zeros that ptxas' own words end with.
std::string program_log(const Program& program) {
  std::size_t size = 0;
  check(program.nvrtc, program.nvrtc.nvrtcGetProgramLogSize(program.handle, &size), "nvrtcGetProgramLogSize");
  std::string log(size, '\0');
  check(program.nvrtc, program.nvrtc.nvrtcGetProgramLog(program.handle, log.data()), "nvrtcGetProgramLog");
  std::erase(log, '\0');
  while (log.ends_with('\n')) {
    log.pop_back();
  }
  return log;
}

// If the memory runs out, NVRTC says "out of memory" with file and line.
nvrtcResult run(const Program& program, const std::vector<const char*>& options) {
  const platform::MemoryLimit limit(program.nvrtc.most_memory);
  return program.nvrtc.nvrtcCompileProgram(program.handle, static_cast<int>(options.size()), options.data());
}

std::string symbol_of(const Program& program, const std::string& name) {
  const char* symbol = nullptr;  // owned by the program
  check(program.nvrtc, program.nvrtc.nvrtcGetLoweredName(program.handle, name.c_str(), &symbol),
        "nvrtcGetLoweredName");
  return symbol;
}

std::string ptx_of(const Program& program) {
  std::size_t size = 0;
  check(program.nvrtc, program.nvrtc.nvrtcGetPTXSize(program.handle, &size), "nvrtcGetPTXSize");
  std::string ptx(size, '\0');
  check(program.nvrtc, program.nvrtc.nvrtcGetPTX(program.handle, ptx.data()), "nvrtcGetPTX");
  return ptx;
}

// NVRTC does not tell its build: the library's size and time stand for it.
std::string size_and_time(const std::filesystem::path& file) {
  std::error_code none;
  return fmt::format("{} {}", std::filesystem::file_size(file, none),
                     std::filesystem::last_write_time(file, none).time_since_epoch().count());
}

void create(Program& program, const NvrtcInput& input) {
  std::vector<const char*> names, texts;
  for (const auto& [name, text] : input.headers) {
    names.push_back(name.c_str());
    texts.push_back(text.c_str());
  }
  check(program.nvrtc,
        program.nvrtc.nvrtcCreateProgram(&program.handle, input.code.c_str(), input.name.c_str(),
                                         static_cast<int>(names.size()), texts.data(), names.data()),
        "nvrtcCreateProgram");
}

void compile(Program& program, const NvrtcInput& input, const std::vector<std::string>& options,
             const Entry& entry) {
  const Nvrtc& nvrtc = program.nvrtc;
  create(program, input);
  if (!entry.is_symbol && !entry.name.empty()) {
    check(nvrtc, nvrtc.nvrtcAddNameExpression(program.handle, entry.name.c_str()), "nvrtcAddNameExpression");
  }
  std::vector<const char*> option_texts;
  for (const std::string& option : options) {
    option_texts.push_back(option.c_str());
  }
  if (nvrtc.has_cache) {
    option_texts.push_back("--no-cache");  // a cubin from its cache comes without the messages of ptxas
  }
  if (run(program, option_texts) != NVRTC_SUCCESS) {
    const std::string log = program_log(program);
    throw Error(refusal(input.name, log, entry.name, input.missing));
  }
}

}  // namespace

std::optional<Nvrtc> load_nvrtc(std::string* tried, const std::string& driver) {
  const auto library =
      platform::DynamicLibrary::open(library_places("nvrtc", cuda_major_versions(driver)), tried);
  if (!library) {
    return std::nullopt;
  }
  Nvrtc nvrtc;
  nvrtc.file = library->file();
#define ROOFTILE_LOAD(name)                                                                     \
  nvrtc.name = reinterpret_cast<decltype(nvrtc.name)>(library->symbol(#name));                  \
  if (nvrtc.name == nullptr) {                                                                  \
    throw Error(fmt::format("{} has no {}: CUDA 12.6 or later is needed.", nvrtc.file, #name)); \
  }
  ROOFTILE_NVRTC_FUNCTIONS(ROOFTILE_LOAD);
#undef ROOFTILE_LOAD
  int major = 0, minor = 0;
  check(nvrtc, nvrtc.nvrtcVersion(&major, &minor), "nvrtcVersion");
  nvrtc.version = fmt::format("{}.{}", major, minor);
  nvrtc.build = size_and_time(nvrtc.file);
  library->load_from_beside("libnvrtc-builtins.so." + nvrtc.version);
  nvrtc.has_cache = std::pair(major, minor) >= std::pair(12, 9);
  return nvrtc;
}

std::vector<ComputeCapability> architectures(const Nvrtc& nvrtc) {
  int count = 0;
  check(nvrtc, nvrtc.nvrtcGetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> numbers(static_cast<std::size_t>(count));
  check(nvrtc, nvrtc.nvrtcGetSupportedArchs(numbers.data()), "nvrtcGetSupportedArchs");
  std::vector<ComputeCapability> architectures;
  for (const int number : numbers) {
    architectures.push_back({number / 10, number % 10});
  }
  return architectures;
}

Cubin compile_to_cubin(const Nvrtc& nvrtc, const NvrtcInput& input, const std::vector<std::string>& options,
                       const Entry& entry) {
  Program program{nvrtc};
  compile(program, input, options, entry);
  Cubin cubin;
  std::size_t size = 0;
  check(nvrtc, nvrtc.nvrtcGetCUBINSize(program.handle, &size), "nvrtcGetCUBINSize");
  cubin.bytes.resize(size);
  check(nvrtc, nvrtc.nvrtcGetCUBIN(program.handle, cubin.bytes.data()), "nvrtcGetCUBIN");
  cubin.log = program_log(program);
  const std::string ptx = ptx_of(program);
  cubin.symbol = entry.is_symbol ? symbol_in(ptx, entry.name) : symbol_of(program, entry.name);
  cubin.instructions = instructions_in_ptx(ptx, cubin.symbol);
  return cubin;
}

Ptx compile_to_ptx(const Nvrtc& nvrtc, const NvrtcInput& input, const std::vector<std::string>& options,
                   const Entry& entry) {
  Program program{nvrtc};
  compile(program, input, options, entry);
  std::string ptx = ptx_of(program);
  std::string symbol = entry.name.empty() ? ""
                       : entry.is_symbol  ? symbol_in(ptx, entry.name)
                                          : symbol_of(program, entry.name);
  return {std::move(ptx), std::move(symbol)};
}

}  // namespace rooftile::worker
