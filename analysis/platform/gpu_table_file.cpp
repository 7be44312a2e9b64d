#include "analysis/platform/gpu_table_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

GpuTable load(const std::filesystem::path& file) {
  const auto text = read_text(file);
  if (!text) {
    throw Error("cannot read " + file.string());
  }
  return read_gpu_table(*text, file);
}

// A mistake that spoils the whole file is told as one that spoils an entry.
GpuTable load_if_there(const std::filesystem::path& file) {
  try {
    const auto text = read_text(file);
    return text ? read_gpu_table(*text, file) : GpuTable{};
  } catch (const Error& error) {
    return {{}, {error.what()}};
  }
}

GpuTable load_without_mistakes(const std::filesystem::path& file) {
  GpuTable table = load(file);
  if (!table.left_out.empty()) {
    throw Error(fmt::format("{}", fmt::join(table.left_out, "\n")));
  }
  if (table.gpus.empty()) {
    throw Error(file.string() + ": no [[gpu]] is described here");
  }
  return table;
}

void add(GpuTable& all, const GpuTable& own) {
  for (const Gpu& gpu : own.gpus) {
    const auto known = std::ranges::find(all.gpus, gpu.name, &Gpu::name);
    if (known != all.gpus.end()) {
      *known = gpu;
    } else {
      all.gpus.push_back(gpu);
    }
  }
  all.left_out.insert(all.left_out.end(), own.left_out.begin(), own.left_out.end());
}

}  // namespace

GpuTable load_gpu_table() {
  return load(data_directory() / "assets" / "gpus.toml");
}

GpuTable load_gpu_table_with(const std::vector<std::filesystem::path>& own_files) {
  GpuTable all = load_gpu_table();
  if (const auto folder = user_configuration_directory()) {
    add(all, load_if_there(*folder / "gpus.toml"));
  }
  for (const auto& file : own_files) {
    add(all, load_without_mistakes(file));
  }
  return all;
}

}  // namespace rooftile::platform
