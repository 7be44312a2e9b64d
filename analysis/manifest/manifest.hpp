// kernel.toml: everything about a kernel but its code. The window, the command line, the worker, the tests and
// the README iterate over manifests; a user's kernel is the same two files in a folder of theirs. A
// problem.toml beside the folders of a family holds what the family's kernels share.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/chip/pipe.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/range.hpp"

namespace rooftile {

// dial: launches that differ in it alone do the same work; size: it changes the work; scalar: it changes the
// values that are worked on.
enum class ParameterRole { dial, size, scalar };

// The value's destination. macro: the source; constant: a number of the source, which it replaces;
// template_argument: the entry; argument: the kernel, or its buffers; launch: grid, block, cluster, shared
// memory and carveout alone.
enum class ParameterPlace { macro, constant, template_argument, argument, launch };

inline constexpr Range a_parameter{-1e15, 1e15};  // whole numbers are exact, and records hold it

struct Parameter {
  std::string name;   // the macro or argument: TILE, N
  std::string label;  // for people: "Tile"
  std::string unit;   // "floats", or empty
  ParameterRole role = ParameterRole::dial;
  ParameterPlace where = ParameterPlace::macro;
  std::vector<double> values;                  // what a slider offers
  std::optional<std::array<double, 2>> range;  // whole numbers between are legal too
  Expression default_value;                    // a number, or another parameter's name it follows
  bool follows = false;                        // default_value names other parameters: shown only on request
  bool accepts(double value) const;
  // The places of a slider, and the present value where somebody gave another.
  std::vector<double> values_with(double present) const;
  // The compiler is given its value: each value has a cubin of its own.
  bool is_compiled() const {
    return where == ParameterPlace::macro || where == ParameterPlace::constant ||
           where == ParameterPlace::template_argument;
  }
  // It changes the work: launches that differ in it are not compared for the best.
  bool is_of_problem() const { return role != ParameterRole::dial; }
  // It tells variants of the kernel apart: a dial, or compiled. The others are sizes and scalars of one
  // variant.
  bool is_of_variant() const { return is_compiled() || !is_of_problem(); }
  bool operator==(const Parameter&) const = default;
};

struct Constraint {
  Expression require;  // nonzero: legal
  std::string reason;  // a sentence: "A 64 x 64 tile needs 4,096 threads; a block has at most 1,024."
  bool operator==(const Constraint&) const = default;
};

enum class BufferRole { input, output, in_out };

// What elements begin with. none: what the compiled kernel has, of a global; random: also evenly ascending;
// range: 0, 1, 2, ...
enum class FillKind { none, random, range, constant };

struct Buffer {
  std::string name;
  std::string element = "float";  // CUDA C type: float, double, half, fp8_e4m3, int, ...
  int element_bytes = 4;
  Expression count;  // elements
  BufferRole role = BufferRole::input;
  Expression skew;  // the share of elements that are all equal, 0 to 1; the others are random
  std::optional<Expression> below =
      {};                           // elements are from 0 to less than this; empty: as the device code says
  bool ascending = false;           // evenly from 0 to below - 1, not at random
  std::filesystem::path file = {};  // an array of NumPy that is the input instead; empty: none
  FillKind fill = FillKind::random;
  Expression value = {};  // of all elements, if constant
  bool is_written() const { return role != BufferRole::input; }
  bool operator==(const Buffer&) const = default;
};

// A buffer as the copies of TMA see it: a matrix, and the box of it that one copy brings to shared memory.
struct TensorMap {
  std::string name;
  std::string buffer;
  Expression rows, columns, row_stride;  // elements
  Expression box_rows, box_columns;
  int swizzle_bytes = 0;  // 16-byte units of neighbouring rows change places within so many bytes; 0: none
  bool operator==(const TensorMap&) const = default;
};

// One kernel argument, in order: a buffer, a tensor map, a scalar of a C type, a struct by value, or bytes.
struct Argument {
  std::string name;       // of buffers and tensor maps
  std::string type;       // "buffer", "tensor_map", "struct", "hex", "int", "long_long", "float", "double"
  Expression value;       // of scalars; of a buffer: bytes from its beginning
  int at = 0, times = 1;  // of a member: its offset in the struct; elements of an array, all equal
  std::vector<Argument> members = {};  // of a struct: buffers and scalars
  int bytes = 0;                       // of a struct
  std::string content = {};            // of "hex": its bytes
  bool operator==(const Argument&) const = default;
};

int bytes_of(const Argument& argument);

struct VerifyRule {
  std::filesystem::path source;  // of the reference kernel
  std::string entry;
  bool with_macros = false;         // those of the kernel itself
  std::vector<Argument> arguments;  // those of the kernel itself, unless it says otherwise
  std::array<Expression, 3> grid, block;
  std::optional<Expression> tolerance = {}, relative_tolerance = {};  // both empty: model/tolerance.hpp
  // Arrays of NumPy that are expected instead, one for each buffer that is written, in their order.
  std::vector<std::filesystem::path> files = {};
  bool operator==(const VerifyRule&) const = default;
};

struct Manifest {
  std::string name;  // the folder's name
  std::string title;
  std::string short_title;  // beside its group: "tiled, 128-bit loads"
  std::string group;        // the heading above it in lists: "Transpose"
  std::string idea;         // one line
  int order = 0;            // place in lists
  std::string family;       // the folder of its problem.toml; empty for a kernel on its own
  std::string problem;      // one of the family's: "sgemm"; empty likewise
  std::filesystem::path file;
  std::string library;  // "cublas" or "cublasLt": computed by a call of this library, without source, entry,
                        // grid and block
  std::filesystem::path source;                        // a file that is_cubin() is compiled already
  std::string entry;                                   // its symbol, or as C++ names it: "reduce<float, TILE>"
  std::vector<std::filesystem::path> include_folders;  // beyond the source's own and the toolkit's
  std::vector<std::string> compiler_options;
  std::optional<ComputeCapability> minimum_cc;
  bool architecture_specific = false;  // instructions that only minimum_cc itself has: wgmma
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::vector<Buffer> buffers;
  std::vector<Buffer> globals;  // __constant__ and __device__ variables; the compiled kernel knows their counts
  std::vector<TensorMap> tensor_maps;
  std::vector<Argument> arguments;
  std::array<Expression, 3> grid, block, cluster;  // cluster: in blocks
  Expression dynamic_shared_bytes;
  bool cooperative = false;            // grid.sync() waits for all blocks, which must be resident at once
  std::optional<Expression> carveout;  // percent of the largest shared memory of an SM; -1: the driver's choice
  bool states_work = true;             // false: nobody stated FLOPs and bytes, so code and counters know them
  std::optional<Expression> flops;     // absent: a kernel without FLOPs
  std::string pipe = fp32_pipe;        // that the FLOPs run on
  Expression elements;                 // work that every kernel has: outputs, or elements moved
  std::string elements_label;          // "elements moved"
  Expression compulsory_dram_bytes;
  std::array<std::optional<Expression>, memory_levels.size()>
      bytes;  // predicted traffic by level, shared excepted
  std::optional<VerifyRule> verify;

