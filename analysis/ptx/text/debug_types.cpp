#include "analysis/ptx/text/debug_types.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace rooftile::ptx {
namespace {

// Names of the DWARF standard.
enum Tag : std::uint64_t {
  array_type = 0x01,
  class_type = 0x02,
  enumeration_type = 0x04,
  formal_parameter = 0x05,
  member_tag = 0x0d,
  pointer_type = 0x0f,
  structure_type = 0x13,
  typedef_tag = 0x16,
  union_type = 0x17,
  inheritance = 0x1c,
  subrange_type = 0x21,
  base_type = 0x24,
  const_type = 0x26,
  subprogram = 0x2e,
  volatile_type = 0x35,
  restrict_type = 0x37,
};
enum Attribute : std::uint64_t {
  name_of = 0x03,
  byte_size = 0x0b,
  upper_bound = 0x2f,
  count_of = 0x37,
  member_location = 0x38,
  encoding = 0x3e,
  type_of = 0x49,
  linkage_name = 0x6e,
  linkage_name_of_mips = 0x2007,
};
constexpr std::uint64_t plus_constant = 0x23, floating_point = 4, boolean = 2;
constexpr std::size_t most_members = 256, header_bytes = 11;

// The bytes of a section ".b8 1,2"; an address of the program, which nobody reads here, is 0.
std::string section_bytes(std::string_view ptx, std::string_view section) {
  const std::size_t begin = ptx.find(section);
  const std::size_t open = begin == ptx.npos ? begin : ptx.find('{', begin);
  std::string bytes;
  for (std::size_t at = open == ptx.npos ? open : ptx.find(".b", open);
       at != ptx.npos && at < ptx.find('}', open); at = ptx.find(".b", at)) {
    int bits = 0;
    at = static_cast<std::size_t>(std::from_chars(ptx.data() + at + 2, ptx.data() + ptx.size(), bits).ptr -
                                  ptx.data());
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    while (at < end) {
      at = std::min(ptx.find_first_not_of(" \t,", at), end);
      std::int64_t value = 0;
      std::from_chars(ptx.data() + at, ptx.data() + end, value);
      for (int bit = 0; bit < bits; bit += 8) {
        bytes += static_cast<char>(value >> bit);
      }
      at = std::min(ptx.find(',', at), end);
    }
  }
  return bytes;
}

// Nothing outside the bytes is read: behind them stand zeros.
class Bytes {
 public:
  Bytes(std::string_view all, std::size_t at) : all_(all), at_(at) {}

  std::size_t at() const { return at_; }
  bool at_end() const { return at_ >= all_.size(); }
  void skip(std::uint64_t count) {
    at_ += static_cast<std::size_t>(std::min<std::uint64_t>(count, all_.size()));
  }

  std::uint64_t whole(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i, ++at_) {
      value |= static_cast<std::uint64_t>(at_ < all_.size() ? static_cast<unsigned char>(all_[at_]) : 0)
               << (8 * i);
    }
    return value;
  }
  std::uint64_t variable() {  // LEB128
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t byte = whole(1);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        break;
      }
    }
    return value;
  }
  std::string text() {
    const std::size_t begin = std::min(at_, all_.size()), end = std::min(all_.find('\0', begin), all_.size());
    at_ = end + 1;
    return std::string(all_.substr(begin, end - begin));
  }

 private:
  std::string_view all_;
  std::size_t at_;
};

struct Value {
  std::uint64_t number = 0;
  std::string text = {};
};

// Empty for a form that compilers of CUDA do not write.
std::optional<Value> read_value(Bytes& bytes, std::uint64_t form) {
  constexpr std::pair<std::uint64_t, int> sizes[] = {{0x01, 8}, {0x05, 2}, {0x06, 4}, {0x07, 8}, {0x0b, 1},
                                                     {0x0c, 1}, {0x0e, 4}, {0x10, 4}, {0x11, 1}, {0x12, 2},
                                                     {0x13, 4}, {0x14, 8}, {0x17, 4}, {0x19, 0}};
  if (const auto sized = std::ranges::find(sizes, form, &std::pair<std::uint64_t, int>::first);
      sized != std::end(sizes)) {
    return Value{bytes.whole(sized->second)};
  }
  switch (form) {
    case 0x08:
      return Value{0, bytes.text()};
    case 0x0d:
    case 0x0f:
    case 0x15:
      return Value{bytes.variable()};
    case 0x03:
    case 0x04:
    case 0x09:
    case 0x0a:
    case 0x18: {
      const int length_bytes = form == 0x03 ? 2 : form == 0x04 ? 4 : 1;
      const std::uint64_t length = form == 0x09 || form == 0x18 ? bytes.variable() : bytes.whole(length_bytes);
      Bytes block = bytes;
      const Value value{block.whole(1) == plus_constant ? block.variable() : 0};
      bytes.skip(length);
      return value;
    }
    default:
      return std::nullopt;
  }
}

