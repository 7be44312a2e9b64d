// For tests: a cubin that says of one kernel what parameters it has, and nothing else.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace rooftile::worker {

inline std::string described_cubin(const std::string& symbol, const std::vector<int>& parameter_bytes) {
  const std::string names = std::string("\0.shstrtab\0.nv.info.", 20) + symbol + '\0';
  std::string info;
  int offset = 0;
  for (std::size_t i = 0; i < parameter_bytes.size(); ++i) {
    const struct {
      std::uint8_t format = 4, kind = 0x17;
      std::uint16_t size = 12;
      std::uint32_t index = 0;
      std::uint16_t ordinal, offset;
      std::uint32_t flags;
    } parameter{4,
                0x17,
                12,
                0,
                static_cast<std::uint16_t>(i),
                static_cast<std::uint16_t>(offset),
                static_cast<std::uint32_t>(parameter_bytes[i]) << 18};
    offset += parameter_bytes[i];
    info.append(reinterpret_cast<const char*>(&parameter), sizeof parameter);
  }
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_shoff = sizeof header + names.size() + info.size();
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = sizeof header;
  sections[1].sh_size = names.size();
  sections[2].sh_name = 11;
  sections[2].sh_type = SHT_PROGBITS;
  sections[2].sh_offset = sizeof header + names.size();
  sections[2].sh_size = info.size();
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + names + info +
         std::string(reinterpret_cast<const char*>(sections), sizeof sections);
}

}  // namespace rooftile::worker
