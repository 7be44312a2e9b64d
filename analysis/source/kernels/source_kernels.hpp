// The facts of the kernels in a user's own source: what a compiler says of them, and what only the text says.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// Who works on an item of the problem, such as a row of a matrix.
enum class ItemOwner { thread, warp, block };

// A macro whose value is given by who compiles the source.
struct SourceMacro {
  std::string name;
  double value;
  bool operator==(const SourceMacro&) const = default;
};

// A number, an array of numbers or a pointer in a struct.
struct StructMember {
  std::string name;  // "in_v" of the member v of a member `in`
  std::string type;  // as SourceKernel has it: "float", "float const*"
  int at = 0;        // its offset in bytes
  int times = 1;     // elements of the array
  bool operator==(const StructMember&) const = default;
};
struct StructLayout {
  int bytes = 0;  // 0: no struct
  std::vector<StructMember> members = {};
  bool operator==(const StructLayout&) const = default;
};

// A folder of headers: asked for, or found because a header is nowhere else.
struct IncludeFolder {
  std::string folder;  // seen from the folder of the source
  std::string header;  // that was found there; empty: the folder was asked for
  bool operator==(const IncludeFolder&) const = default;
};

// A __constant__ or __device__ variable without a value of its own.
struct SourceVariable {
  std::string name;  // as C++ writes it: "ours::table"
  int bytes = 0;
  bool is_constant = false;
  bool operator==(const SourceVariable&) const = default;
};

// Another file of the repository, which launches the kernels of the source. Empty: there is none, or the source
// does it itself.
struct LaunchingFile {
  std::string name;  // seen from the folder of the source: "../runner.cu"
  std::string code;
  bool operator==(const LaunchingFile&) const = default;
};

struct SourceKernel {
  std::string name;                             // as C++ writes it: "ours::sum"
  std::vector<std::string> types = {};          // of its parameters: "float const*", "int"
  int dimensions = 1;                           // of the threads and blocks that it looks at, 1 to 3
  std::optional<int> threads = {};              // most of a block, by __launch_bounds__
  bool dynamic_shared = false;                  // extern __shared__: the launch says how much
  ItemOwner owner = ItemOwner::thread;          // only the text says so, not the compiler
  std::string item_width = {};                  // a macro that is the elements of an item; may be empty
  std::array<std::string, 3> block_sides = {};  // as the text has them, by axis; may be empty
  std::vector<SourceMacro> open_macros =
      {};                               // without which it does not compile, at the values it was read with
  std::vector<std::string> names = {};  // of its parameters, where a header declares them
  // Of each parameter that is a struct or points to one; empty where there is none.
  std::vector<StructLayout> layouts = {};
  std::vector<IncludeFolder> include_folders = {};  // beyond the source's own and the toolkit's
  std::vector<std::string> options = {};            // of the compiler: "-DT=float"
  std::vector<SourceVariable> variables = {};       // that the kernel uses
  std::string header_constants = {};                // see header_constants.hpp
  LaunchingFile launched_by = {};
  std::string symbol = {}, ptx = {};  // its name in the PTX that it was read from; empty: not known
  bool operator==(const SourceKernel&) const = default;
};

// The type with which the text declares the variable, "unsigned int"; empty where it does not.
std::string type_of_variable(std::string_view code, const std::string& variable);

// Without namespaces and the arguments of a template: "sum" of "ours::sum<float>".
std::string base_name(const std::string& kernel);

struct SourceDescription {
  std::vector<SourceKernel> kernels = {};
  // Templates of its own headers that the source or one of them launches: "tile<32>".
  std::vector<std::string> instances_in_headers = {};
  LaunchingFile launched_by = {};
  std::string ptx = {};  // of all kernels
};

// One line of JSON, from the worker to its client. parse throws Error where it is none.
std::string to_line(const SourceDescription& source);
SourceDescription parse_source_description(std::string_view line);

// Macros that the source defines unless the compiler's options do: #ifndef TILE, #define TILE 16.
std::vector<SourceMacro> macros_with_default(std::string_view code);

// How many kernels the text declares, templates too.
std::size_t kernels_declared(std::string_view code);

}  // namespace rooftile
