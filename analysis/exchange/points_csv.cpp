#include "analysis/exchange/points_csv.hpp"

#include <fmt/format.h>

#include <set>

#include "analysis/text/safe_text.hpp"
#include "analysis/verdict/diagnosis.hpp"

namespace rooftile {
namespace {

constexpr std::string_view csv_header =
    "id,kernel,gpu,caches,evidence,time_s,spread,flops_per_s,share_of_nearest_roof,dram_bytes,l2_bytes,"
    "theoretical_occupancy,achieved_occupancy,registers_per_thread,bound_by,verdict,grounds,failure";

// One row that grows from left to right.
class CsvRow {
 public:
  void add(std::string_view words) { row_ += (row_.empty() ? "" : ",") + csv_cell(words); }
  void add(const std::optional<double>& figure) {
    row_ += (row_.empty() ? "" : ",") + (figure ? fmt::format("{}", *figure) : "");
  }
  std::string line() const { return row_ + "\n"; }

 private:
  std::string row_;
};

std::string_view evidence_word(Evidence evidence) {
  return evidence == Evidence::counted ? "counted" : evidence == Evidence::timed ? "timed" : "predicted";
}

template <class Quantity>
std::optional<double> figure_of(const std::optional<Quantity>& quantity) {
  return quantity ? std::optional(quantity->value) : std::nullopt;
}

std::optional<double> bytes_at(const Placement& placement, MemoryLevel level) {
  const LevelUse* use = placement.level(level);
  return use ? std::optional(use->bytes.value) : std::nullopt;
}

void add_identity(CsvRow& row, const Point& point) {
  row.add(std::to_string(point.id));
  row.add(point.kernel);
  row.add(point.gpu);
  row.add(point.caches == Caches::cold ? "cold" : "warm");
  row.add(evidence_word(point.evidence()));
}

void add_figures(CsvRow& row, const Point& point, const Placement& placement,
                 const std::optional<Occupancy>& occupancy) {
  row.add(placement.time.value);
  row.add(point.timing ? std::optional(point.timing->spread()) : std::nullopt);
  row.add(figure_of(placement.performance));
  row.add(placement.largest_share());
  row.add(bytes_at(placement, MemoryLevel::dram));
  row.add(bytes_at(placement, MemoryLevel::l2));
  row.add(occupancy ? std::optional(occupancy->ratio()) : std::nullopt);
  row.add(point.counters ? point.counters->achieved_occupancy : std::nullopt);
  row.add(point.compiled ? std::optional<double>(point.compiled->registers) : std::nullopt);
}

void add_verdict(CsvRow& row, const Point& point, const std::optional<Verdict>& verdict) {
  row.add(verdict ? verdict->bound_by : "");
  row.add(verdict ? verdict->title : "");
  row.add(verdict ? verdict->grounds : "");
  row.add(point.failure.value_or(""));
}

std::string row_of(const Point& point, const SessionLog& log, const std::set<std::string>& parameters) {
  const Gpu* gpu = log.gpu(point.gpu);
  const Roofs* roofs = log.roofs_of(point.gpu);
  const auto placement = roofs ? place(point, *roofs) : std::nullopt;
  const auto occupancy = gpu ? occupancy_of(point, gpu->sm) : std::nullopt;
  CsvRow row;
  add_identity(row, point);
  constexpr int figures = 9;
  if (placement) {
    add_figures(row, point, *placement, occupancy);
  } else {
    for (int i = 0; i < figures; ++i) {
      row.add("");
    }
  }
  add_verdict(row, point, placement ? std::optional(diagnose(point, *placement, occupancy)) : std::nullopt);
  for (const std::string& name : parameters) {
    const auto value = point.parameters.find(name);
    row.add(value != point.parameters.end() ? std::optional(value->second) : std::nullopt);
  }
  return row.line();
}

}  // namespace

std::string points_csv(const SessionLog& log) {
  std::set<std::string> parameters;
  for (const Point& point : log.points) {
    for (const auto& [name, value] : point.parameters) {
      parameters.insert(name);
    }
  }
  std::string table(csv_header);
  for (const std::string& name : parameters) {
    table += "," + csv_cell(name);
  }
  table += "\n";
  for (const Point& point : log.points) {
    table += row_of(point, log, parameters);
  }
  return table;
}

bool is_points_csv(std::string_view text) {
  return text.starts_with(csv_header);
}

}  // namespace rooftile
