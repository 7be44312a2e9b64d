#include "kernels/worker/compile/nvcc.hpp"

#include <fmt/format.h>

#include <system_error>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/compile_hints.hpp"
#include "kernels/worker/compile/nvrtc_input.hpp"
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
std::string naming(const std::string& entry) {
  return entry.empty() || is_symbol(entry)
             ? ""
             : fmt::format("\n#line 1 \"__nv_name_map\"\n__device__ auto* rooftile_entry = &{};\n", entry);
}

std::string unit_of(const fs::path& file, const std::string& code, const std::string& entry) {
  return fmt::format("#line 1 \"{}\"\n{}{}", file.string(), code, naming(entry));
}

std::string unit_of(const SourceFiles& files, const std::string& entry) {
  const bool is_once = files.code.find("#pragma once") != files.code.npos;  // which only an include is
  return is_once && !files.is_changed
             ? fmt::format("#include \"{}\"{}", fs::absolute(files.file).string(), naming(entry))
             : unit_of(files.file, files.code, entry);
}

// "rooftile_entry = _Z3sumPf;"
std::string entry_symbol(const std::string& ptx, const std::string& entry) {
  if (is_symbol(entry)) {
    return symbol_in(ptx, entry);
  }
  constexpr std::string_view name = "rooftile_entry = ";
  const std::size_t found = ptx.find(name);
  return found == ptx.npos ? "" : ptx.substr(found + name.size(), ptx.find(';', found) - found - name.size());
}

struct Products {
  std::string ptx, product, log;
};

struct Task {
  const Nvcc& nvcc;
  const SourceFiles& files;
  const std::vector<std::string>& options;
  const std::string& entry;
  const char* wanted;  // "--cubin" or "--ptx"
};

// first: options that come before the folders of the source.
Products compiled(const Task& task, const std::string& unit, const std::vector<std::string>& first) {
  const platform::TemporaryFolder folder;
  const fs::path source = folder.path() / "unit.cu", log = folder.path() / "log";
  platform::write_file(source, unit, platform::any_kind);
  std::vector<std::string> command = {task.nvcc.file.string(),
                                      task.wanted,
                                      "--expt-relaxed-constexpr",  // as most builds of libraries have it
                                      "--extended-lambda",
                                      "--keep",
                                      "--keep-dir",
                                      folder.path().string(),
                                      "-o",
                                      (folder.path() / "product").string(),
                                      source.string()};
  command.insert(command.end(), task.options.begin(), task.options.end());
  command.insert(command.end(), first.begin(), first.end());
  for (const fs::path& place : task.files.folders) {
    command.push_back("-I" + place.string());
  }
  const platform::MemoryLimit limit(task.nvcc.most_memory);  // which what we start has too
  platform::ChildProcess child(command, log);
  while (child.read_line()) {
  }
  return {platform::read_text(folder.path() / "unit.ptx").value_or(""),
          platform::read_text(folder.path() / "product").value_or(""), platform::read_text(log).value_or("")};
}

// Without the code of the host, which needs libraries that are not here. A stand-in comes last, so that a
// header of the system is found before it.
Products compiled_device_part(const Task& task) {
  const NvrtcInput part = device_part(task.files);
  const platform::TemporaryFolder scratch;
  const fs::path own = scratch.path() / "own/b/c/d";  // "../../common/tile.h" stays inside
  const fs::path stand_ins = scratch.path() / "stand_ins";
  for (std::size_t i = 0; i < part.headers.size(); ++i) {
    const auto& [name, code] = part.headers[i];
    const fs::path file = ((i < task.files.headers.size() ? own : stand_ins) / name).lexically_normal();
    if (fs::path(name).is_relative()) {
      platform::make_folder(file.parent_path());
      platform::write_file(file, code, platform::any_kind);
    }
  }
  return compiled(task, unit_of(part.name, part.code, task.entry),
                  {"-I" + own.string(), "-Xcompiler=-idirafter," + stand_ins.string()});
}

Products run(const Task& task) {
  Products whole = compiled(task, unit_of(task.files, task.entry), {});
  if (whole.product.empty() && whole.log.find("No such file or directory") != whole.log.npos) {
    Products part = compiled_device_part(task);
    if (!part.product.empty()) {
      return part;
    }
  }
  if (whole.product.empty()) {
    throw Error(refusal(task.files.file, whole.log, task.entry, {}));
  }
  return whole;
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
  Products products = run({nvcc, files, options, entry, "--cubin"});
  Cubin cubin;
  cubin.symbol = entry_symbol(products.ptx, entry);
  cubin.instructions = instructions_in_ptx(products.ptx, cubin.symbol);
  cubin.bytes = std::move(products.product);
  cubin.log = std::move(products.log);
  return cubin;
}

Ptx compile_to_ptx(const Nvcc& nvcc, const SourceFiles& files, const std::vector<std::string>& options,
                   const std::string& entry) {
  Products products = run({nvcc, files, options, entry, "--ptx"});
  std::string symbol = entry_symbol(products.product, entry);
  return {std::move(products.product), std::move(symbol)};
}

}  // namespace rooftile::worker
