// Tables that compare derived work with counted work.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/predict/work_judgement.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

// A row for each kernel: derived / counted, from the least to the most, and how long a launch takes.
TextTable work_by_kernel(const std::vector<JudgedWork>& launches);
// A row for each figure: the share of launches within each bound, and the worst one.
TextTable work_by_figure(const std::vector<JudgedWork>& launches);
// A row for each kernel: how well its times are predicted.
TextTable times_by_kernel(const std::vector<JudgedWork>& launches);
// A row for each kernel and figure: drawn / counted, from the least to the most, and why it deviates.
TextTable pictures_by_kernel(const std::vector<JudgedWork>& launches);
nlohmann::json json_of(const std::vector<JudgedWork>& launches);

}  // namespace rooftile::cli
