#include "kernels/worker/compile/kernel_parameters.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "analysis/platform/platform.hpp"
#include "analysis/text/edit_distance.hpp"

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

std::optional<std::string_view> section(std::string_view cubin, const std::string& wanted) {
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  const Elf64_Shdr names = section_header(cubin, elf.e_shstrndx);
  for (std::size_t i = 0; i < elf.e_shnum; ++i) {
    const Elf64_Shdr header = section_header(cubin, i);
    if (part(cubin, names.sh_offset + header.sh_name, wanted.size() + 1) ==
        std::string_view(wanted.c_str(), wanted.size() + 1)) {
      return part(cubin, header.sh_offset, header.sh_size);
    }
  }
  return std::nullopt;
}

// An attribute of .nv.info, as `cuobjdump -elf` lists it: its format, its kind, and a size, or a value in the
// size's place.
struct Attribute {
  std::uint8_t format, kind;
  std::uint16_t size;
};
constexpr std::uint8_t sized_format = 4;       // EIFMT_SVAL
constexpr std::uint8_t parameter_kind = 0x17;  // EIATTR_KPARAM_INFO

struct ParameterInfo {
  std::uint32_t index;
  std::uint16_t ordinal, offset;
  std::uint32_t flags;  // the uppermost 14 bits are the size
};

// The argument as a manifest writes it.
std::string written(const Argument& argument) {
  if (argument.type == "struct") {
    return fmt::format("{{ struct = [...] }} of {} members", argument.members.size());
  }
  return fmt::format("{{ {} = \"{}\" }}", argument.type,
                     argument.name.empty() ? argument.value.text() : argument.name);
}

std::string plural(std::size_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace

std::optional<std::vector<int>> parameter_sizes(std::string_view cubin, const std::string& symbol) {
  const auto info = section(cubin, ".nv.info." + symbol);
  if (!info) {
    return std::nullopt;
  }
  std::vector<int> sizes;
  for (std::size_t at = 0; at < info->size(); at += sizeof(Attribute)) {
    const auto attribute = read<Attribute>(*info, at);
    if (attribute.format != sized_format) {
      continue;
    }
    if (attribute.kind == parameter_kind) {
      const auto parameter = read<ParameterInfo>(*info, at + sizeof(Attribute));
      sizes.resize(std::max<std::size_t>(sizes.size(), parameter.ordinal + 1U));
      sizes[parameter.ordinal] = static_cast<int>(parameter.flags >> 18);
    }
    at += attribute.size;
  }
  return sizes;
}

std::optional<std::string> why_not_given(const std::vector<Argument>& arguments, std::string_view cubin,
                                         const std::string& symbol, const std::string& entry) {
  const auto sizes = parameter_sizes(cubin, symbol);
  if (!sizes) {
    return std::nullopt;
  }
  if (sizes->size() != arguments.size()) {
    return fmt::format("{} takes {}, but its manifest gives it {}: they must be the same, in the same order.",
                       entry, plural(sizes->size(), "parameter"), plural(arguments.size(), "argument"));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if ((*sizes)[i] != bytes_of(arguments[i])) {
      return fmt::format("Parameter {} of {} has {} bytes, but its argument {} in the manifest has {}.", i + 1,
                         entry, (*sizes)[i], written(arguments[i]), bytes_of(arguments[i]));
    }
  }
  return std::nullopt;
}

std::vector<CubinVariable> variables_in(std::string_view cubin) {
  const std::string_view symbols = section(cubin, ".symtab").value_or(""),
                         names = section(cubin, ".strtab").value_or("");
  const auto elf = read<Elf64_Ehdr>(cubin, 0);
  const std::string_view section_names = content(cubin, section_header(cubin, elf.e_shstrndx));
  std::vector<CubinVariable> variables;
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = read<Elf64_Sym>(symbols, at);
    const Elf64_Shdr header = section_header(cubin, symbol.st_shndx);
    const std::string_view place = name_at(section_names, header.sh_name),
                           name = name_at(names, symbol.st_name);
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

std::optional<std::string> why_not_filled(const std::vector<Buffer>& globals, std::string_view cubin,
                                          const std::string& entry) {
  const std::vector<CubinVariable> variables = variables_in(cubin);
  for (const Buffer& global : globals) {
    const auto found = std::ranges::find(variables, global.name, &CubinVariable::name);
    if (found == variables.end()) {
      const auto nearest = std::ranges::min_element(
          variables, {}, [&](const CubinVariable& each) { return edit_distance(each.name, global.name); });
      return fmt::format("The source of {} has no __constant__ or __device__ variable {} that is in use{}.",
                         entry, global.name,
                         nearest == variables.end() ? "" : fmt::format("; the nearest is {}", nearest->name));
    }
    if (found->bytes % static_cast<std::size_t>(global.element_bytes) != 0) {
      return fmt::format(
          "The variable {} of {} bytes holds no whole number of {}: correct \"element\" in its "
          "[[global]].",
          global.name, found->bytes, global.element);
    }
  }
  return std::nullopt;
}

}  // namespace rooftile::worker
