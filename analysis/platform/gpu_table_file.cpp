#include "analysis/platform/gpu_table_file.hpp"

#include "analysis/error.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"

namespace rooftile::platform {

GpuTable load_gpu_table() {
  const std::filesystem::path file = data_directory() / "assets" / "gpus.toml";
  const auto text = read_text(file);
  if (!text) {
    throw Error("cannot read " + file.string());
  }
  return read_gpu_table(*text, file);
}

}  // namespace rooftile::platform
