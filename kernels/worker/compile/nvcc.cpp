#include "kernels/worker/compile/nvcc.hpp"

#include <fmt/format.h>

#include <system_error>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/compile_hints.hpp"
#include "kernels/worker/compile/ptx_text.hpp"
#include "kernels/worker/cuda/toolkit_folders.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_with_wheels(const Nvrtc& nvrtc) {
  std::vector<fs::path> folders = program_folders();
  const fs::path wheel = fs::path(nvrtc.file).parent_path().parent_path();
  folders.push_back(wheel / "bin");                              // nvidia/cu13
  folders.push_back(wheel.parent_path() / "cuda_nvcc" / "bin");  // nvidia/cuda_nvrtc of CUDA 12
  return folders;
}

// The kernel that is asked for is instantiated and named; messages about it have the place that NVRTC's have.
std::string unit_of(const SourceFiles& files, const std::string& entry) {
  const std::string named =
      entry.empty() || is_symbol(entry)
          ? ""
          : fmt::format("\n#line 1 \"__nv_name_map\"\n__device__ auto* rooftile_entry = &{};\n", entry);
  const bool is_once = files.code.find("#pragma once") != files.code.npos;  // which only an include is
  return is_once ? fmt::format("#include \"{}\"{}", fs::absolute(files.file).string(), named)
                 : fmt::format("#line 1 \"{}\"\n{}{}", files.file.string(), files.code, named);
}

// "rooftile_entry = _Z3sumPf;"
std::string entry_symbol(const std::string& ptx, const std::string& entry) {
  if (is_symbol(entry)) {
    return entry;
  }
  constexpr std::string_view name = "rooftile_entry = ";
  const std::size_t found = ptx.find(name);
  return found == ptx.npos ? "" : ptx.substr(found + name.size(), ptx.find(';', found) - found - name.size());
}

struct Products {
  std::string ptx, product, log;
};

// wanted: "--cubin" or "--ptx".
Products run(const Nvcc& nvcc, const SourceFiles& files, const std::vector<std::string>& options,
             const std::string& entry, const char* wanted) {
  const platform::TemporaryFolder folder;
  const fs::path unit = folder.path() / "unit.cu", log = folder.path() / "log";
  platform::write_file(unit, unit_of(files, entry), platform::any_kind);
  std::vector<std::string> command = {nvcc.file.string(),
                                      wanted,
                                      "--expt-relaxed-constexpr",  // as most builds of libraries have it
                                      "--extended-lambda",
                                      "--keep",
                                      "--keep-dir",
                                      folder.path().string(),
                                      "-o",
                                      (folder.path() / "product").string(),
                                      unit.string()};
  command.insert(command.end(), options.begin(), options.end());
  for (const fs::path& place : files.folders) {
    command.push_back("-I" + place.string());
  }
  const platform::MemoryLimit limit(nvcc.most_memory);  // which what we start has too
  platform::ChildProcess child(command, log);
  while (child.read_line()) {
  }
  Products products{platform::read_text(folder.path() / "unit.ptx").value_or(""),
                    platform::read_text(folder.path() / "product").value_or(""),
                    platform::read_text(log).value_or("")};
  if (products.product.empty()) {
    throw Error(refusal(files.file, products.log, entry, {}));
  }
  return products;
}

}  // namespace

std::optional<Nvcc> find_nvcc(const Nvrtc& nvrtc) {
  const auto file = find_program(folders_with_wheels(nvrtc), "nvcc");
  if (!file) {
    return std::nullopt;
  }
  std::error_code none;
  return Nvcc{*file,
              fmt::format("{} {}", fs::file_size(*file, none),
                          fs::last_write_time(*file, none).time_since_epoch().count()),
              nvrtc.most_memory};
}

Cubin compile_to_cubin(const Nvcc& nvcc, const SourceFiles& files, const std::vector<std::string>& options,
                       const std::string& entry) {
  Products products = run(nvcc, files, options, entry, "--cubin");
  Cubin cubin;
  cubin.symbol = entry_symbol(products.ptx, entry);
  cubin.half_arithmetic = computes_in_half(products.ptx, cubin.symbol);
  cubin.bytes = std::move(products.product);
  cubin.log = std::move(products.log);
  return cubin;
}

Ptx compile_to_ptx(const Nvcc& nvcc, const SourceFiles& files, const std::vector<std::string>& options,
                   const std::string& entry) {
  Products products = run(nvcc, files, options, entry, "--ptx");
  std::string symbol = entry_symbol(products.product, entry);
  return {std::move(products.product), std::move(symbol)};
}

}  // namespace rooftile::worker