struct Abbreviation {
  std::uint64_t tag = 0;
  bool has_children = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;  // and their forms
};

std::map<std::uint64_t, Abbreviation> abbreviations_in(const std::string& section) {
  std::map<std::uint64_t, Abbreviation> all;
  Bytes bytes(section, 0);
  while (!bytes.at_end()) {
    const std::uint64_t code = bytes.variable();
    Abbreviation one{bytes.variable(), bytes.whole(1) != 0, {}};
    while (!bytes.at_end()) {
      const std::uint64_t attribute = bytes.variable(), form = bytes.variable();
      if (attribute == 0 && form == 0) {
        break;
      }
      one.attributes.emplace_back(attribute, form);
    }
    if (code != 0) {
      all.emplace(code, std::move(one));
    }
  }
  return all;
}

struct Entry {
  std::uint64_t tag = 0;
  std::map<std::uint64_t, Value> attributes;
  std::vector<std::uint64_t> children;  // their places

  std::uint64_t number(Attribute attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? 0 : found->second.number;
  }
  std::string text(Attribute attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? "" : found->second.text;
  }
};
using Entries = std::map<std::uint64_t, Entry>;  // by their place in the section

Entries entries_in(const std::string& section, const std::map<std::uint64_t, Abbreviation>& abbreviations) {
  Entries entries;
  std::vector<std::uint64_t> open;  // whose children are being read
  Bytes bytes(section, header_bytes);
  while (!bytes.at_end()) {
    const std::uint64_t place = bytes.at(), code = bytes.variable();
    const auto abbreviation = abbreviations.find(code);
    if (abbreviation == abbreviations.end()) {
      if (code != 0 || open.empty()) {
        break;
      }
      open.pop_back();
      continue;
    }
    Entry& entry = entries[place];
    entry.tag = abbreviation->second.tag;
    for (const auto& [attribute, form] : abbreviation->second.attributes) {
      auto value = read_value(bytes, form);
      if (!value) {
        return entries;
      }
      entry.attributes.emplace(attribute, std::move(*value));
    }
    if (!open.empty()) {
      entries[open.back()].children.push_back(place);
    }
    if (abbreviation->second.has_children) {
      open.push_back(place);
    }
  }
  return entries;
}

class Layouts {
 public:
  explicit Layouts(const Entries& entries) : entries_(entries) {}

  std::vector<StructLayout> of_kernel(std::string_view symbol) const {
    std::vector<StructLayout> all;
    for (const auto& [place, entry] : entries_) {
      if (entry.tag == subprogram && is_called(entry, symbol)) {
        for (const std::uint64_t child : entry.children) {
          if (entries_.at(child).tag == formal_parameter) {
            all.push_back(of_parameter(entries_.at(child).number(type_of)));
          }
        }
        break;
      }
    }
    return all;
  }

 private:
  static bool is_called(const Entry& entry, std::string_view symbol) {
    return entry.text(linkage_name_of_mips) == symbol || entry.text(linkage_name) == symbol ||
           entry.text(name_of) == symbol;
  }

  // A type without its other names and qualifiers.
  const Entry* plain(std::uint64_t type) const {
    auto found = entries_.find(type);
    for (int steps = 0; found != entries_.end() && steps < 64; ++steps) {
      const std::uint64_t tag = found->second.tag;
      if (tag != typedef_tag && tag != const_type && tag != volatile_type && tag != restrict_type) {
        return &found->second;
      }
      found = entries_.find(found->second.number(type_of));
    }
    return nullptr;
  }

  static bool is_struct(const Entry* type) {
    return type != nullptr &&
           (type->tag == structure_type || type->tag == class_type || type->tag == union_type);
  }

