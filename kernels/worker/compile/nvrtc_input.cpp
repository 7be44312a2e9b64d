#include "kernels/worker/compile/nvrtc_input.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <sstream>

#include "analysis/source/code/device_code.hpp"
#include "kernels/worker/compile/stand_ins/stand_ins.hpp"

namespace rooftile::worker {
namespace {

// A header's #error mostly speaks of the host. One that asks for a macro is kept, since the macro becomes a
// dial.
std::string without_demands(const std::string& header) {
  static const RE2 demand(R"(^[ \t]*#[ \t]*error\b)"), of_macro(R"(\bdefined|undefined\b)");
  std::istringstream lines(header);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool is_dropped = line.find("error") != line.npos && RE2::PartialMatch(line, demand) &&
                            !RE2::PartialMatch(line, of_macro);
    kept += (is_dropped ? "" : line) + "\n";
  }
  return kept;
}

}  // namespace

NvrtcInput device_part(const SourceFiles& files) {
  std::vector<std::string> texts = {files.code};
  for (const OwnHeader& header : files.headers) {
    texts.push_back(header.code);
  }
  static const RE2 glued(R"re((extern[ \t]+"C")(\w))re");  // extern "C"__global__, a literal with a suffix
  for (std::string& text : texts) {
    RE2::GlobalReplace(&text, glued, R"(\1 \2)");
  }
  texts = device_code(texts);
  NvrtcInput input{std::move(texts[0]), files.file, {}, files.missing};
  for (std::size_t i = 0; i < files.headers.size(); ++i) {
    input.headers.emplace_back(files.headers[i].name, without_demands(texts[i + 1]));
  }
  for (const std::string& header : files.missing) {
    input.headers.emplace_back(header, device_part_of(header).value_or(""));
  }
  return input;
}

NvrtcInput nvrtc_input(const SourceFiles& files) {
  NvrtcInput input = device_part(files);
  for (const std::string& header : files.of_toolkit) {
    if (const auto text = device_part_of(header)) {
      input.headers.emplace_back(header, *text);
    }
  }
  // The toolkit's headers ask for these.
  for (const char* of_c : {"assert.h", "errno.h", "float.h", "limits.h", "math.h", "memory.h", "stdbool.h",
                           "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h"}) {
    if (std::ranges::find(input.headers, of_c, &std::pair<std::string, std::string>::first) ==
        input.headers.end()) {
      input.headers.emplace_back(of_c, "");
    }
  }
  input.headers.emplace_back(standard_names_file, standard_names);
  return input;
}

std::vector<std::string> nvrtc_options(const SourceFiles& files) {
  std::vector<std::string> options = {std::string("--pre-include=") + standard_names_file};
  const bool includes =
      !files.headers.empty() || !files.missing.empty() || !files.of_toolkit.empty() || !files.all_known;
  if (!includes) {
    options.emplace_back("--minimal");
    return options;
  }
  options.emplace_back("-default-device");  // headers of the toolkit declare functions of the host
  for (const std::filesystem::path& folder : files.folders) {
    options.push_back("-I" + folder.string());
  }
  return options;
}

}  // namespace rooftile::worker
