#include "app/cli/verbs/forecasts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "analysis/text/safe_text.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/live/progress_line.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {
namespace {

double time_of(const ForecastRow& row) {
  return row.forecast.prediction ? row.forecast.prediction->time.value
                                 : std::numeric_limits<double>::infinity();
}

std::optional<int> shared_bytes(const Forecast& forecast) {
  return forecast.compiled
             ? std::optional(forecast.compiled->static_shared_bytes + forecast.launch.dynamic_shared_bytes)
             : std::nullopt;
}

// A reason, or what the prediction rests on.
std::string basis(const Forecast& forecast) {
  return forecast.why_not      ? *forecast.why_not
         : forecast.prediction ? forecast.prediction->basis
                               : "The model knows nothing that limits its time.";
}

template <class T>
std::string or_unknown(const std::optional<T>& value, const auto& write) {
  return value ? write(*value) : unknown_text;
}

std::string csv_line(const std::vector<std::string>& cells) {
  return fmt::format("{}\n", fmt::join(cells, ","));
}

// Empty where it is not known.
template <class T>
std::string csv_value(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::vector<std::string> csv_fields(const Manifest& kernel, const ForecastRow& row) {
  const Forecast& forecast = row.forecast;
  const auto& [launch, compiled, occupancy, prediction, why_not] = forecast;
  std::vector<std::string> fields;
  for (const Parameter& parameter : kernel.parameters) {
    fields.push_back(fmt::format("{}", row.parameters.at(parameter.name)));
  }
  const auto figure = [&](const auto& from, const auto& member) {
    fields.push_back(from ? fmt::format("{}", member(*from)) : "");
  };
  fields.push_back(fmt::format("{}", launch.block.count()));
  figure(compiled, [](const Compiled& made) { return made.registers; });
  figure(compiled, [](const Compiled& made) { return made.spill_store_bytes + made.spill_load_bytes; });
  fields.push_back(csv_value(shared_bytes(forecast)));
  figure(occupancy, [](const Occupancy& fit) { return fit.blocks; });
  figure(occupancy, [](const Occupancy& fit) { return fit.ratio(); });
  figure(prediction, [](const Prediction& foreseen) { return foreseen.time.value; });
  fields.push_back(csv_cell(prediction ? prediction->terms.name(prediction->terms.longest()) : ""));
  fields.push_back(csv_cell(why_not ? "" : basis(forecast)));
  fields.push_back(csv_cell(why_not.value_or("")));
  return fields;
}

std::vector<const Parameter*> shown_parameters(const Manifest& kernel, const std::vector<ForecastRow>& rows) {
  std::vector<const Parameter*> shown;
  for (const Parameter& parameter : kernel.parameters) {
    const auto value = [&](const ForecastRow& row) { return row.parameters.at(parameter.name); };
    if (std::ranges::any_of(rows, [&](const ForecastRow& row) { return value(row) != value(rows.front()); })) {
      shown.push_back(&parameter);
    }
  }
  return shown;
}

std::vector<std::string> text_row(const std::vector<const Parameter*>& parameters, const ForecastRow& row) {
  const auto& [launch, compiled, occupancy, prediction, why_not] = row.forecast;
  std::vector<std::string> cells;
  for (const Parameter* parameter : parameters) {
    cells.push_back(number(row.parameters.at(parameter->name)));
  }
  cells.push_back(or_unknown(compiled, [](const Compiled& made) { return count(made.registers); }));
  cells.push_back(or_unknown(shared_bytes(row.forecast), [](int bytes) { return kibibytes(bytes); }));
  cells.push_back(or_unknown(occupancy, [](const Occupancy& fit) { return count(fit.blocks); }));
  cells.push_back(or_unknown(occupancy, [](const Occupancy& fit) { return percent(fit.ratio()); }));
  cells.push_back(or_unknown(prediction, [](const Prediction& foreseen) { return text(foreseen.time); }));
  cells.push_back(why_not ? *why_not : prediction ? prediction->terms.name(prediction->terms.longest()) : "");
  return cells;
}

// Each once, with how many places rest on it.
std::string bases_text(const Manifest& kernel, const std::vector<ForecastRow>& rows) {
  std::map<std::string, int> places;
  for (const ForecastRow& row : rows) {
    if (!row.forecast.why_not) {
      const auto& made = row.forecast.compiled;
      ++places[!made              ? "as if registers limited nothing"
               : made->from_table ? "with registers from the bundled table"
                                  : "with registers compiled here"];
    }
  }
  const char* origin = is_read_from_code(kernel) ? "the compiled code" : "work and bytes alone";
  std::string all;
  for (const auto& [basis, number_of_places] : places) {
    all += fmt::format("{} by {}, {}\n", count(number_of_places), origin, basis);
  }
  return all;
}

}  // namespace

std::vector<ForecastRow> forecast_rows(const Options& options, const Manifest& kernel,
                                       const std::vector<Parameters>& places, const Gpu& gpu) {
  CodeModels code(options);
  code.prepare(kernel, gpu, places);
  const CompiledAt compiled_at = code.compiled_at(kernel, gpu);
  const Roofs roofs = datasheet_roofs(gpu);
  std::vector<ForecastRow> rows;
  ProgressLine line;
  for (const Parameters& place : places) {
    line.show(fmt::format("{} of {} places", rows.size() + 1, places.size()));
    rows.push_back({place, forecast(kernel, place, gpu, roofs, compiled_at, code.model_at())});
  }
  std::ranges::stable_sort(rows, {}, time_of);
  return rows;
}

std::string forecasts_text(const Manifest& kernel, const Gpu& gpu, const std::vector<ForecastRow>& rows) {
  const auto parameters = shown_parameters(kernel, rows);
  std::vector<std::string> head;
  std::ranges::transform(parameters, std::back_inserter(head),
                         [](const Parameter* each) { return each->name; });
  head.insert(head.end(), {"registers", "shared memory", "blocks per SM", "occupancy", "predicted", "longest"});
  TextTable table(head, std::string(head.size() - 1, 'r') + "l");
  for (const ForecastRow& row : rows) {
    table.add(text_row(parameters, row));
  }
  return fmt::format("{} on the {}, {} places\n\n{}\n{}", kernel.name, gpu.name,
                     count(static_cast<double>(rows.size())), table.text(), bases_text(kernel, rows));
}

std::string forecasts_csv(const Manifest& kernel, const std::vector<ForecastRow>& rows) {
  std::vector<std::string> head;
  std::ranges::transform(kernel.parameters, std::back_inserter(head), &Parameter::name);
  head.insert(head.end(), {"threads_per_block", "registers_per_thread", "spill_bytes", "shared_bytes_per_block",
                           "blocks_per_sm", "occupancy", "predicted_s", "longest", "basis", "why_not"});
  std::string all = csv_line(head);
  for (const ForecastRow& row : rows) {
    all += csv_line(csv_fields(kernel, row));
  }
  return all;
}

nlohmann::json forecasts_json(const std::vector<ForecastRow>& rows) {
  auto all = nlohmann::json::array();
  for (const auto& [parameters, forecast] : rows) {
    const auto& [launch, compiled, occupancy, prediction, why_not] = forecast;
    nlohmann::json one = {{"parameters", parameters}, {"threads_per_block", launch.block.count()}};
    const auto add = [&](const char* key, const auto& from, const auto& member) {
      one[key] = from ? nlohmann::json(member(*from)) : nlohmann::json();
    };
    add("registers_per_thread", compiled, [](const Compiled& made) { return made.registers; });
    add("spill_bytes", compiled,
        [](const Compiled& made) { return made.spill_store_bytes + made.spill_load_bytes; });
    add("shared_bytes_per_block", shared_bytes(forecast), [](int bytes) { return bytes; });
    add("blocks_per_sm", occupancy, [](const Occupancy& fit) { return fit.blocks; });
    add("occupancy", occupancy, [](const Occupancy& fit) { return fit.ratio(); });
    add("predicted_s", prediction, [](const Prediction& foreseen) { return foreseen.time.value; });
    add("longest", prediction,
        [](const Prediction& foreseen) { return foreseen.terms.id(foreseen.terms.longest()); });
    add("longest_text", prediction,
        [](const Prediction& foreseen) { return foreseen.terms.name(foreseen.terms.longest()); });
    add("basis", prediction, [](const Prediction& foreseen) { return foreseen.basis; });
    add("why_not", why_not, [](const std::string& reason) { return reason; });
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace rooftile::cli
