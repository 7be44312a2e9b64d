// The launch of a kernel that stands in its source: sum<<<grid, block, shared>>>(in, out, n).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/source/launch/c_expression.hpp"

namespace rooftile {

struct WrittenLaunch {
  int line = 0;  // of the source, from 1
  // The kernel; of a template with its arguments, where numbers that the source names are the names of its
  // parameters: "reduce<float, TILE>".
  std::string kernel;
  std::vector<SourceMacro> template_dials;  // these names, and the numbers
  // Expressions of the kernel's own parameters, of macros that are dials, of `sms`, and of the free names. A
  // list is empty where it cannot be read.
  std::vector<std::string> grid, block;
  std::string shared_bytes;                    // empty: none, or not to be read
  std::map<std::string, double> values;        // of the kernel's parameters, where the source fixes them
  std::map<std::string, CExpression> bytes;    // of the kernel's buffers, where the source allocates them
  std::map<std::string, CExpression> skipped;  // elements of these buffers before the one that is pointed to
  std::set<std::string> zeroed;                // buffers that the source sets to zeros
  std::vector<std::string> free;               // names that the source does not fix: block_size
  bool is_cooperative = false;
};

// The instances that the text, or a text behind it, launches, for each template of a kernel. If neither
// launches one, an instance is guessed: "reduce<float, 256>".
std::vector<std::string> instances_to_offer(std::string_view code, std::string_view launching = {});

// The offered instances whose template the text, or the text behind it, launches.
std::vector<std::string> launched_instances(std::string_view code, std::string_view launching = {});

// Whether the text launches the kernel, which one of a library may leave to others.
bool is_launched(std::string_view code, const std::string& kernel);

// Whether a kernel.toml gives the name a meaning of its own.
bool is_name_of_manifests(std::string_view name);

// Empty where the text does not launch this kernel. names: of its parameters, as the expressions shall have
// them; dials: macros that stay in the expressions.
std::optional<WrittenLaunch> written_launch(std::string_view code, const SourceKernel& kernel,
                                            const std::vector<std::string>& names,
                                            const std::vector<SourceMacro>& dials);

}  // namespace rooftile
