// How often advice comes true, as a table.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/advice/advice_judgement.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

struct AdviceRow {
  std::string name;  // a kernel, or which launches
  AdviceScore score;
  bool is_kernel = false;
};

// A row for each name that `name_of` gives, in the order in which they come.
std::vector<AdviceRow> advice_rows(const std::vector<JudgedAdvice>& judged,
                                   const std::function<std::string(const JudgedAdvice&)>& name_of,
                                   bool are_kernels = false);

// The last row is the average over the kernels of which a move is recorded.
TextTable advice_table(const std::vector<AdviceRow>& rows);
nlohmann::json json_of(const AdviceRow& row);

}  // namespace rooftile::cli
