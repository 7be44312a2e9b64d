#include "analysis/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/toml_table.hpp"

namespace rooftile {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// "h200" is a word of "h200 sxm 141gb", not of "gh200 96gb".
bool holds_words(std::string_view text, std::string_view words) {
  for (auto at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))) {
      return true;
    }
  }
  return false;
}

ComputeCapability described_capability(const TomlTable& entry) {
  const std::string written = entry.string("cc");
  const std::optional<ComputeCapability> cc = compute_capability(written);
  if (!cc || !sm_limits(*cc)) {
    entry.fail(
        "cc", fmt::format("\"{}\" is no compute capability that rooftile describes, such as \"9.0\"", written));
  }
  return *cc;
}

std::map<std::string, FlopsPerSecond> read_peaks(const TomlTable& peaks) {
  std::map<std::string, FlopsPerSecond> result;
  for (const std::string_view pipe : peaks.keys()) {
    result[std::string(pipe)] = {peaks.positive(pipe) * 1e12};
  }
  return result;
}

std::map<std::string, std::string> read_notes(const TomlTable& notes) {
  std::map<std::string, std::string> result;
  for (const std::string_view figure : notes.keys()) {
    result[std::string(figure)] = notes.string(figure);
  }
  return result;
}

Gpu read_gpu(const TomlTable& entry) {
  entry.only({"name", "driver_name", "cc", "sms", "boost_clock_mhz", "tensor_clock_mhz", "l2_mib",
              "dram_gb_per_s", "source", "peak_tflop_per_s", "notes"});
  Gpu gpu;
  gpu.name = entry.string("name");
  gpu.driver_name = entry.string("driver_name");
  gpu.cc = described_capability(entry);
  gpu.sm = *sm_limits(gpu.cc);
  gpu.sm_count = static_cast<int>(entry.positive("sms"));
  gpu.boost_clock = {entry.positive("boost_clock_mhz") * 1e6};
  if (entry.has("tensor_clock_mhz")) {
    gpu.tensor_clock = Hertz{entry.positive("tensor_clock_mhz") * 1e6};
  }
  gpu.l2_size = {entry.positive("l2_mib") * 1024 * 1024};
  gpu.quoted_dram = {entry.positive("dram_gb_per_s") * 1e9};
  gpu.source = entry.string("source");
  if (entry.has("peak_tflop_per_s")) {
    gpu.quoted_peaks = read_peaks(entry.table("peak_tflop_per_s"));
  }
  if (entry.has("notes")) {
    gpu.notes = read_notes(entry.table("notes"));
  }
  return gpu;
}

}  // namespace

std::vector<Gpu> read_gpu_table(std::string_view text, const std::filesystem::path& file) {
  const toml::table document = parse_toml(text, file);
  std::vector<Gpu> table;
  for (const TomlTable& entry : TomlTable(document, file).only({"gpu"}).tables("gpu")) {
    table.push_back(read_gpu(entry));
  }
  return table;
}

const Gpu* find_gpu(const std::vector<Gpu>& table, std::string_view name) {
  const std::string wanted = lower(name);
  const auto exact = std::ranges::find_if(
      table, [&](const Gpu& gpu) { return lower(gpu.name) == wanted || lower(gpu.driver_name) == wanted; });
  if (exact != table.end()) {
    return &*exact;
  }
  const auto matches = [&](const Gpu& gpu) { return !wanted.empty() && holds_words(lower(gpu.name), wanted); };
  const auto first = std::ranges::find_if(table, matches);
  const bool unique = first != table.end() && std::none_of(first + 1, table.end(), matches);
  return unique ? &*first : nullptr;
}

}  // namespace rooftile
