// The sections and symbols of a cubin, which is an ELF file. Nothing outside its bytes is read, whatever they
// claim: a kept cubin may have been cut off, a captured one comes from a stranger.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace rooftile::worker {

// Zeros where the bytes end before the value does.
template <class T>
T read(std::string_view bytes, std::size_t offset) {
  T value{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) {
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
  }
  return value;
}

std::string_view part(std::string_view bytes, std::size_t offset, std::size_t size);

// Counts the sections whose headers lie in the file; it may claim more.
std::size_t section_count(std::string_view cubin);
Elf64_Shdr section_header(std::string_view cubin, std::size_t index);
std::string_view section_name(std::string_view cubin, std::size_t index);
std::string_view content(std::string_view cubin, const Elf64_Shdr& header);
// Empty where the cubin has no section of that name.
std::optional<Elf64_Shdr> header_of(std::string_view cubin, const std::string& name);
std::optional<std::string_view> section(std::string_view cubin, const std::string& name);

struct SymbolTable {
  explicit SymbolTable(std::string_view cubin);

  std::size_t size() const { return symbols.size() / sizeof(Elf64_Sym); }
  Elf64_Sym at(std::size_t number) const { return read<Elf64_Sym>(symbols, number * sizeof(Elf64_Sym)); }
  std::string_view name(std::size_t number) const;

  std::string_view symbols, names;
};

}  // namespace rooftile::worker