  StructLayout of_parameter(std::uint64_t type) const {
    const Entry* entry = plain(type);
    entry = entry != nullptr && entry->tag == pointer_type ? plain(entry->number(type_of)) : entry;
    StructLayout layout;
    if (is_struct(entry) && number_type(*entry).empty()) {
      layout.bytes = static_cast<int>(entry->number(byte_size));
      add_members(*entry, 0, "", layout.members);
    }
    return layout;
  }

  // The name of the type in C++; signs do not matter. Empty for a type that is no number.
  static std::string number_type(const Entry& type) {
    const std::uint64_t bytes = type.number(byte_size);
    const std::string name = type.text(name_of);
    if (name == "__half" || name == "__nv_bfloat16") {
      return name;
    }
    if (type.tag == base_type && type.number(encoding) == floating_point) {
      return bytes == 8 ? "double" : "float";
    }
    if (type.tag != base_type && type.tag != enumeration_type) {
      return "";
    }
    return bytes == 8                         ? "long long"
           : bytes == 4                       ? "int"
           : bytes == 2                       ? "short"
           : type.number(encoding) == boolean ? "bool"
                                              : "char";
  }

  // "float const*"; what is no number stays what the source calls it.
  std::string pointer_type_of(const Entry& pointer) const {
    const Entry* const to = plain(pointer.number(type_of));
    const auto pointee = entries_.find(pointer.number(type_of));
    const bool is_const = pointee != entries_.end() && pointee->second.tag == const_type;
    const std::string number = to == nullptr ? "void" : number_type(*to);
    const std::string name = !number.empty()           ? number
                             : to->tag == pointer_type ? pointer_type_of(*to)
                                                       : to->text(name_of);
    return (name.empty() ? "void" : name) + (is_const ? " const*" : "*");
  }

  void add_members(const Entry& type, int at, const std::string& prefix, std::vector<StructMember>& all) const {
    for (const std::uint64_t child : type.children) {
      const Entry& member = entries_.at(child);
      const bool has_place = type.tag == union_type || member.attributes.contains(member_location);
      if ((member.tag != member_tag && member.tag != inheritance) || !has_place) {
        continue;  // a function, or a variable of the class
      }
      const std::string name = member.text(name_of);
      const bool is_base = member.tag == inheritance || name.empty();
      add(member.number(type_of), at + static_cast<int>(member.number(member_location)),
          is_base          ? prefix
          : prefix.empty() ? name
                           : prefix + "_" + name,
          all);
      if (type.tag == union_type) {
        return;  // the others share its bytes
      }
    }
  }

  void add(std::uint64_t type, int at, const std::string& name, std::vector<StructMember>& all) const {
    const Entry* const entry = plain(type);
    if (entry == nullptr || all.size() >= most_members) {
      return;
    }
    if (const std::string number = number_type(*entry); !number.empty()) {
      all.push_back({name, number, at});
    } else if (entry->tag == pointer_type) {
      all.push_back({name, pointer_type_of(*entry), at});
    } else if (is_struct(entry)) {
      add_members(*entry, at, name, all);
    } else if (entry->tag == array_type) {
      add_array(*entry, at, name, all);
    }
  }

  void add_array(const Entry& array, int at, const std::string& name, std::vector<StructMember>& all) const {
    std::uint64_t elements = 1;
    for (const std::uint64_t child : array.children) {
      const Entry& range = entries_.at(child);
      if (range.tag == subrange_type) {
        elements *=
            range.attributes.contains(count_of) ? range.number(count_of) : range.number(upper_bound) + 1;
      }
    }
    std::vector<StructMember> element;
    add(array.number(type_of), 0, name, element);
    if (element.size() == 1) {
      all.push_back({name, element[0].type, at + element[0].at, static_cast<int>(elements)});
      return;
    }
    const Entry* const type = plain(array.number(type_of));
    const int stride = type == nullptr ? 0 : static_cast<int>(type->number(byte_size));
    for (std::uint64_t i = 0; i < elements && all.size() < most_members; ++i) {
      add(array.number(type_of), at + static_cast<int>(i) * stride, name + "_" + std::to_string(i), all);
    }
  }

  const Entries& entries_;
};

}  // namespace

std::vector<StructLayout> parameter_layouts(std::string_view ptx, std::string_view symbol) {
  const auto abbreviations = abbreviations_in(section_bytes(ptx, ".section\t.debug_abbrev"));
  return Layouts(entries_in(section_bytes(ptx, ".section\t.debug_info"), abbreviations)).of_kernel(symbol);
}

}  // namespace rooftile::ptx
