// Text that is opened as a source of CUDA and is none.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

// Behind the name of the file, what it is and what to do: " is UTF-16: save it as UTF-8."; empty where nothing
// tells.
std::string why_no_cuda(std::string_view code);

}  // namespace rooftile
