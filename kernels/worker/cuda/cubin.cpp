#include "kernels/worker/cuda/cubin.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "analysis/platform/platform.hpp"

namespace rooftile::worker {
namespace {

// Nothing outside the bytes is read: a kept cubin may have been cut off.
template <class T>
T read(std::string_view bytes, std::size_t offset) {
  T value{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) {
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
  }
  return value;
}

std::string_view part(std::string_view bytes, std::size_t offset, std::size_t size) {
  return offset < bytes.size() ? bytes.substr(offset, size) : std::string_view();
}

// Counts the sections whose headers lie in the file; it may claim more.
std::size_t section_count(std::string_view cubin) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  return std::min<std::size_t>(elf.e_shnum, part(cubin, elf.e_shoff, cubin.size()).size() / sizeof(Elf64_Shdr));
}

Elf64_Shdr section_header(std::string_view cubin, std::size_t index) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  return read<Elf64_Shdr>(cubin, elf.e_shoff + index * sizeof(Elf64_Shdr));
}

std::string_view name_at(std::string_view names, std::size_t offset) {
  const std::string_view rest = part(names, offset, names.size());
  return rest.substr(0, rest.find('\0'));
}

std::string_view content(std::string_view cubin, const Elf64_Shdr& header) {
  return header.sh_type == SHT_NOBITS ? std::string_view() : part(cubin, header.sh_offset, header.sh_size);
}

std::optional<Elf64_Shdr> header_of(std::string_view cubin, const std::string& wanted) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  const Elf64_Shdr names = section_header(cubin, elf.e_shstrndx);
  for (std::size_t i = 0; i < section_count(cubin); ++i) {
    const Elf64_Shdr header = section_header(cubin, i);
    if (part(cubin, names.sh_offset + header.sh_name, wanted.size() + 1) ==
        std::string_view(wanted.c_str(), wanted.size() + 1)) {
      return header;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> section(std::string_view cubin, const std::string& wanted) {
  const auto header = header_of(cubin, wanted);
  return header ? std::optional(part(cubin, header->sh_offset, header->sh_size)) : std::nullopt;
}

// An attribute of .nv.info, as `cuobjdump -elf` lists it: its format, its kind, and a size, or a value in the
// size's place.
struct Attribute {
  std::uint8_t format, kind;
  std::uint16_t size;
};
constexpr std::uint8_t sized_format = 4;       // EIFMT_SVAL
constexpr std::uint8_t parameter_kind = 0x17;  // EIATTR_KPARAM_INFO
constexpr std::uint8_t frame_kind = 0x11;      // EIATTR_FRAME_SIZE
constexpr std::uint8_t register_kind = 0x2f;   // EIATTR_REGCOUNT

struct ParameterInfo {
  std::uint32_t index;
  std::uint16_t ordinal, offset;
  std::uint32_t flags;  // the uppermost 14 bits are the size
};

// One attribute with what it holds. Each is called in its order.
void each_attribute(std::string_view info, const auto& call) {
  for (std::size_t at = 0; at < info.size(); at += sizeof(Attribute)) {
    const auto attribute = read<Attribute>(info, at);
    if (attribute.format == sized_format) {
      call(attribute.kind, part(info, at + sizeof(Attribute), attribute.size));
      at += attribute.size;
    }
  }
}

// A figure of .nv.info: the number of a function's symbol, and a value.
struct FunctionFigure {
  std::uint32_t symbol, value;
};

// The symbols of a cubin, and what names them.
struct SymbolTable {
  explicit SymbolTable(std::string_view cubin)
      : symbols(section(cubin, ".symtab").value_or("")), names(section(cubin, ".strtab").value_or("")) {}

  std::string_view name(std::size_t number) const {
    return name_at(names, read<Elf64_Sym>(symbols, number * sizeof(Elf64_Sym)).st_name);
  }

  std::string_view symbols, names;
};

}  // namespace

std::optional<std::vector<int>> parameter_sizes(std::string_view cubin, const std::string& symbol) {
  const auto info = section(cubin, ".nv.info." + symbol);
  if (!info) {
    return std::nullopt;
  }
  std::vector<int> sizes;
  each_attribute(*info, [&](std::uint8_t kind, std::string_view value) {
    if (kind == parameter_kind) {
      const auto parameter = read<ParameterInfo>(value, 0);
      sizes.resize(std::max<std::size_t>(sizes.size(), parameter.ordinal + 1U));
      sizes[parameter.ordinal] = static_cast<int>(parameter.flags >> 18);
    }
  });
  return sizes;
}

std::vector<std::string> kernel_symbols(std::string_view cubin) {
  constexpr std::string_view begin = ".nv.info.";
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  const std::string_view names = content(cubin, section_header(cubin, elf.e_shstrndx));
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < section_count(cubin); ++i) {
    const std::string_view name = name_at(names, section_header(cubin, i).sh_name);
    if (name.starts_with(begin)) {
      symbols.emplace_back(name.substr(begin.size()));
    }
  }
  return symbols;
}

CubinFigures figures_of(std::string_view cubin, const std::string& symbol) {
  constexpr std::uint64_t reserved = 1024;  // by the system, from compute capability 9.0 on in the section
  const SymbolTable table(cubin);
  CubinFigures figures;
  each_attribute(section(cubin, ".nv.info").value_or(""), [&](std::uint8_t kind, std::string_view value) {
    const auto figure = read<FunctionFigure>(value, 0);
    if ((kind == register_kind || kind == frame_kind) && table.name(figure.symbol) == symbol) {
      (kind == register_kind ? figures.registers : figures.local_bytes) = static_cast<int>(figure.value);
    }
  });
  if (const auto shared = header_of(cubin, ".nv.shared." + symbol)) {
    const bool is_beside = table.names.find(".nv.reservedSmem") != std::string::npos;
    figures.static_shared_bytes =
        static_cast<int>(shared->sh_size - (is_beside ? std::min(reserved, shared->sh_size) : 0));
  }
  return figures;
}

std::vector<CubinVariable> variables_in(std::string_view cubin) {
  const SymbolTable table(cubin);
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  const std::string_view section_names = content(cubin, section_header(cubin, elf.e_shstrndx));
  std::vector<CubinVariable> variables;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.symbols.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = read<Elf64_Sym>(table.symbols, at);
    const Elf64_Shdr header = section_header(cubin, symbol.st_shndx);
    const std::string_view place = name_at(section_names, header.sh_name),
                           name = name_at(table.names, symbol.st_name);
    const bool is_variable = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size > 0 &&
                             (place.starts_with(".nv.global") || place.starts_with(".nv.constant3"));
    if (is_variable && name.find('$') == name.npos) {
      const std::string_view bytes = part(content(cubin, header), symbol.st_value, symbol.st_size);
      variables.push_back({std::string(name), platform::demangled(std::string(name)), symbol.st_size,
                           bytes.find_first_not_of('\0') == bytes.npos});
    }
  }
  return variables;
}

}  // namespace rooftile::worker
