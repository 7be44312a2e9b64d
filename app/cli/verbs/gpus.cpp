// rooftile-cli gpus
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

nlohmann::json json(const Gpu& gpu) {
  nlohmann::json all = {{"name", gpu.name},
                        {"compute_capability", text(gpu.cc)},
                        {"sms", gpu.sm_count},
                        {"boost_clock_hz", gpu.boost_clock.value},
                        {"l2_bytes", gpu.l2_size.value},
                        {"dram_bytes_per_s", gpu.quoted_dram.value},
                        {"shared_bytes_per_sm", gpu.sm.shared_bytes},
                        {"shared_bytes_per_block", gpu.sm.shared_bytes_per_block_optin},
                        {"source", gpu.source}};
  for (const auto& [pipe, peak] : gpu.quoted_peaks) {
    all["peaks_flops_per_s"][pipe] = peak.value;
  }
  return all;
}

std::vector<std::string> row(const Gpu& gpu) {
  const auto fp32 = gpu.quoted_peaks.find("FP32");
  return {gpu.name,
          text(gpu.cc),
          count(gpu.sm_count),
          text(gpu.boost_clock),
          text(gpu.l2_size),
          text(gpu.quoted_dram),
          fp32 != gpu.quoted_peaks.end() ? text(fp32->second) : unknown_text,
          kibibytes(gpu.sm.shared_bytes),
          kibibytes(gpu.sm.shared_bytes_per_block_optin)};
}

int gpus(const Options& options) {
  const auto table = gpu_table(options);
  if (options.json) {
    auto all = nlohmann::json::array();
    for (const auto& gpu : table) {
      all.push_back(json(gpu));
    }
    say_json(nlohmann::json{{"gpus", all}});
    return success;
  }
  TextTable shown({"GPU", "CC", "SMs", "boost", "L2", "DRAM", "FP32", "shared memory per SM", "per block"},
                  "lrrrrrrrr");
  for (const auto& gpu : table) {
    shown.add(row(gpu));
  }
  say("{}", shown.text());
  return success;
}

}  // namespace

void add_gpus(CLI::App& app, const Options& options, int& status) {
  app.add_subcommand("gpus", "List the GPUs that can be predicted for, with what their datasheets quote")
      ->callback([&options, &status] { status = gpus(options); });
}

}  // namespace rooftile::cli
