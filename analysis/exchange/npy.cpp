#include "analysis/exchange/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::size_t most_header = 1 << 16;  // [B]; that of an array of plain numbers has 118
constexpr std::size_t most_dimensions = 64;   // as in NumPy

struct NpyHeader {
  std::string type;                 // of an element, as NumPy writes it: "<f4"
  bool column_major = false;        // Fortran's order
  std::vector<std::int64_t> shape;  // empty: one number
};

// A type of NumPy without its byte order, what it is called there, and the element of a buffer that it fills.
struct NpyType {
  std::string_view code, title, element;
  std::int64_t bytes;
};
constexpr NpyType npy_types[] = {{"f4", "float32", "float", 4},
                                 {"f8", "float64", "double", 8},
                                 {"f2", "float16", "half", 2},
                                 {"V2", "bfloat16", "bfloat16", 2},  // as ml_dtypes has it, and the next one
                                 {"V1", "float8_e4m3fn", "fp8_e4m3", 1},
                                 {"i4", "int32", "int", 4},
                                 {"u4", "uint32", "int", 4},
                                 {"i8", "int64", "long_long", 8},
                                 {"u8", "uint64", "long_long", 8},
                                 {"i2", "int16", "short", 2},
                                 {"u2", "uint16", "short", 2},
                                 {"u2", "uint16", "bfloat16", 2},
                                 {"i1", "int8", "char", 1},
                                 {"u1", "uint8", "char", 1},
                                 {"b1", "bool", "char", 1}};

// The header is what Python writes of a dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  NpyHeader read() {
    std::optional<std::string> type;
    std::optional<bool> column_major;
    std::optional<std::vector<std::int64_t>> shape;
    each_until('{', '}', [&] {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        type = type_name();
      } else if (key == "fortran_order") {
        column_major = truth();
      } else if (key == "shape") {
        shape = sides();
      } else {
        fail("it has a key besides descr, fortran_order and shape");
      }
    });
    if (!type || !column_major || !shape) {
      fail("descr, fortran_order or shape is missing");
    }
    return {*type, *column_major, *shape};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(
        fmt::format("The header of {} cannot be read: {}. Save the array again with numpy.save.", file_, what));
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool takes(std::string_view word) {
    skip_space();
    const bool is_there = rest_.starts_with(word);
    rest_.remove_prefix(is_there ? word.size() : 0);
    return is_there;
  }
  void expect(char c) {
    if (!takes({&c, 1})) {
      fail(fmt::format("it lacks a '{}'", c));
    }
  }
  // Reads the items between the two, separated by commas; a comma may follow the last one as well.
  template <class Read>
  void each_until(char begin, char end, Read read) {
    expect(begin);
    bool more = true;
    while (!takes({&end, 1})) {
      if (!more) {
        fail(fmt::format("it lacks a '{}'", end));
      }
      read();
      more = takes(",");
    }
  }

  std::string_view quoted() {
    const char quote = takes("\"") ? '"' : '\'';
    if (quote == '\'') {
      expect(quote);
    }
    const std::string_view text = rest_.substr(0, rest_.find(quote));
    rest_.remove_prefix(text.size());
    expect(quote);
    return text;
  }

  std::string type_name() {
    if (takes("[")) {
      throw Error(
          fmt::format("{} holds records of several fields. Save each field as an array of its own.", file_));
    }
    constexpr std::size_t longest = 20;  // that is told of
    return std::string(quoted().substr(0, longest));
  }

  bool truth() {
    const bool is_true = takes("True");
    if (!is_true && !takes("False")) {
      fail("fortran_order is neither True nor False");
    }
    return is_true;
  }

  std::vector<std::int64_t> sides() {
    std::vector<std::int64_t> sides;
    each_until('(', ')', [&] {
      if (sides.size() == most_dimensions) {
        fail(fmt::format("the array has more than {} dimensions", most_dimensions));
      }
      sides.push_back(whole_number());
    });
    return sides;
  }

  std::int64_t whole_number() {
    constexpr std::size_t most_digits = 18;  // that always fit
    skip_space();
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || digits > most_digits) {
      fail("shape is not a list of whole numbers");
    }
    std::int64_t value = 0;
    for (const char digit : rest_.substr(0, digits)) {
      value = 10 * value + (digit - '0');
    }
    rest_.remove_prefix(digits);
    takes("L");  // of a long of Python 2
    return value;
  }

  std::string_view rest_;
  const std::string& file_;
};

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// Takes the header off the text; the elements are left.
NpyHeader take_header(std::string_view& text, const std::string& file) {
  if (!text.starts_with(npy_magic)) {
    throw Error(fmt::format("{} is not an array of NumPy. Save one with numpy.save.", file));
  }
  const auto take = [&](std::size_t bytes) {
    if (bytes > text.size()) {
      throw Error(fmt::format("{} ends within its header. Save the array again with numpy.save.", file));
    }
    const std::string_view part = text.substr(0, bytes);
    text.remove_prefix(bytes);
    return part;
  };
  take(npy_magic.size());
  const std::uint32_t major = little_endian(take(1)), minor = little_endian(take(1));
  if (major < 1 || major > 3 || minor != 0) {
    throw Error(
        fmt::format("{} has version {}.{} of NumPy's format; 1.0, 2.0 and 3.0 are read.", file, major, minor));
  }
  const std::size_t bytes = little_endian(take(major == 1 ? 2 : 4));
  if (bytes > most_header) {
    throw Error(fmt::format("The header of {} has {} bytes; at most {} are read.", file,
                            count(static_cast<double>(bytes)), count(most_header)));
  }
  return NpyHeaderReader(take(bytes), file).read();
}

