// The templates of kernels in a source's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// The parameters of a kernel's template, "class T" and "int TILE"; empty for other kernels.
std::vector<std::string> template_parameters(std::string_view code, const std::string& kernel);

// One instance of each template of a kernel, which is a first guess: "ours::reduce<float, 256>".
std::vector<std::string> template_instances(std::string_view code);
// Its arguments for one kernel; empty where it is no template.
std::vector<std::string> guessed_template_arguments(std::string_view code, const std::string& kernel);

}  // namespace rooftile