  const Parameter* parameter(const std::string& wanted) const;
  bool is_cubin() const { return source.extension() == ".cubin"; }
  bool operator==(const Manifest&) const = default;
};

// The text of a file; empty where there is none. Throws Error for a file that cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::filesystem::path&)>;

// Reads a kernel.toml. `read` is asked for it, for its problem.toml and for the sources. Throws Error with
// file, line and what was expected.
Manifest read_manifest(const std::filesystem::path& file, const ReadFile& read);
std::string kernel_name(const std::filesystem::path& file);  // the folder's

// The given values, the defaults for the rest. Throws Error for an unknown name.
Parameters complete(const Manifest& manifest, const Parameters& given);
// The sizes and scalars among these values: launches that differ in them do other work.
Parameters problem_of(const Manifest& manifest, const Parameters& values);
// The dials that change the code: launches that differ in others run the same cubin.
Parameters compiled_of(const Manifest& manifest, const Parameters& values);
// The shortest given values that complete() turns into these: values that follow another or equal their default
// are left out.
Parameters given_of(const Manifest& manifest, const Parameters& complete_values);
// The entry with the values of its template arguments: "reduce<float, 32>".
std::string entry_at(const Manifest& manifest, const Parameters& values);
// Why these values are not legal, in a sentence; empty when they are.
std::optional<std::string> why_illegal(const Manifest& manifest, const Parameters& parameters);
// Why the kernel cannot run on such a GPU, in a sentence; empty when it can.
std::optional<std::string> why_unfit(const Manifest& manifest, ComputeCapability cc);

}  // namespace rooftile
