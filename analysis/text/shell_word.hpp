// A word for the command line of a shell.
#pragma once

#include <string>

namespace rooftile {

// In single quotes where a shell would take it apart.
std::string shell_word(const std::string& word);

}  // namespace rooftile
