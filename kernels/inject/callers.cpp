#include "kernels/inject/callers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>

#include "analysis/platform/host_stack.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/record/program/program_points.hpp"
#include "kernels/worker/cubin/elf.hpp"

namespace rooftile::inject {
namespace {

constexpr std::size_t most_calls = 128, most_names = 12;

constexpr std::array<std::string_view, 11> files_left_out = {
    "libcuda.",   "libcudart", "libcupti",  "librooftile", "libc.so", "libc-",
    "libpthread", "ld-linux",  "libstdc++", "libpython",   "python"};
// They stand in the program itself where CUDA's runtime is linked into it.
constexpr std::array<std::string_view, 8> functions_left_out = {
    "__device_stub__",          "cuda", "__cuda", "_start", "__libc", "_dl_", "execute_native_thread_routine",
    "_ZNSt6thread11_State_impl"};

bool begins_with_one_of(std::string_view name, const auto& begins) {
  return std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_function(const Elf64_Sym& symbol) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size > 0;
}

}  // namespace

std::string caller_name(const std::string& readable) {
  for (const auto& [begin, word] :
       {std::pair("::{lambda(", "::lambda"), std::pair("::operator()", "::operator()")}) {
    const std::size_t found = readable.find(begin);
    const auto before = std::string_view(readable).substr(0, found);
    if (found != std::string::npos && std::ranges::count(before, '<') == std::ranges::count(before, '>')) {
      return short_kernel_name(std::string(before)) + word;
    }
  }
  return short_kernel_name(readable);
}

std::string Callers::path() {
  const std::vector<std::uintptr_t> addresses = platform::call_addresses(most_calls);
  std::vector<std::string_view> names;
  for (const std::uintptr_t address : addresses) {
    const std::string& name = name_at(address);
    if (!name.empty() && names.size() < most_names && (names.empty() || names.back() != name)) {
      names.push_back(name);
    }
  }
  std::string path;
  for (const std::string_view name : names | std::views::reverse) {
    path += (path.empty() ? "" : "/") + std::string(name);
  }
  return path;
}

// The loader has a lock of its own, so it is asked while this one is free.
const std::string& Callers::name_at(std::uintptr_t address) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = names_.find(address); known != names_.end()) {
      return known->second;
    }
  }
  const std::string symbol = symbol_at(address);
  std::string name = symbol.empty() ? "" : caller_name(platform::demangled(symbol));
  std::ranges::replace(name, '/', '|');
  const std::lock_guard lock(mutex_);
  return names_.try_emplace(address, std::move(name)).first->second;
}

std::string Callers::symbol_at(std::uintptr_t address) {
  const auto file = platform::loaded_file(address);
  if (!file || begins_with_one_of(file->file.substr(file->file.rfind('/') + 1), files_left_out)) {
    return "";
  }
  std::string symbol = file->is_program ? symbol_of_program(address - file->base) : file->function;
  return begins_with_one_of(symbol, functions_left_out) ? "" : symbol;
}

// place: an address as the program's file has it.
std::string Callers::symbol_of_program(std::uintptr_t place) {
  std::call_once(program_read_, [&] {
    const std::string bytes = platform::program_bytes();
    const worker::SymbolTable symbols(bytes);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      if (const Elf64_Sym symbol = symbols.at(i); is_function(symbol)) {
        functions_.push_back({symbol.st_value, symbol.st_value + symbol.st_size, std::string(symbols.name(i))});
      }
    }
    std::ranges::sort(functions_, {}, &Function::begin);
  });
  const auto after = std::ranges::upper_bound(functions_, place, {}, &Function::begin);
  return after != functions_.begin() && place < std::prev(after)->end ? std::prev(after)->symbol : "";
}

}  // namespace rooftile::inject
