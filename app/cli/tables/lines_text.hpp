// A source profile as text: the source, with columns beside each line.
#pragma once

#include <string>

#include "analysis/record/source_profile.hpp"

namespace rooftile::cli {

std::string text(const SourceProfile& profile);

}  // namespace rooftile::cli
