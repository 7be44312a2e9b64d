#include "analysis/exchange/ncu_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/chip/memory_level.hpp"
#include "analysis/record/duration_sample.hpp"
#include "analysis/record/metric_table.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/record/records.hpp"
#include "analysis/record/session_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

constexpr const char* duration_metric = "gpu__time_duration.sum";  // [ns]
constexpr int most_blocks_of_a_cluster = 1024;                     // 16 today
constexpr std::size_t longest_kernel_name = 2000;                  // as of programs that are profiled

// The cells of a line, without their quotes; a quote within is written twice.
std::vector<std::string> cells_in(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else if (line[i] != '\r') {
      cells.back() += line[i];
    }
  }
  return cells;
}

// In ns; empty for what is no time.
std::optional<double> scale_of_time(std::string_view word) {
  static const std::map<std::string, double> times = {
      {"ns", 1},  {"nsecond", 1},  {"us", 1e3},   {"usecond", 1e3}, {"ms", 1e6},   {"msecond", 1e6},
      {"s", 1e9}, {"second", 1e9}, {"min", 6e10}, {"minute", 6e10}, {"h", 3.6e12}, {"hour", 3.6e12}};
  std::string small(word);
  std::ranges::transform(small, small.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
  const auto time = times.find(small);
  return time != times.end() ? std::optional(time->second) : std::nullopt;
}

// "Kbyte" is 1e3, "KiB" 1024, "usecond" 1e3: CUPTI counts in bytes and nanoseconds. 1 for a unit without a
// scale.
double scale_of_word(std::string_view word) {
  static const std::map<char, int> prefixes = {{'K', 1}, {'M', 2}, {'G', 3}, {'T', 4}};
  if (const auto time = scale_of_time(word)) {
    return *time;
  }
  const auto prefix = word.size() > 1 ? prefixes.find(word.front()) : prefixes.end();
  const std::string_view rest = word.substr(std::min<std::size_t>(word.size(), 1));
  const bool binary = rest.starts_with("iB") || rest.starts_with("ib");
  return prefix != prefixes.end() ? std::pow(binary ? 1024 : 1000, prefix->second) : 1;
}

// Rates are per second: "Gbyte/second" and "byte/nsecond" are both 1e9.
double scale_of(std::string_view unit) {
  constexpr double ns_per_second = 1e9;
  const std::size_t slash = unit.find('/');
  if (slash == std::string_view::npos) {
    return scale_of_word(unit);
  }
  const std::string_view per = unit.substr(slash + 1);
  const auto time = scale_of_time(per);
  return scale_of_word(unit.substr(0, slash)) / (time ? *time / ns_per_second : 1);
}

// "1,234.5"; empty for "n/a" and anything else that is no number. The language of this machine does not matter.
std::optional<double> figure_in(std::string text) {
  std::erase(text, ',');
  text.erase(0, text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = failed == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// "1.234,5" and "1,25", where other languages write 1,234.5 and 1.25.
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.rfind(',');
  if (comma == std::string_view::npos || text.find_first_not_of("+-0123456789.,") != std::string_view::npos) {
    return false;
  }
  const std::size_t digits = std::min(text.find('.', comma), text.size()) - comma - 1;
  return digits != 3 || text.find('.') < comma || text.substr(0, comma) == "0";
}

// "(80, 1, 1)"
std::optional<Dim3> sides_in(const std::string& text) {
  Dim3 sides;
  char rest = 0;
  const int read = std::sscanf(text.c_str(), " (%9d, %9d, %9d)%c", &sides.x, &sides.y, &sides.z, &rest);
  return read == 3 && sides.x > 0 && sides.y > 0 && sides.z > 0 ? std::optional(sides) : std::nullopt;
}

// The columns of the table, by the names of its first row, with the units of its second.
struct NcuColumns {
  std::map<std::string, std::size_t> positions;
  std::vector<std::string> units;
  std::vector<double> scales;
};

// A metric that stands in for one that the sections of Nsight Compute do not collect.
struct Equivalent {
  std::string_view metric, collected;
  double factor;
};
constexpr Equivalent equivalents[] = {
    {"lts__t_bytes.sum", "lts__t_sectors.sum", sector_bytes},
    {"l1tex__t_bytes.sum", "l1tex__t_sectors.sum", sector_bytes},
    {"sm__inst_executed.sum", "smsp__inst_executed.sum", 1},
    {"sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second", 1},
    {"sm__cycles_elapsed.avg.per_second", "gpc__cycles_elapsed.avg.per_second", 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
     "derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", 0.5},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum.per_cycle_elapsed",
     "derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2", 0.5},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum.per_cycle_elapsed",
     "derived__smsp__sass_thread_inst_executed_op_hfma_pred_on_x4", 0.25},
};

// One launch.
class NcuRow {
 public:
  NcuRow(const NcuColumns& columns, std::vector<std::string> cells)
      : columns_(columns), cells_(std::move(cells)) {}

