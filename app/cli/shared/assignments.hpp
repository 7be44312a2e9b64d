// Parameters as people type them: TILE=32 on its own, TILE=8,16 and PAD=0..4 in a sweep.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"

namespace rooftile::cli {

// Complete and legal. Throws UsageError for a word that is no assignment, an unknown parameter (with the
// nearest one) or an illegal combination (with the reason).
Parameters configuration(const Manifest& manifest, const std::vector<std::string>& words);

struct LegalCombinations {
  std::vector<Parameters> configurations;  // complete and legal, the last named parameter changing fastest
  std::map<std::string, int> skipped;      // illegal combinations by reason
  int skipped_total() const;
};

// a..b means every offered value of the parameter in that range. Throws UsageError likewise, for combinations
// only where none is legal.
LegalCombinations legal_combinations(const Manifest& manifest, const std::vector<std::string>& words);

// The legal combinations of what the words give and of every value of the dials and variants that they do not
// name. Throws UsageError likewise.
std::vector<Parameters> every_place(const Manifest& manifest, const std::vector<std::string>& words);

}  // namespace rooftile::cli