// "f4" of "<f4"
std::string_view code_of(std::string_view type) {
  return type.substr(std::min(type.find_first_not_of("<>|="), type.size()));
}

std::string title_of(const std::string& type) {
  const auto found = std::ranges::find(npy_types, code_of(type), &NpyType::code);
  return found == std::end(npy_types) ? fmt::format("\"{}\"", type) : std::string(found->title);
}

std::int64_t bytes_of(const std::string& element) {
  const auto found = std::ranges::find(npy_types, element, &NpyType::element);
  return found == std::end(npy_types) ? 1 : found->bytes;
}

void expect_type(const std::string& type, const std::string& file, const std::string& element) {
  const NpyType* first = nullptr;  // that fills such a buffer
  for (const NpyType& each : npy_types) {
    first = first == nullptr && each.element == element ? &each : first;
    if (each.element != element || each.code != code_of(type)) {
      continue;
    }
    if (type.starts_with('>') && each.bytes > 1) {
      throw Error(fmt::format("{} is big-endian ({}). Save array.astype(\"<{}\").", file, type, each.code));
    }
    return;
  }
  throw Error(fmt::format("{} holds {}, and the buffer {}. Save array.astype(\"{}\").", file, title_of(type),
                          element, first == nullptr ? element : first->title));
}

// Infinite where there are more than can be counted.
double elements_in(const std::vector<std::int64_t>& shape) {
  double elements = 1;
  for (const std::int64_t side : shape) {
    elements *= static_cast<double>(side);
  }
  return elements;
}

}  // namespace

std::string_view elements_of_npy(std::string_view text, const std::string& file, const std::string& element,
                                 std::int64_t count) {
  const NpyHeader header = take_header(text, file);
  const std::int64_t bytes = count * bytes_of(element);
  const bool holds_bytes =
      code_of(header.type) == "u1" && elements_in(header.shape) == static_cast<double>(bytes);
  if (!holds_bytes) {
    expect_type(header.type, file, element);
  }
  if (header.column_major && header.shape.size() > 1) {
    throw Error(fmt::format("{} is in Fortran order. Save numpy.ascontiguousarray(array).", file));
  }
  if (!holds_bytes && elements_in(header.shape) != static_cast<double>(count)) {
    throw Error(
        fmt::format("{} has {} elements{}, and the buffer {}. Choose the sizes of this array, or save another.",
                    file, rooftile::count(elements_in(header.shape)),
                    header.shape.size() < 2 ? "" : fmt::format(" ({})", fmt::join(header.shape, " x ")),
                    rooftile::count(static_cast<double>(count))));
  }
  if (text.size() != static_cast<std::size_t>(bytes)) {
    throw Error(fmt::format(
        "{} has {} bytes of elements where its header says {}. Save the array again with "
        "numpy.save.",
        file, rooftile::count(static_cast<double>(text.size())), rooftile::count(static_cast<double>(bytes))));
  }
  return text;
}

// Blanks let the elements begin at a multiple of 64 bytes.
std::string npy_header(std::uint64_t bytes) {
  constexpr std::size_t begin = 10, alignment = 64;
  std::string header = fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': ({},), }}", bytes);
  header.resize((begin + header.size() + alignment) / alignment * alignment - begin - 1, ' ');
  header += '\n';
  return fmt::format("{}\x01{}{}{}{}", npy_magic, '\0', static_cast<char>(header.size() & 0xff),
                     static_cast<char>(header.size() >> 8), header);
}

}  // namespace rooftile
