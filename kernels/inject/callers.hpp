// The functions of a program that lead to a launch.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace rooftile::inject {

// "int mine::run(int)::{lambda(float)#1}::operator()(float) const" -> "run::lambda".
std::string caller_name(const std::string& readable);

class Callers {
 public:
  // Names of the functions on this thread's stack, the outermost first: "main/train/step"; the 12 innermost.
  // Left out are those of CUDA, of the C library, of Python's interpreter, and those without a name. Of a
  // program compiled by nvcc the last one is the kernel's own stub.
  std::string path();

 private:
  struct Function {
    std::uintptr_t begin, end;
    std::string symbol;
  };

  const std::string& name_at(std::uintptr_t address);
  std::string symbol_at(std::uintptr_t address);
  std::string symbol_of_program(std::uintptr_t place);

  std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::string> names_;  // by address; empty: left out
  std::vector<Function> functions_;                        // of the program's file, rising
  std::once_flag program_read_;
};

}  // namespace rooftile::inject