  std::string words(const std::string& column) const {
    const auto found = columns_.positions.find(column);
    return found != columns_.positions.end() && found->second < cells_.size() ? cells_[found->second] : "";
  }
  // Throws Error where that column has no unit of time.
  void expect_time(const std::string& metric) const {
    const auto found = columns_.positions.find(metric);
    const std::string unit = found != columns_.positions.end() ? columns_.units[found->second] : "ns";
    if (!scale_of_time(unit)) {
      throw Error(
          fmt::format("{} is in {}, which is no unit of time", metric, unit.empty() ? "no unit" : unit));
    }
  }
  // In bytes, ns and Hz, whatever the unit of its column.
  std::optional<double> collected(const std::string& metric) const {
    const auto figure = figure_in(words(metric));
    return figure ? std::optional(*figure * columns_.scales[columns_.positions.at(metric)]) : std::nullopt;
  }
  // The metric itself, or what follows from others: sections collect some sums per second or per cycle alone.
  std::optional<double> value(const std::string& metric) const;

 private:
  std::optional<double> collected_or_equal(const std::string& metric) const;

  const NcuColumns& columns_;
  std::vector<std::string> cells_;
};

std::optional<double> NcuRow::collected_or_equal(const std::string& metric) const {
  if (const auto own = collected(metric)) {
    return own;
  }
  for (const Equivalent& equal : equivalents) {
    const auto other = equal.metric == metric ? collected(std::string(equal.collected)) : std::nullopt;
    if (other) {
      return equal.factor * *other;
    }
  }
  return {};
}

std::optional<double> NcuRow::value(const std::string& metric) const {
  if (const auto own = collected_or_equal(metric)) {
    return own;
  }
  const auto duration = collected(duration_metric);
  const auto seconds = duration ? std::optional(1e-9 * *duration) : std::nullopt;
  if (const auto per_second = collected(metric + ".per_second"); per_second && seconds) {
    return *per_second * *seconds;
  }
  const auto per_cycle = collected_or_equal(metric + ".per_cycle_elapsed");
  const auto clock = collected_or_equal("sm__cycles_elapsed.avg.per_second");
  return per_cycle && clock && seconds ? std::optional(*per_cycle * *clock * *seconds) : std::nullopt;
}

// Every metric that the worker would count for a kernel without a manifest, and both definitions of bytes.
Counters counters_of(const NcuRow& row) {
  const CounterNeeds needs = {.clusters = true, .returned_bytes = true, .any_pipe = true};
  const auto metrics =
      choose_metrics(needs, [&](const std::string& name) { return row.value(name).has_value(); });
  std::vector<double> values;
  for (const Metric& metric : metrics) {
    values.push_back(*row.value(metric.name));
  }
  Counters counters = store(metrics, values);
  if (const auto both = row.value("dram__bytes.sum"); both && !counters.bytes(MemoryLevel::dram)) {
    counters.dram = Bytes{*both};
  }
  counters.passes = static_cast<int>(row.value("profiler__replayer_passes").value_or(0));
  return counters;
}

int whole(const std::optional<double>& value) {
  return static_cast<int>(std::clamp(value.value_or(0), 0.0, 2147483647.0));
}

Dim3 dimensions(const NcuRow& row, const std::string& metric, int most) {
  const auto side = [&](const char* axis) { return std::clamp(whole(row.value(metric + axis)), 1, most); };
  return {side("x"), side("y"), side("z")};
}

// Each side has a column of its own, or a metric of its own.
Dim3 sides_of(const NcuRow& row, const char* column, const std::string& metric) {
  return sides_in(row.words(column)).value_or(dimensions(row, metric, 2147483647));
}

// A double: nobody has checked yet that an integer holds it.
double product(const Dim3& sides) {
  return 1.0 * sides.x * sides.y * sides.z;
}

Launch launch_of(const NcuRow& row) {
  Launch launch;
  launch.grid = sides_of(row, "Grid Size", "launch__grid_dim_");
  launch.block = sides_of(row, "Block Size", "launch__block_dim_");
  launch.cluster = dimensions(row, "launch__cluster_dim_", most_blocks_of_a_cluster);
  launch.dynamic_shared_bytes = whole(row.value("launch__shared_mem_per_block_dynamic"));
  return launch;
}

std::optional<Compiled> compiled_of(const NcuRow& row) {
  const auto cc = compute_capability(row.words("CC"));
  const auto registers = row.value("launch__registers_per_thread");
  if (!cc || !registers) {
    return {};
  }
  Compiled compiled;
  compiled.cc = *cc;
  compiled.registers = whole(registers);
  compiled.static_shared_bytes = whole(row.value("launch__shared_mem_per_block_static"));
  return compiled;
}

