#include "analysis/exchange/npy.hpp"

#include <gmock/gmock.h>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string length(std::size_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i, value >>= 8) {
    text += static_cast<char>(value & 0xff);
  }
  return text;
}

// A file of this version with this header.
std::string file_of(const std::string& header, const std::string& data, int major = 1) {
  return "\x93NUMPY" + length(static_cast<std::size_t>(major), 2) + length(header.size(), major == 1 ? 2 : 4) +
         header + data;
}

// The header that numpy.save writes.
std::string header_of(const std::string& type, const std::string& shape, const std::string& order = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.resize((header.size() + 10) / 64 * 64 + 64 - 10 - 1, ' ');
  return header + '\n';
}

const std::string twelve_floats(48, 'x');

std::string refusal(const std::string& text, const std::string& element = "float", std::int64_t count = 12) {
  try {
    elements_of_npy(text, "in.npy", element, count);
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

TEST(Npy, GivesTheElementsOfEveryVersionInTheirOrder) {
  std::string data = twelve_floats;
  data.front() = 'a';
  data.back() = 'z';
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(elements_of_npy(file_of(header_of("<f4", "(3, 4)"), data, version), "in.npy", "float", 12), data);
  }
}

TEST(Npy, TheHeaderIsPythonHoweverItIsSpaced) {
  for (const char* header : {"{'descr':'<f4','fortran_order':False,'shape':(12,)}",
                             "{'shape': (12,), 'descr': '<f4', 'fortran_order': False}",
                             R"({"descr": "<f4", "fortran_order": False, "shape": (3L, 4L), })",
                             "{ 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , 6 ) , }\n",
                             "{'descr': '<f4', 'fortran_order': True, 'shape': (12,), }"}) {
    EXPECT_EQ(refusal(file_of(header, twelve_floats)), "no refusal") << header;
  }
  EXPECT_EQ(
      refusal(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "12345678"), "double", 1),
      "no refusal")
      << "one number";
}

TEST(Npy, AnElementIsReadFromTheTypesOfItsKind) {
  const struct {
    const char *element, *type;
    std::size_t bytes;
  } rows[] = {{"float", "<f4", 4},     {"double", "<f8", 8},   {"half", "<f2", 2},     {"bfloat16", "<u2", 2},
              {"bfloat16", "<V2", 2},  {"bfloat16", "|V2", 2}, {"fp8_e4m3", "<V1", 1}, {"fp8_e4m3", "|u1", 1},
              {"char", "|i1", 1},      {"char", "|u1", 1},     {"char", "|b1", 1},     {"char", ">u1", 1},
              {"short", "<i2", 2},     {"short", "<u2", 2},    {"int", "<i4", 4},      {"int", "<u4", 4},
              {"long_long", "<i8", 8}, {"long_long", "<u8", 8}};
  for (const auto& row : rows) {
    const std::string text = file_of(header_of(row.type, "(12,)"), std::string(12 * row.bytes, 'x'));
    EXPECT_EQ(refusal(text, row.element), "no refusal") << row.element << " " << row.type;
    for (const char* other : {"float", "double", "half", "int", "long_long"}) {
      EXPECT_EQ(refusal(text, other) == "no refusal", std::string(other) == row.element) << other << row.type;
    }
  }
}

TEST(Npy, BytesMayBeThoseOfAnyElements) {
  const std::string text = file_of(header_of("|u1", "(48,)"), twelve_floats);
  EXPECT_EQ(elements_of_npy(text, "in.npy", "float", 12), twelve_floats);
  EXPECT_EQ(elements_of_npy(text, "in.npy", "double", 6), twelve_floats);
  EXPECT_THAT(refusal(text, "float", 48), HasSubstr("holds uint8, and the buffer float"));
}

