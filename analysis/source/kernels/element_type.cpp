#include "analysis/source/kernels/element_type.hpp"

#include <algorithm>
#include <utility>

namespace rooftile {
namespace {

struct NamedType {
  std::string_view cpp;
  ElementType element;
};
constexpr NamedType scalar_types[] = {{"float", {"float"}},
                                      {"double", {"double"}},
                                      {"int", {"int"}},
                                      {"unsigned int", {"int"}},
                                      {"char", {"char"}},
                                      {"signed char", {"char"}},
                                      {"unsigned char", {"char"}},
                                      {"bool", {"char"}},
                                      {"short", {"short"}},
                                      {"unsigned short", {"short"}},
                                      {"__half", {"half"}},
                                      {"__half2", {"half", 2}},
                                      {"__nv_bfloat16", {"bfloat16"}},
                                      {"__nv_bfloat162", {"bfloat16", 2}},
                                      {"__nv_fp8_e4m3", {"fp8_e4m3"}},
                                      {"long", {"long_long"}},
                                      {"unsigned long", {"long_long"}},
                                      {"long long", {"long_long"}},
                                      {"unsigned long long", {"long_long"}}};
// "float4", "uchar3": CUDA's vectors of such elements.
constexpr std::pair<std::string_view, std::string_view> vector_types[] = {
    {"float", "float"},     {"double", "double"},      {"int", "int"},
    {"uint", "int"},        {"char", "char"},          {"uchar", "char"},
    {"short", "short"},     {"ushort", "short"},       {"long", "long_long"},
    {"ulong", "long_long"}, {"longlong", "long_long"}, {"ulonglong", "long_long"}};

}  // namespace

std::optional<ElementType> element_of(std::string_view type) {
  if (const auto one = std::ranges::find(scalar_types, type, &NamedType::cpp); one != std::end(scalar_types)) {
    return one->element;
  }
  const char last = type.empty() ? '0' : type.back();
  const auto of = std::ranges::find(vector_types, type.substr(0, type.size() - (last == '0' ? 0 : 1)),
                                    &std::pair<std::string_view, std::string_view>::first);
  return last >= '1' && last <= '4' && of != std::end(vector_types)
             ? std::optional(ElementType{of->second, last - '0'})
             : std::nullopt;
}

int bytes_of_element_type(std::string_view toml) {
  return toml == "char" || toml == "fp8_e4m3"                      ? 1
         : toml == "short" || toml == "half" || toml == "bfloat16" ? 2
         : toml == "int" || toml == "float"                        ? 4
                                                                   : 8;
}

bool is_whole_number(std::string_view toml) {
  return toml == "int" || toml == "long_long";
}

std::optional<PointerType> pointer_of(std::string_view type) {
  constexpr std::string_view is_const = " const", is_volatile = " volatile";
  if (!type.ends_with('*')) {
    return std::nullopt;
  }
  type.remove_suffix(1);
  PointerType pointer;
  for (bool more = true; more;) {
    more = type.ends_with(is_const) || type.ends_with(is_volatile);
    pointer.is_const |= type.ends_with(is_const);
    type.remove_suffix(type.ends_with(is_const) ? is_const.size() : more ? is_volatile.size() : 0);
  }
  pointer.pointee = type;
  return pointer;
}

bool needs_layout(std::string_view type) {
  if (const auto pointer = pointer_of(type)) {
    return pointer->pointee != "void" && !pointer->pointee.ends_with('*') && !element_of(pointer->pointee);
  }
  const auto element = element_of(type);
  return !element || element->elements > 1;
}

}  // namespace rooftile
