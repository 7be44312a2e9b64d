// The prediction for every place of a kernel's dials: a row each, the fastest first.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/predict/forecast.hpp"
#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

struct ForecastRow {
  Parameters parameters;
  Forecast forecast;
};

// Registers come from the bundled table; what it does not hold is compiled, where there is a compiler.
std::vector<ForecastRow> forecast_rows(const Options& options, const Manifest& kernel,
                                       const std::vector<Parameters>& places, const Gpu& gpu);

std::string forecasts_text(const Manifest& kernel, const Gpu& gpu, const std::vector<ForecastRow>& rows);
std::string forecasts_csv(const Manifest& kernel, const std::vector<ForecastRow>& rows);
nlohmann::json forecasts_json(const std::vector<ForecastRow>& rows);

}  // namespace rooftile::cli
