#include "analysis/model/argument_bytes.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace rooftile {
namespace {

Argument scalar(const char* type, const char* value, int at = 0, int times = 1) {
  return {{}, type, Expression(value, {"N"}), at, times};
}

std::string bytes(const Argument& argument) {
  return argument_bytes(argument, {{"N", 3}}, [](const std::string& buffer) { return 0x1000 * buffer.size(); });
}

template <class T>
T value(const std::string& bytes, std::size_t at = 0) {
  T read{};
  std::memcpy(&read, bytes.data() + at, sizeof read);
  return read;
}

TEST(ArgumentBytes, AreThoseOfTheType) {
  EXPECT_EQ(value<int>(bytes(scalar("int", "0 - N"))), -3);
  EXPECT_EQ(value<long long>(bytes(scalar("long_long", "N * 2 ^ 40"))), 3LL << 40);
  EXPECT_EQ(value<float>(bytes(scalar("float", "N / 2"))), 1.5F);
  EXPECT_EQ(value<double>(bytes(scalar("double", "N / 2"))), 1.5);
  EXPECT_EQ(value<std::uint16_t>(bytes(scalar("half", "N / 2"))), 0x3e00);
  EXPECT_EQ(value<std::uint16_t>(bytes(scalar("bfloat16", "N / 2"))), 0x3fc0);
  EXPECT_EQ(bytes(scalar("char", "N")), std::string(1, '\3'));
  EXPECT_EQ(value<std::uint64_t>(bytes({"A", "buffer", {}})), 0x1000U);
  EXPECT_EQ(value<std::uint64_t>(bytes({"A", "buffer", Expression("8 * N", {"N"})})), 0x1018U);
  EXPECT_EQ(bytes({{}, "hex", {}, 0, 1, {}, 0, "abc"}), "abc");
}

TEST(ArgumentBytes, MembersOfAStructStandAtTheirPlaces) {
  Argument all{{}, "struct", {}};
  all.bytes = 32;
  all.members = {scalar("int", "N"), {"AB", "buffer", {}, 8}, scalar("float", "N", 16, 3)};
  const std::string text = bytes(all);
  ASSERT_EQ(text.size(), 32U);
  EXPECT_EQ(value<int>(text), 3);
  EXPECT_EQ(value<int>(text, 4), 0);
  EXPECT_EQ(value<std::uint64_t>(text, 8), 0x2000U);
  EXPECT_EQ(value<float>(text, 24), 3.0F);
  EXPECT_EQ(value<float>(text, 28), 0.0F);
}

}  // namespace
}  // namespace rooftile
