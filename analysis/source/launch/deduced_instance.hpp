// The instance of a template that a launch means by the types of what it gives: axpy<<<8, 256>>>(2.0, x, y).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// A kernel that is a template, as its text declares it.
struct KernelTemplate {
  std::string name;
  std::vector<std::string> parameters;  // "typename T", "int N = 4"
  std::vector<std::string> arguments;   // "const T* x"
};

// The type of a host's expression before a place of the text, as far as a declaration or the expression itself
// says: "double*", "Twice"; empty where neither does.
std::string host_type(std::string_view text, const std::string& expression, std::size_t place);

// given: the types of the launch's arguments. Empty where a parameter without a default does not follow from
// them.
std::optional<std::string> deduced_instance(const KernelTemplate& kernel,
                                            const std::vector<std::string>& given);

}  // namespace rooftile
