#include "kernels/worker/cubin/cubin.hpp"

#include <algorithm>
#include <cstdint>

#include "analysis/platform/platform.hpp"
#include "kernels/worker/cubin/elf.hpp"

namespace rooftile::worker {
namespace {

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

}  // namespace

std::optional<std::vector<KernelParameter>> parameters_of(std::string_view cubin, const std::string& symbol) {
  const auto info = section(cubin, ".nv.info." + symbol);
  if (!info) {
    return std::nullopt;
  }
  std::vector<KernelParameter> parameters;
  each_attribute(*info, [&](std::uint8_t kind, std::string_view value) {
    if (kind == parameter_kind) {
      const auto parameter = read<ParameterInfo>(value, 0);
      parameters.resize(std::max<std::size_t>(parameters.size(), parameter.ordinal + 1U));
      parameters[parameter.ordinal] = {static_cast<int>(parameter.flags >> 18), parameter.offset};
    }
  });
  return parameters;
}

std::vector<std::string> kernel_symbols(std::string_view cubin) {
  constexpr std::string_view begin = ".nv.info.";
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < section_count(cubin); ++i) {
    const std::string_view name = section_name(cubin, i);
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
  std::vector<CubinVariable> variables;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Elf64_Sym symbol = table.at(i);
    const std::string_view place = section_name(cubin, symbol.st_shndx), name = table.name(i);
    const bool is_variable = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size > 0 &&
                             (place.starts_with(".nv.global") || place.starts_with(".nv.constant3"));
    if (is_variable && name.find('$') == name.npos) {
      const std::string_view bytes =
          part(content(cubin, section_header(cubin, symbol.st_shndx)), symbol.st_value, symbol.st_size);
      variables.push_back({std::string(name), platform::demangled(std::string(name)), symbol.st_size,
                           bytes.find_first_not_of('\0') == bytes.npos});
    }
  }
  return variables;
}

}  // namespace rooftile::worker
