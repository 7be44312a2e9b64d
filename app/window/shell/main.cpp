#include <cstdio>

#include "analysis/text/error.hpp"
#include "analysis/text/safe_text.hpp"
#include "app/window/shell/program.hpp"

int main(int argc, char** argv) {
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
