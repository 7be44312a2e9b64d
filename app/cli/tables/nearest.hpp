// Which known name was meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftile::cli {

// "There is no kernel "sgem_tiled"; did you mean sgemm_tiled? Known are: ..."
std::string no_such(std::string_view what, std::string_view name, const std::vector<std::string>& known);

}  // namespace rooftile::cli