// Throws Error where the row does not say what was launched, or for how long.
Point point_of(const NcuRow& row) {
  row.expect_time(duration_metric);
  const auto duration = row.value(duration_metric);
  Point point;
  point.kernel = program_kernel_name(row.words("Kernel Name").substr(0, longest_kernel_name));
  if (point.kernel.empty() || !duration || *duration <= 0) {
    throw Error(fmt::format("the launch has no {}", point.kernel.empty() ? "Kernel Name" : duration_metric));
  }
  point.gpu = row.words("device__attribute_display_name");
  point.launch = launch_of(row);
  point.compiled = compiled_of(row);
  point.counters = counters_of(row);
  point.program = ProgramLaunches{1, 0, 1, {1e-9 * *duration}, 1};
  point.timing = Timing{point.program->total, point.program->total, point.program->total, 1, {}, {}};
  point.modelled.pipe = point.counters->busiest_pipe(product(point.launch.grid) * product(point.launch.block));
  point.notes = {
      "Counted by Nsight Compute, which empties the caches and holds the clock at its base unless told "
      "otherwise."};
  point.final = true;
  parse_record(to_line(point));  // refuses what no session may hold
  return point;
}

// The launches of one GPU, kernel and shape.
struct NcuGroup {
  Point last;
  DurationSample times;
  std::set<std::string> processes;
};

auto identity_of(const Point& point) {
  const auto side = [](const Dim3& dim) { return std::tuple(dim.x, dim.y, dim.z); };
  return std::tuple(point.gpu, point.kernel, side(point.launch.grid), side(point.launch.block),
                    point.launch.dynamic_shared_bytes);
}

Point summed(NcuGroup& group) {
  Point point = std::move(group.last);
  point.timing = group.times.timing_like(point.timing->median);
  const auto launches = static_cast<double>(group.times.count());
  point.program =
      ProgramLaunches{launches, 0, launches, group.times.total(), static_cast<int>(group.processes.size())};
  return point;
}

class NcuTable {
 public:
  NcuTable(NcuLaunches& launches, const std::filesystem::path& file) : launches_(launches), file_(file) {}

  void take_line(std::string_view line) {
    ++lines_;
    if (!has_names_) {
      take_names(line);
    } else if (!has_units_) {
      take_units(line);
    } else if (!line.empty() && !line.starts_with("==") && !has_enough_) {
      take_launch(line);
    }
  }
  void finish() {
    if (!has_units_) {
      throw Error(fmt::format("{}: holds no table of Nsight Compute; write one with ncu --csv --page raw",
                              file_.string()));
    }
    for (auto& [identity, group] : groups_) {
      launches_.points.push_back(summed(group));
      launches_.points.back().id = launches_.points.size();
    }
  }

 private:
  void take_names(std::string_view line) {
    if (!line.starts_with("\"ID\",") && !line.starts_with("ID,")) {
      return;  // what the program or ncu said before
    }
    const std::vector<std::string> names = cells_in(line);
    if (std::ranges::find(names, "Metric Name") != names.end()) {
      throw Error(fmt::format("{}:{}: has a row per metric; write a row per launch with ncu --csv --page raw",
                              file_.string(), lines_));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      columns_.positions.try_emplace(names[i], i);
    }
    columns_.units.resize(names.size());
    columns_.scales.assign(names.size(), 1);
    has_names_ = true;
  }
  void take_units(std::string_view line) {
    const std::vector<std::string> units = cells_in(line);
    for (std::size_t i = 0; i < std::min(units.size(), columns_.scales.size()); ++i) {
      columns_.units[i] = units[i];
      columns_.scales[i] = scale_of(units[i]);
    }
    has_units_ = true;
  }
  // If one cell has a decimal comma, "1,234" of the same table is not a thousand either.
  void expect_decimal_points(const std::vector<std::string>& cells) const {
    if (const auto found = std::ranges::find_if(cells, has_decimal_comma); found != cells.end()) {
      throw Error(fmt::format("{}:{}: {} has a decimal comma; write the table again with LC_ALL=C ncu ...",
                              file_.string(), lines_, *found));
    }
  }
  void take_launch(std::string_view line) {
    std::vector<std::string> cells = cells_in(line);
    expect_decimal_points(cells);
    try {
      const NcuRow row(columns_, std::move(cells));
      Point point = point_of(row);
      NcuGroup& group = groups_[identity_of(point)];
      group.times.add(point.timing->median);
      group.processes.insert(row.words("Process ID"));
      group.last = std::move(point);
    } catch (const Error& error) {
      launches_.left_out.push_back(fmt::format("{}:{}: {}", file_.string(), lines_, error.what()));
      has_enough_ = launches_.left_out.size() >= most_left_out;
      if (has_enough_) {
        launches_.left_out.push_back(file_.string() +
                                     ": so many launches cannot be read that the rest of the file is left out");
      }
    }
  }

  NcuLaunches& launches_;
  const std::filesystem::path& file_;
  NcuColumns columns_;
  std::map<decltype(identity_of(Point{})), NcuGroup> groups_;
  int lines_ = 0;
  bool has_names_ = false, has_units_ = false;
  bool has_enough_ = false;  // of launches that cannot be read
};

}  // namespace

NcuLaunches read_ncu_csv(std::string_view text, const std::filesystem::path& file) {
  NcuLaunches launches;
  NcuTable table(launches, file);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    table.take_line(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  table.finish();
  return launches;
}

}  // namespace rooftile
