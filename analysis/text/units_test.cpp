#include "analysis/text/units.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace rooftile {
namespace {

template <class A, class B>
concept can_add = requires(A a, B b) {
  a + b;
};

template <class A, class B>
concept can_compare = requires(A a, B b) {
  a < b;
};

static_assert(std::is_same_v<decltype(Flops{} / Bytes{}), FlopsPerByte>);
static_assert(std::is_same_v<decltype(Flops{} / Seconds{}), FlopsPerSecond>);
static_assert(std::is_same_v<decltype(Bytes{} / Seconds{}), BytesPerSecond>);
static_assert(std::is_same_v<decltype(FlopsPerByte{} * BytesPerSecond{}), FlopsPerSecond>);
static_assert(std::is_same_v<decltype(FlopsPerSecond{} / BytesPerSecond{}), FlopsPerByte>);
static_assert(std::is_same_v<decltype(Bytes{} * Hertz{}), BytesPerSecond>);
static_assert(std::is_same_v<decltype(Bytes{} / Bytes{}), double>, "a ratio is a plain number");

static_assert(!std::is_same_v<decltype(Bytes{} / Flops{}), FlopsPerByte>, "an intensity upside down is none");
static_assert(!std::is_convertible_v<double, Bytes>, "a number has no unit of its own");
static_assert(can_add<Bytes, Bytes> && !can_add<Bytes, Flops> && !can_add<Seconds, Hertz>);
static_assert(can_compare<Seconds, Seconds> && !can_compare<Seconds, Bytes>);

TEST(Units, CarryTheirValuesThroughArithmetic) {
  const Flops flops{2e9};
  const Bytes bytes{4e9};
  const Seconds time{0.5};
  EXPECT_EQ(flops / bytes, FlopsPerByte{0.5});
  EXPECT_EQ(flops / time, FlopsPerSecond{4e9});
  EXPECT_EQ(bytes / (bytes / time), time);
  EXPECT_EQ(bytes / Bytes{8e9}, 0.5);
  EXPECT_EQ(bytes + Bytes{1} - Bytes{2}, Bytes{4e9 - 1});
  EXPECT_EQ(3 * time, Seconds{1.5});
}

TEST(Units, AddUp) {
  Bytes sum;
  sum += Bytes{2};
  sum += Bytes{3};
  EXPECT_EQ(sum, Bytes{5});
}

TEST(Units, CompareWithinADimension) {
  EXPECT_LT(Seconds{1e-6}, Seconds{1e-3});
  EXPECT_EQ(Hertz{}, Hertz{0});
}

}  // namespace
}  // namespace rooftile
