#include "analysis/chip/gpu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "analysis/chip/roofs.hpp"
#include "analysis/text/edit_distance.hpp"
#include "analysis/text/toml_table.hpp"

namespace rooftile {
namespace {

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
  if (!written.empty() && (!cc || !sm_limits(*cc))) {
    entry.tell(
        "cc", fmt::format("\"{}\" is no compute capability that rooftile describes, such as \"9.0\"", written));
  }
  return cc.value_or(ComputeCapability{});
}

std::map<std::string, FlopsPerSecond> read_peaks(const TomlTable& peaks) {
  std::map<std::string, FlopsPerSecond> result;
  for (const std::string_view pipe : peaks.keys()) {
    result[std::string(pipe)] = {peaks.number(pipe, {1e-6, 1e7}) * 1e12};
  }
  return result;
}

std::map<std::string, double, std::less<>> read_cycles(const TomlTable& cycles) {
  cycles.only({key(Pace::l1_load), key(Pace::l2_load), key(Pace::dram_load), key(Pace::block_start)});
  std::map<std::string, double, std::less<>> result;
  for (const std::string_view pace : cycles.keys()) {
    result[std::string(pace)] = cycles.number(pace, {0.01, 1e6});
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

std::vector<const Gpu*> those(const std::vector<Gpu>& table, const auto& matches) {
  std::vector<const Gpu*> found;
  for (const Gpu& gpu : table) {
    if (matches(gpu)) {
      found.push_back(&gpu);
    }
  }
  return found;
}

std::optional<TomlTable> optional_table(const TomlTable& entry, std::string_view key) {
  return entry.has(key) ? entry.table(key) : std::nullopt;
}

Gpu read_gpu(const TomlTable& entry) {
  entry.only({"name", "driver_name", "cc", "sms", "boost_clock_mhz", "tensor_clock_mhz", "l2_mib",
              "dram_gb_per_s", "source", "peak_tflop_per_s", "notes", "cycles", "cycles_source"});
  Gpu gpu;
  gpu.name = entry.string("name");
  gpu.driver_name = entry.string("driver_name", gpu.name);
  gpu.cc = described_capability(entry);
  gpu.sm = sm_limits(gpu.cc).value_or(SmLimits{});
  gpu.sm_count = static_cast<int>(entry.number("sms", {1, 10000}));
  gpu.boost_clock = {entry.number("boost_clock_mhz", {1, 1e5}) * 1e6};
  if (entry.has("tensor_clock_mhz")) {
    gpu.tensor_clock = Hertz{entry.number("tensor_clock_mhz", {1, 1e5}) * 1e6};
  }
  gpu.l2_size = {entry.number("l2_mib", {0.001, 1e6}) * 1024 * 1024};
  gpu.quoted_dram = {entry.number("dram_gb_per_s", {0.001, 1e7}) * 1e9};
  gpu.source = entry.string("source");
  if (const auto peaks = optional_table(entry, "peak_tflop_per_s")) {
    gpu.quoted_peaks = read_peaks(*peaks);
  }
  if (const auto cycles = optional_table(entry, "cycles")) {
    gpu.quoted_cycles = read_cycles(*cycles);
    gpu.cycles_source = entry.string("cycles_source");
  }
  if (const auto notes = optional_table(entry, "notes")) {
    gpu.notes = read_notes(*notes);
  }
  return gpu;
}

}  // namespace

GpuTable read_gpu_table(std::string_view text, const std::filesystem::path& file) {
  const toml::table document = parse_toml(text, file);
  TomlMistakes mistakes;
  const TomlTable whole(document, file, mistakes);
  whole.only({"gpu"});
  GpuTable table;
  for (const TomlTable& entry : whole.tables("gpu")) {
    const std::size_t before = mistakes.count();
    Gpu gpu = read_gpu(entry);
    if (mistakes.count() == before) {
      table.gpus.push_back(std::move(gpu));
    }
  }
  table.left_out = mistakes.sentences();
  return table;
}

std::vector<const Gpu*> gpus_like(const std::vector<Gpu>& table, std::string_view name) {
  const std::string wanted = lowercase(name);
  if (wanted.empty()) {
    return {};
  }
  const auto is_named = [&](const Gpu& gpu) {
    return lowercase(gpu.name) == wanted || lowercase(gpu.driver_name) == wanted;
  };
  const auto exact = std::ranges::find_if(table, is_named);
  if (exact != table.end()) {
    return {&*exact};
  }
  auto found = those(table, [&](const Gpu& gpu) { return holds_words(lowercase(gpu.name), wanted); });
  return !found.empty() ? found : those(table, [&](const Gpu& gpu) {
    return lowercase(gpu.name).find(wanted) != std::string::npos;
  });
}

const Gpu* find_gpu(const std::vector<Gpu>& table, std::string_view name) {
  const auto found = gpus_like(table, name);
  return found.size() == 1 ? found.front() : nullptr;
}

std::optional<std::string> why_ambiguous(const std::vector<Gpu>& table, std::string_view name) {
  const auto found = gpus_like(table, name);
  if (found.size() < 2) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  std::ranges::transform(found, std::back_inserter(names), &Gpu::name);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("\"{}\" can be the {} or the {}: name more of it.", name, fmt::join(names, ", the "),
                     last);
}

}  // namespace rooftile
