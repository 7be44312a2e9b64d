#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/safe_text.hpp"
#include "app/window/shell/program.hpp"

namespace {

// "rooftile doctor", as people try it first.
int run_doctor(const std::vector<std::string>& words) {
  std::vector<std::string> command = {(rooftile::platform::executable_directory() / "rooftile-cli").string()};
  command.insert(command.end(), words.begin(), words.end());
  return rooftile::platform::run_program(command, {}).status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && argv[1] == std::string_view("doctor")) {
    return run_doctor({argv + 1, argv + argc});
  }
  int status = 0;
  const auto options = rooftile::conductor::parse_command_line(argc, argv, status);
  if (!options) {
    return status;
  }
  try {
    return rooftile::window::run(*options);
  } catch (const rooftile::Error& error) {
    std::fprintf(stderr, "rooftile: %s\n", rooftile::visible_text(error.what()).c_str());
    return 1;
  }
}
