#include "app/cli/bench/latency_figures.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

Seconds quantile(std::vector<double> values, double share) {
  if (values.empty()) {
    return {};
  }
  std::sort(values.begin(), values.end());
  return {values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)]};
}

Seconds median_phase(const std::vector<TimedMove>& moves, const std::string& name) {
  std::vector<double> values;
  for (const TimedMove& move : moves) {
    for (const Phase& phase : move.point.phases) {
      if (phase.name == name) {
        values.push_back(phase.duration.value);
      }
    }
  }
  return quantile(std::move(values), 0.5);
}

// Until the point was timed: all but counting.
Seconds median_until_timed(const std::vector<TimedMove>& moves) {
  std::vector<double> values;
  for (const TimedMove& move : moves) {
    double sum = 0;
    for (const Phase& phase : move.point.phases) {
      sum += phase.name == "count" ? 0 : phase.duration.value;
    }
    values.push_back(sum);
  }
  return quantile(std::move(values), 0.5);
}

const std::vector<std::string> phase_names = {"compile", "load", "verify", "time", "count"};

std::vector<double> times(const std::vector<TimedMove>& moves, Seconds TimedMove::*time) {
  std::vector<double> values;
  for (const TimedMove& move : moves) {
    values.push_back((move.*time).value);
  }
  return values;
}

void add_row(TextTable& table, const std::string& title, const std::vector<TimedMove>& moves) {
  std::vector<std::string> row = {title,
                                  count(static_cast<double>(moves.size())),
                                  text(quantile(times(moves, &TimedMove::placed), 0.5)),
                                  text(quantile(times(moves, &TimedMove::placed), 0.95)),
                                  text(quantile(times(moves, &TimedMove::wall), 0.5)),
                                  text(quantile(times(moves, &TimedMove::wall), 0.95)),
                                  text(median_until_timed(moves))};
  for (const std::string& name : phase_names) {
    row.push_back(text(median_phase(moves, name)));
  }
  table.add(row);
}

}  // namespace

nlohmann::json json_of(const std::vector<TimedMove>& moves) {
  nlohmann::json row = {{"moves", moves.size()},
                        {"placed_median_s", quantile(times(moves, &TimedMove::placed), 0.5).value},
                        {"placed_p95_s", quantile(times(moves, &TimedMove::placed), 0.95).value},
                        {"median_s", quantile(times(moves, &TimedMove::wall), 0.5).value},
                        {"p95_s", quantile(times(moves, &TimedMove::wall), 0.95).value},
                        {"timed_median_s", median_until_timed(moves).value}};
  for (const std::string& name : phase_names) {
    row[name + "_median_s"] = median_phase(moves, name).value;
  }
  return row;
}

TextTable latency_table(const std::vector<std::pair<std::string, std::vector<TimedMove>>>& kinds) {
  std::vector<std::string> head = {"cubin", "moves", "placed", "95 %", "counted", "95 %", "timed"};
  head.insert(head.end(), phase_names.begin(), phase_names.end());
  TextTable table(head, "lrrrrrrrrrrr");
  for (const auto& [title, moves] : kinds) {
    add_row(table, title, moves);
  }
  return table;
}

}  // namespace rooftile::cli