TEST(Npy, WhatIsNotTheBuffersIsToldWithWhatToSave) {
  const struct {
    std::string text;
    const char* told;
  } rows[] = {
      {file_of(header_of("<f8", "(12,)"), std::string(96, 'x')),
       "in.npy holds float64, and the buffer float. Save array.astype(\"float32\")."},
      {file_of(header_of("|O", "(12,)"), twelve_floats), "in.npy holds \"|O\", and the buffer float."},
      {file_of(header_of(">f4", "(12,)"), twelve_floats),
       "in.npy is big-endian (>f4). Save array.astype(\"<f4\")."},
      {file_of(header_of("<f4", "(3, 4)", "True"), twelve_floats),
       "in.npy is in Fortran order. Save numpy.ascontiguousarray(array)."},
      {file_of(header_of("<f4", "(100, 20)"), std::string(8000, 'x')),
       "in.npy has 2,000 elements (100 x 20), and the buffer 12."},
      {file_of(header_of("<f4", "(0,)"), ""), "in.npy has 0 elements, and the buffer 12."},
      {file_of(header_of("<f4", "(12,)"), twelve_floats.substr(1)),
       "in.npy has 47 bytes of elements where its header says 48."},
      {file_of(header_of("<f4", "(12,)"), twelve_floats + "y"), "in.npy has 49 bytes of elements"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(refusal(row.text), HasSubstr(row.told));
  }
}

TEST(Npy, AHeaderThatIsNoneIsRefusedInASentence) {
  const std::string deep(30, '(');
  const struct {
    std::string text;
    const char* told;
  } rows[] = {
      {"", "is not an array of NumPy"},
      {"PK\x03\x04", "is not an array of NumPy"},
      {file_of(header_of("<f4", "(12,)"), twelve_floats, 4), "has version 4.0 of NumPy's format"},
      {file_of(header_of("<f4", "(12,)"), twelve_floats, 0), "has version 0.0 of NumPy's format"},
      {file_of(std::string(70000, ' '), "", 2), "has 70,000 bytes; at most 65,536 are read"},
      {"\x93NUMPY" + length(2, 2) + "\xff\xff\xff\xff", "has 4,294,967,295 bytes"},
      {file_of("{}", ""), "is missing"},
      {file_of("{'descr': '<f4', 'fortran_order': False, }", ""), "is missing"},
      {file_of("__import__('os')", ""), "lacks a '{'"},
      {file_of("{'descr': '<f4", ""), "lacks a '''"},
      {file_of("{'descr' '<f4'}", ""), "lacks a ':'"},
      {file_of("{'descr': '<f4' 'fortran_order': False}", ""), "lacks a '}'"},
      {file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (12,)}", ""),
       "holds records of several fields"},
      {file_of("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (12,)}", ""), "neither True nor False"},
      {file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (-12,)}", ""), "not a list of whole numbers"},
      {file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (12", ""), "lacks a ')'"},
      {file_of("{'descr': '<f4', 'fortran_order': False, 'shape': " + deep, ""), "not a list of whole numbers"},
      {file_of(header_of("<f4", "(99999999999999999999999,)"), ""), "not a list of whole numbers"},
      {file_of("{'name': 1}", ""), "has a key besides"},
      {file_of(header_of("<f4", "(4294967296, 4294967296, 4294967296)"), ""), "has 79,228"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(refusal(row.text), AllOf(HasSubstr("in.npy"), HasSubstr(row.told)));
  }
  std::string sides = "(";
  for (int i = 0; i < 65; ++i) {
    sides += "1,";
  }
  EXPECT_THAT(refusal(file_of(header_of("<f4", sides + ")"), "")), HasSubstr("more than 64 dimensions"));
}

// Cut anywhere, or with any byte of its header turned into another: an answer or a sentence, and never more
// elements than there are.
TEST(Npy, NoDamageToAHeaderBringsAnythingElse) {
  const std::string whole = file_of(header_of("<f4", "(3, 4)"), twelve_floats);
  for (std::size_t end = 0; end < whole.size(); ++end) {
    EXPECT_NE(refusal(whole.substr(0, end)), "no refusal") << end;
  }
  for (std::size_t at = 0; at + twelve_floats.size() < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(byte);
      try {
        EXPECT_EQ(elements_of_npy(damaged, "in.npy", "float", 12).size(), twelve_floats.size());
      } catch (const Error& error) {
        EXPECT_LT(std::string(error.what()).size(), 200u);
      }
    }
  }
}

}  // namespace
}  // namespace rooftile
