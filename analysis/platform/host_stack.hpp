// The functions of this process that a thread is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::platform {

// Addresses within the calls on this thread's stack, the innermost first; at most so many. Frames are found by
// what the compiler tells of them for exceptions: where a function has none of that, they end.
std::vector<std::uintptr_t> call_addresses(std::size_t most);

// The program or library that holds the code at an address.
struct LoadedFile {
  std::string file;         // "libcuda.so.1"; of the program as it was started
  bool is_program = false;  // not a library
  std::uintptr_t base = 0;  // where it was loaded
  std::string function;     // that the address lies in, as the linker knows it; empty where it is not exported
};
std::optional<LoadedFile> loaded_file(std::uintptr_t address);

// The bytes of the program that runs; empty where they cannot be read.
std::string program_bytes();

}  // namespace rooftile::platform
