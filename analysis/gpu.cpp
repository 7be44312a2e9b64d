#include "analysis/gpu.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "analysis/error.hpp"

namespace rooftile {
namespace {

std::optional<int> whole_number(std::string_view digits) {
  int value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool all = failure == std::errc{} && end == digits.data() + digits.size() && value >= 0;
  return all ? std::optional(value) : std::nullopt;
}

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

// One [[gpu]] of the table; every complaint says where and what was expected.
class Entry {
 public:
  Entry(const std::filesystem::path& file, const toml::table& table) : file_(file), table_(table) {}

  [[noreturn]] void fail(const toml::node& where, const std::string& sentence) const {
    throw Error(fmt::format("{}:{}: {}", file_.string(), where.source().begin.line, sentence));
  }

  double number(std::string_view key) const { return need(optional_number(key), key, "a positive number"); }

  std::optional<double> optional_number(std::string_view key) const {
    const toml::node* node = table_.get(key);
    return node ? std::optional(positive(*node, key)) : std::nullopt;
  }

  std::string text(std::string_view key) const {
    return need(table_[key].value<std::string>(), key, "a string");
  }

  template <class Visit>
  void each(std::string_view key, Visit visit) const {
    if (const toml::node* node = table_.get(key)) {
      if (!node->is_table()) {
        fail(*node, fmt::format("{} must be a table of names and values", key));
      }
      for (const auto& [name, value] : *node->as_table()) {
        visit(std::string(name.str()), value);
      }
    }
  }

  double positive(const toml::node& node, std::string_view key) const {
    const std::optional<double> value = node.value<double>();
    if (!value || *value <= 0) {
      fail(node, fmt::format("{} must be a positive number", key));
    }
    return *value;
  }

  std::string sentence(const toml::node& node, std::string_view key) const {
    const std::optional<std::string> value = node.value<std::string>();
    if (!value) {
      fail(node, fmt::format("{} must be a string", key));
    }
    return *value;
  }

  const toml::table& table() const { return table_; }

 private:
  template <class T>
  T need(std::optional<T> value, std::string_view key, std::string_view expected) const {
    if (!value) {
      const toml::node* node = table_.get(key);
      fail(node ? *node : table_, fmt::format("a gpu needs {} = {}", key, expected));
    }
    return *value;
  }

  const std::filesystem::path& file_;
  const toml::table& table_;
};

ComputeCapability described_capability(const Entry& entry) {
  const std::string written = entry.text("cc");
  const std::optional<ComputeCapability> cc = compute_capability(written);
  if (!cc || !sm_limits(*cc)) {
    entry.fail(
        *entry.table().get("cc"),
        fmt::format("\"{}\" is no compute capability that rooftile describes, such as \"9.0\"", written));
  }
  return *cc;
}

Gpu read_gpu(const Entry& entry) {
  Gpu gpu;
  gpu.name = entry.text("name");
  gpu.driver_name = entry.text("driver_name");
  gpu.cc = described_capability(entry);
  gpu.sm = *sm_limits(gpu.cc);
  gpu.sm_count = static_cast<int>(entry.number("sms"));
  gpu.boost_clock = {entry.number("boost_clock_mhz") * 1e6};
  if (const auto tensor_clock_mhz = entry.optional_number("tensor_clock_mhz")) {
    gpu.tensor_clock = Hertz{*tensor_clock_mhz * 1e6};
  }
  gpu.l2_size = {entry.number("l2_mib") * 1024 * 1024};
  gpu.quoted_dram = {entry.number("dram_gb_per_s") * 1e9};
  gpu.source = entry.text("source");
  entry.each("peak_tflop_per_s", [&](const std::string& name, const toml::node& value) {
    gpu.quoted_peaks[name] = {entry.positive(value, name) * 1e12};
  });
  entry.each("notes", [&](const std::string& figure, const toml::node& value) {
    gpu.notes[figure] = entry.sentence(value, figure);
  });
  return gpu;
}

toml::table parse(const std::filesystem::path& file) {
  try {
    return toml::parse_file(file.string());
  } catch (const toml::parse_error& failure) {
    throw Error(fmt::format("{}:{}: {}", file.string(), failure.source().begin.line, failure.description()));
  }
}

}  // namespace

std::string text(ComputeCapability cc) {
  return fmt::format("{}.{}", cc.major, cc.minor);
}

// The last digit of an architecture is the minor version; a letter after it asks for features of that one
// alone.
std::optional<ComputeCapability> compute_capability(std::string_view written) {
  std::string_view major, minor;
  if (written.starts_with("sm_") && written.size() >= 5) {
    written.remove_prefix(3);
    written.remove_suffix(written.ends_with('a') || written.ends_with('f') ? 1 : 0);
    major = written.substr(0, written.size() - 1);
    minor = written.substr(written.size() - 1);
  } else if (const auto dot = written.find('.'); dot != std::string_view::npos) {
    major = written.substr(0, dot);
    minor = written.substr(dot + 1);
  }
  const auto major_number = whole_number(major);
  const auto minor_number = whole_number(minor);
  return major_number && minor_number ? std::optional(ComputeCapability{*major_number, *minor_number})
                                      : std::nullopt;
}

std::vector<Gpu> load_gpu_table(const std::filesystem::path& file) {
  const toml::table document = parse(file);
  const toml::array* entries = document["gpu"].as_array();
  if (!entries) {
    throw Error(fmt::format("{}:1: expected one [[gpu]] for each GPU", file.string()));
  }
  std::vector<Gpu> table;
  for (const toml::node& node : *entries) {
    if (!node.is_table()) {
      throw Error(fmt::format("{}:{}: expected [[gpu]]", file.string(), node.source().begin.line));
    }
    table.push_back(read_gpu(Entry(file, *node.as_table())));
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
