// A program beside its baseline, for a terminal, for Markdown and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/verdict/program_check.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {

TextTable check_table(const ProgramCheck& check, const CheckLimits& limits, std::size_t most);
// "All kernels take 1.042 times as long as in the baseline (95 %: 1.031 to 1.050, 6 runs): slower."
std::string check_sentence(const ProgramCheck& check, const CheckLimits& limits);
std::string check_markdown(const ProgramCheck& check, const CheckLimits& limits, std::size_t most);
nlohmann::json check_json(const ProgramCheck& check, const CheckLimits& limits);

}  // namespace rooftile::cli
