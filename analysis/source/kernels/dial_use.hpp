// Whether a macro that is dialled reaches the source.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rooftile {

// texts: the source, called `file` by people, and the files that it includes. Why the first of the macros that
// changes nothing does so, in a sentence: the source never mentions it, or defines it itself; empty where each
// may change something.
std::optional<std::string> why_no_dial(const std::vector<std::string>& texts, const std::string& file,
                                       const std::vector<std::string>& macros);

// Likewise of a macro that a person defines, which headers of others may ask for: only where the texts mention
// a name near it.
std::optional<std::string> why_misspelt_macro(const std::vector<std::string>& texts, const std::string& file,
                                              const std::string& macro);

}  // namespace rooftile
