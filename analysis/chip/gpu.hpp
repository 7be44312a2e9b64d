// The facts of a GPU that rooflines and occupancy need. The bundled table (assets/gpus.toml) quotes datasheets;
// a detected device replaces what the driver knows better.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/architecture.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

struct Gpu {
  std::string name;
  std::string driver_name;  // what the driver calls it: "NVIDIA H200"; the name where the table does not say
  ComputeCapability cc;
  int sm_count = 0;
  Hertz boost_clock;
  std::optional<Hertz> tensor_clock;  // where quoted tensor peaks assume another clock than the rest: Hopper
  Bytes l2_size;
  SmLimits sm;
  BytesPerSecond quoted_dram;  // datasheet
  // Datasheet, dense; keys "FP32", "FP64", "FP16", "TF32 tensor", ... Tensor peaks accumulate in FP32 unless
  // the key says "FP16 accumulate".
  std::map<std::string, FlopsPerSecond> quoted_peaks;
  std::map<std::string, double, std::less<>> quoted_cycles;  // "l2_load", as the paces of roofs.hpp
  std::string cycles_source;                                 // where these were read
  std::string source;                                        // where the other quoted figures were read
  std::map<std::string, std::string> notes;  // by figure ("DRAM", "FP32"): doubts, and how it was derived
  bool operator==(const Gpu&) const = default;
};

struct GpuTable {
  std::vector<Gpu> gpus;
  std::vector<std::string> left_out;  // what is wrong with the others: "gpus.toml:12: ..."
};

// The text of a GPU table; `file` is its name in messages. Throws Error naming file and line when it is not
// TOML.
GpuTable read_gpu_table(std::string_view text, const std::filesystem::path& file);
// Case-insensitive: the GPU with this full name, or the driver's; else those with a word that begins so ("h200"
// is not GH200); else those whose names hold it anywhere.
std::vector<const Gpu*> gpus_like(const std::vector<Gpu>& table, std::string_view name);
// The only GPU that gpus_like() finds; null where there are none or several.
const Gpu* find_gpu(const std::vector<Gpu>& table, std::string_view name);
// A sentence that names the GPUs where gpus_like() finds several.
std::optional<std::string> why_ambiguous(const std::vector<Gpu>& table, std::string_view name);

}  // namespace rooftile
