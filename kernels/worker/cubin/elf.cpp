#include "kernels/worker/cubin/elf.hpp"

#include <algorithm>

namespace rooftile::worker {
namespace {

std::string_view name_at(std::string_view names, std::size_t offset) {
  const std::string_view rest = part(names, offset, names.size());
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::string_view part(std::string_view bytes, std::size_t offset, std::size_t size) {
  return offset < bytes.size() ? bytes.substr(offset, size) : std::string_view();
}

std::size_t section_count(std::string_view cubin) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  return std::min<std::size_t>(elf.e_shnum, part(cubin, elf.e_shoff, cubin.size()).size() / sizeof(Elf64_Shdr));
}

Elf64_Shdr section_header(std::string_view cubin, std::size_t index) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  return read<Elf64_Shdr>(cubin, elf.e_shoff + index * sizeof(Elf64_Shdr));
}

std::string_view section_name(std::string_view cubin, std::size_t index) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  return name_at(content(cubin, section_header(cubin, elf.e_shstrndx)), section_header(cubin, index).sh_name);
}

std::string_view content(std::string_view cubin, const Elf64_Shdr& header) {
  return header.sh_type == SHT_NOBITS ? std::string_view() : part(cubin, header.sh_offset, header.sh_size);
}

std::optional<Elf64_Shdr> header_of(std::string_view cubin, const std::string& name) {
  for (std::size_t i = 0; i < section_count(cubin); ++i) {
    if (section_name(cubin, i) == name) {
      return section_header(cubin, i);
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> section(std::string_view cubin, const std::string& name) {
  const auto header = header_of(cubin, name);
  return header ? std::optional(content(cubin, *header)) : std::nullopt;
}

SymbolTable::SymbolTable(std::string_view cubin)
    : symbols(section(cubin, ".symtab").value_or("")), names(section(cubin, ".strtab").value_or("")) {}

std::string_view SymbolTable::name(std::size_t number) const {
  return name_at(names, at(number).st_name);
}

}  // namespace rooftile::worker
