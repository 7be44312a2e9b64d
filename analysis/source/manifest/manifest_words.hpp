// The words of a kernel.toml on a launch, as they are written: also where the reader of manifests refuses them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

// A value that is not there has the reader's default, or is empty.
struct ManifestWords {
  struct Parameter {
    std::string name, role, where;
    std::string values;  // "16, 32"
    std::string default_value;
    bool is_compiled() const { return where == "macro" || where == "constant" || where == "template"; }
  };
  struct Buffer {
    std::string name, element, count, role;
    std::string below, order;  // of its numbers
    bool holds_whole_numbers() const { return element == "int" || element == "long_long"; }
  };
  struct Global {
    std::string name, element, fill;
    std::string value;  // of a constant
  };
  struct Argument {
    std::string type;         // "buffer", "tensor_map", or a type of C such as "int"
    std::string value;        // a name, or an expression
    std::string offset = {};  // of a buffer, in bytes; empty: its beginning
  };

  std::string source;  // seen from the folder of the file
  std::string entry;   // the kernel, as C++ names it
  std::vector<Parameter> parameters;
  std::vector<Buffer> buffers;
  std::vector<Global> globals;
  std::vector<std::string> tensor_maps;  // names
  std::vector<Argument> arguments;
  std::array<std::string, 3> grid, block;
  std::string dynamic_shared_bytes;
};

// Throws Error where the text is not TOML.
ManifestWords words_of_manifest(std::string_view text);

}  // namespace rooftile
