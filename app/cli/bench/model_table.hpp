// How good predictions are, as tables.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/predict/judgement.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

struct ModelRow {
  std::string name;  // a kernel, or which launches
  Judgement judgement;
  bool is_kernel = false;
};

// One row per kernel, in the order of their first launches; then, by GPU, the size most recorded of each kernel
// and the others; then all.
std::vector<ModelRow> model_rows(const std::vector<JudgedLaunch>& launches);

// The last row is the average over the kernels, in which many launches of one weigh no more than few of
// another.
TextTable model_table(const std::vector<ModelRow>& rows);
nlohmann::json json_of(const ModelRow& row);

}  // namespace rooftile::cli
