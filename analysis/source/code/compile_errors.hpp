// A CUDA compiler's messages on a source, by line. Format of the messages: NVRTC's log, "FILE(LINE): error:
// WORDS", lines that belong to it below, an empty line behind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct CompileError {
  int line = 0;                    // of the source, from 1
  std::string words;               // "identifier \"tile\" is undefined"
  std::vector<std::string> below;  // more of the message: the template where it happened, what else was tried
  bool operator==(const CompileError&) const = default;
};

// The errors of one file, which is named without its folders; errors of other files, such as headers, are left
// out.
std::vector<CompileError> compile_errors(std::string_view log, std::string_view file);

}  // namespace rooftile
