// The parameters of a kernel, as the text of its source declares them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"

namespace rooftile {

// A parameter of a kernel, as the text declares it.
struct DeclaredParameter {
  std::string name;
  std::string declaration;  // "const float* in"
  // The type of an argument in kernel.toml: "buffer", or a type of C such as "int"; a first guess where it is a
  // type of the source's own.
  std::string argument_type;
  bool operator==(const DeclaredParameter&) const = default;
};
// kernel: as C++ names it; parameters: how many it has, where several kernels have its name. A parameter may
// have no name. Empty where the text does not declare the kernel, or behind a macro.
std::vector<DeclaredParameter> declared_parameters(std::string_view code, const std::string& kernel,
                                                   std::optional<std::size_t> parameters = {});

// The line of the text, from 1, where the kernel's parameter stands; 0 where the text does not declare it.
int line_of_parameter(std::string_view code, const SourceKernel& kernel, std::size_t index);

// The names of the kernel's parameters, in order; no compiler keeps them. Empty where the text has not so many.
std::vector<std::string> parameter_names(std::string_view code, const SourceKernel& kernel);

// "{ ... }" of a kernel, without comments; empty where the text does not declare it.
std::string body_of(std::string_view code, const std::string& kernel);

}  // namespace rooftile
