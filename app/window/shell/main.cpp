#include <cstdio>

#include "analysis/error.hpp"
#include "app/window/shell/program.hpp"

int main(int argc, char** argv) {
  int status = 0;
  const auto options = rooftile::conductor::parse_command_line(argc, argv, status);
  if (!options) {
    return status;
  }
  try {
    rooftile::window::run(*options);
  } catch (const rooftile::Error& error) {
    std::fprintf(stderr, "rooftile: %s\n", error.what());
    return 1;
  }
  return 0;
}
