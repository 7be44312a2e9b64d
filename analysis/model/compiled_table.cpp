#include "analysis/model/compiled_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using nlohmann::json;

constexpr std::array figure_names = {"registers_per_thread", "static_shared_bytes", "local_bytes",
                                     "spill_store_bytes",    "spill_load_bytes",    "named_barriers"};

// Takes the number from the front of the text.
std::size_t take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) {
    throw Error(fmt::format("\"{}\" is no number", text.substr(0, 10)));
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

CompiledTable::Figures read_figures(const json& written) {
  CompiledTable::Figures figures;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (written.contains(figure_names[i])) {
      figures[i] = RunLengths(written.at(figure_names[i]).get_ref<const std::string&>());
    }
  }
  return figures;
}

CompiledTable::Kernel read_kernel(const json& written) {
  CompiledTable::Kernel kernel;
  kernel.source_key = written.at("source_key");
  for (const json& dial : written.at("dials")) {
    kernel.dials.push_back({dial.at("name"), dial.at("values")});
  }
  for (const auto& [cc, figures] : written.at("made").items()) {
    if (const auto known = compute_capability(cc)) {
      kernel.made.emplace(*known, read_figures(figures));
    }
  }
  return kernel;
}

void read_line(const std::string& line, CompiledTable& table) {
  const json written = json::parse(line);
  if (table.compiler.empty()) {
    table.compiler = written.at("compiler");
  } else {
    table.kernels.emplace(written.at("kernel"), read_kernel(written));
  }
}

// The last dial changes fastest.
std::optional<std::size_t> place_index(const std::vector<CompiledTable::Dial>& dials,
                                       const Parameters& parameters) {
  std::size_t place = 0;
  for (const auto& [name, values] : dials) {
    const auto given = parameters.find(name);
    const auto value = given == parameters.end() ? values.end() : std::ranges::find(values, given->second);
    if (value == values.end()) {
      return std::nullopt;
    }
    place = place * values.size() + static_cast<std::size_t>(value - values.begin());
  }
  return place;
}

}  // namespace

std::string source_key(std::string_view text) {
  std::uint64_t key = 0xcbf29ce484222325;
  for (const char byte : text) {
    key = (key ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", key);
}

RunLengths::RunLengths(std::string_view text) {
  for (std::size_t end = 0; !text.empty();) {
    const auto number = static_cast<int>(take_number(text));
    const bool repeated = text.starts_with('*');
    text.remove_prefix(repeated ? 1 : 0);
    end += repeated ? take_number(text) : 1;
    runs_.emplace_back(end, number);
    text.remove_prefix(text.starts_with(' ') ? 1 : 0);
  }
}

int RunLengths::at(std::size_t place) const {
  const auto run = std::ranges::upper_bound(runs_, place, {}, &std::pair<std::size_t, int>::first);
  return run == runs_.end() ? 0 : run->second;
}

std::optional<Compiled> CompiledTable::find(const std::string& kernel, const Parameters& parameters,
                                            ComputeCapability cc) const {
  const auto known = kernels.find(kernel);
  if (known == kernels.end() || !known->second.made.contains(cc)) {
    return std::nullopt;
  }
  const auto place = place_index(known->second.dials, parameters);
  const Figures& figures = known->second.made.at(cc);
  if (!place || figures[0].at(*place) == 0) {
    return std::nullopt;
  }
  const auto figure = [&](std::size_t i) { return figures[i].at(*place); };
  return Compiled{.cc = cc,
                  .registers = figure(0),
                  .static_shared_bytes = figure(1),
                  .local_bytes = figure(2),
                  .spill_store_bytes = figure(3),
                  .spill_load_bytes = figure(4),
                  .from_table = true,
                  .named_barriers = figure(5)};
}

CompiledAt CompiledTable::of(const std::string& kernel) const {
  return [this, kernel](const Parameters& parameters, ComputeCapability cc) {
    return find(kernel, parameters, cc);
  };
}

void keep_current(CompiledTable& table, const std::vector<Manifest>& kernels, const ReadFile& read) {
  std::erase_if(table.kernels, [&](const auto& entry) {
    const auto kernel = std::ranges::find(kernels, entry.first, &Manifest::name);
    const auto source = kernel != kernels.end() ? read(kernel->source) : std::nullopt;
    return !source || source_key(*source) != entry.second.source_key;
  });
}

CompiledTable read_compiled_table(std::string_view text, const std::filesystem::path& file) {
  CompiledTable table;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    try {
      read_line(std::string(text.substr(0, end)), table);
    } catch (const std::exception& error) {
      throw Error(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return table;
}

}  // namespace rooftile
