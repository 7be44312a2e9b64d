// The device code itself, compiled for the host as one thread would run it.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "analysis/model/tolerance.hpp"
#include "kernels/worker/planted_errors.hpp"

namespace rooftile::worker {
namespace on_host {

struct Side {
  unsigned x;
};
constexpr Side blockIdx{0}, threadIdx{0}, blockDim{1}, gridDim{1};
struct float4 {
  float x, y, z, w;
};

inline float __uint_as_float(unsigned bits) {
  return std::bit_cast<float>(bits);
}
inline float __int_as_float(int bits) {
  return std::bit_cast<float>(bits);
}
inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
inline float __double2float_rz(double value) {
  const auto nearest = static_cast<float>(value);
  return std::fabs(nearest) > std::fabs(value) ? std::nextafter(nearest, 0.0F) : nearest;
}
template <class T>
void atomicMin(T* place, T value) {
  *place = std::min(*place, value);
}
template <class T>
void atomicMax(T* place, T value) {
  *place = std::max(*place, value);
}
inline void atomicAdd(unsigned* place, unsigned value) {
  *place += value;
}
inline void atomicOr(unsigned* place, unsigned bits) {
  *place |= bits;
}

// The conversions of half are instructions of the GPU: kernels/worker/planted_errors_test.cpp has them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define asm(...) static_cast<void>(0)
#define __device__
#define __global__
#define ELEMENT float
#include "kernels/worker/device_code/fill_compare_evict.cu"
#undef ELEMENT
#undef __global__
#undef __device__
#undef asm
#pragma GCC diagnostic pop

}  // namespace on_host

namespace {

using on_host::Comparison;
using on_host::distance;
using on_host::is_within;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr long long largest = std::numeric_limits<long long>::max();

TEST(DistanceOnDevice, IsNoneBetweenEqualInfinitiesAndWhereNeitherIsANumber) {
  const struct {
    double result, reference, distance;
  } rows[] = {
      {1.5, 1, 0.5},
      {-1, 1, 2},
      {0.0, -0.0, 0},
      {infinity, infinity, 0},
      {-infinity, -infinity, 0},
      {infinity, -infinity, infinity},
      {infinity, 1, infinity},
      {1, infinity, infinity},
      {no_number, no_number, 0},
      {no_number, 1, infinity},
      {1, no_number, infinity},
      {no_number, infinity, infinity},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(distance(row.result, row.reference), row.distance) << row.result << ' ' << row.reference;
    EXPECT_EQ(distance(static_cast<float>(row.result), static_cast<float>(row.reference)), row.distance)
        << row.result << ' ' << row.reference;
  }
}

TEST(DistanceOnDevice, Of64BitsIsNoneBetweenEqualOnesAlone) {
  const struct {
    long long result, reference;
    double distance;
  } rows[] = {
      {7, 7, 0},  {largest, largest - 1, 1}, {(1LL << 53) + 1, 1LL << 53, 1}, {-largest - 1, largest, 0x1p64},
      {-1, 1, 2},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(distance(row.result, row.reference), row.distance) << row.result;
    EXPECT_EQ(distance(row.reference, row.result), row.distance) << row.result;
  }
}

TEST(Fp8OnDevice, IsRoundedToTheNearest) {
  const struct {
    double number;
    int bits;
  } rows[] = {{0, 0},        {1, 0x38},    {-0.5, 0xb0},   {448, 0x7e},      {1000, 0x7e},
              {-1000, 0xfe}, {1.07, 0x39}, {1.0625, 0x38}, {1.1875, 0x3a},   {0.999, 0x38},
              {0x1p-9, 1},   {0x1p-10, 0}, {0x3p-10, 2},   {0x1.fp-7, 0x08}, {-0x1p-6, 0x88}};
  for (const auto& row : rows) {
    on_host::fp8_e4m3 value{};
    set(value, row.number);
    EXPECT_EQ(value.bits, row.bits) << row.number;
  }
}

TEST(Fp8OnDevice, EveryNumberIsItself) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const on_host::fp8_e4m3 code{static_cast<unsigned char>(bits)};
    const auto number = static_cast<double>(code);
    EXPECT_EQ(std::isnan(number), bits % 128 == 127) << bits;
    on_host::fp8_e4m3 value{};
    set(value, number);
    EXPECT_TRUE(std::isnan(number) || static_cast<double>(value) == number) << bits;
  }
}

TEST(WithinOnDevice, IsAbsoluteAndRelativeAndNeverInfinite) {
  const struct {
    double distance, absolute, relative, reference;
    bool within;
  } rows[] = {
      {0.1, 0.1, 0, 5, true},
      {0.11, 0.1, 0, 5, false},
      {0.5, 0, 0.1, -5, true},
      {0.59, 0.1, 0.1, 5, true},
      {0.61, 0.1, 0.1, 5, false},
      {0, 0, 0, 0, true},
      {0, 1, 1, no_number, true},
      {infinity, 1, 1, 5, false},
      {0, 0, 0, infinity, true},
      {infinity, 1, 1, infinity, false},
      {infinity, 1, 0, no_number, false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(is_within(row.distance, row.absolute, row.relative, row.reference), row.within)
        << row.distance << " from " << row.reference;
  }
}

Comparison compared(const std::vector<float>& result, const std::vector<float>& reference, double absolute,
                    double relative) {
  Comparison comparison{};
  comparison.first_bad = ~0ull;
  on_host::compare(result.data(), reference.data(), static_cast<long long>(result.size()), absolute, relative,
                   &comparison);
  return comparison;
}

TEST(CompareOnDevice, FindsTheFirstElementBeyondTheToleranceAndTheLargestError) {
  const Comparison found = compared({1, 2.5, 3, 7}, {1, 2, 3, 4}, 0.1, 0.1);
  EXPECT_EQ(found.first_bad, 1u);
  EXPECT_EQ(std::bit_cast<float>(found.largest), 3);
  EXPECT_EQ(compared({1, 2.5, 3, 4}, {1, 2, 3, 4}, 0.1, 0.2).first_bad, ~0ull);
}

TEST(CompareOnDevice, ShowsWhetherEitherIsNotAllEqualOrNotAllZero) {
  const float nan = static_cast<float>(no_number);
  const struct {
    std::vector<float> elements;
    unsigned as_result, as_reference;
  } rows[] = {
      {{0, 0, 0}, 0, 0},       {{2, 2, 2}, 2, 2},
      {{0, 0, 1}, 3, 3},       {{1, 1, 1 + 0x1p-22F}, 3, 2},  // rounding of the reference is no difference
      {{nan, nan, nan}, 2, 2}, {{nan, nan, 1}, 3, 3},
  };
  for (const auto& row : rows) {
    const Comparison found = compared(row.elements, row.elements, 0, 0);
    EXPECT_EQ(found.shown, row.as_result | row.as_reference << 2) << testing::PrintToString(row.elements);
  }
}

std::vector<float> numbers_in(const Elements& elements) {
  std::vector<float> numbers(elements.count());
  std::memcpy(numbers.data(), elements.bytes().data(), elements.bytes().size());
  return numbers;
}

// The small values of a softmax over 4,096 columns.
Elements right_result() {
  std::vector<float> numbers(64 * 48);
  std::mt19937 random(1);
  std::ranges::generate(numbers, [&] { return std::uniform_real_distribution<float>(1.5e-4F, 4e-4F)(random); });
  return {std::string(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()), coding_of<float>(),
          48};
}

bool passes(const std::vector<float>& result, const std::vector<float>& reference, Tolerance tolerance) {
  const Comparison found = compared(result, reference, tolerance.absolute, tolerance.relative);
  return found.first_bad == ~0ull && (found.shown >> 2 & ~found.shown) == 0;
}

TEST(PlantedErrorOnDevice, IsFoundByTheToleranceOfItsType) {
  const std::vector<float> right = numbers_in(right_result());
  const Tolerance tolerance = tolerance_of({}, {}, "float", 4e-4);
  EXPECT_TRUE(passes(right, right, tolerance));
  for (const PlantedError& error : planted_errors()) {
    Elements wrong = right_result();
    error.plant(wrong);
    EXPECT_EQ(passes(numbers_in(wrong), right, tolerance), wrong.differing(right_result()) == 0) << error.name;
  }
}

TEST(PlantedErrorOnDevice, OfZerosOrEqualElementsIsFoundWhateverTheTolerance) {
  const std::vector<float> right = numbers_in(right_result());
  for (const PlantedError& error : planted_errors()) {
    if (std::string_view(error.name).starts_with("all ")) {
      Elements wrong = right_result();
      error.plant(wrong);
      EXPECT_FALSE(passes(numbers_in(wrong), right, {1e9, 0})) << error.name;
    }
  }
}

// 5 rows of 6, of which the last one has 3: a cell is a row or two of three columns.
TEST(WrongElementsOnDevice, AreCountedInTheCellsOfTheirRows) {
  std::vector<float> result(27, 1);
  const std::vector<float> reference(27, 1);
  for (const int wrong : {0, 2, 8, 5, 24, 26}) {
    result[static_cast<std::size_t>(wrong)] = 2;
  }
  std::vector<unsigned> in_cell(2 * 3, 0);
  on_host::map_wrong(result.data(), reference.data(), 27, 0.5, 0, 6, 2, 3, in_cell.data());
  EXPECT_THAT(in_cell, testing::ElementsAre(3, 1, 0, 0, 2, 0));
}

TEST(ScaleOnDevice, IsTheLargestFiniteMagnitudeUpToOne) {
  const auto scale = [](const std::vector<float>& elements) {
    Comparison comparison{};
    on_host::scale(elements.data(), static_cast<long long>(elements.size()), &comparison);
    return std::bit_cast<float>(comparison.largest);
  };
  EXPECT_EQ(scale({0.25F, -0.5F, 0}), 0.5F);
  EXPECT_EQ(scale({0.25F, -50}), 1);
  EXPECT_EQ(scale({0.25F, static_cast<float>(infinity), static_cast<float>(no_number)}), 0.25F);
  EXPECT_EQ(scale({0, 0}), 0);
}

TEST(FillOnDevice, WholeNumbersOf64BitsUseThemAll) {
  std::vector<long long> numbers(64);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    on_host::set_random(numbers[i], on_host::random_bits(i, 7));
  }
  long long any = 0, all = -1;
  for (const long long number : numbers) {
    any |= number;
    all &= number;
  }
  EXPECT_EQ(any, -1);
  EXPECT_EQ(all, 0);
}

TEST(FillOnDevice, ARangeIsExactAndAConstantIsEverywhere) {
  std::vector<float> numbers(1001);
  const auto count = static_cast<long long>(numbers.size());
  on_host::fill(numbers.data(), count, 0, 1001, 1, 0, 1);
  EXPECT_EQ(numbers[1], 1);
  EXPECT_EQ(numbers[1000], 1000);
  on_host::fill(numbers.data(), count, -2.5, 1, 1, 0, 1);
  EXPECT_THAT(numbers, testing::Each(-2.5F));
  on_host::fill(numbers.data(), count, 0, 11, 1, 0, 1);
  EXPECT_EQ(numbers[100], 1) << "evenly to below - 1";
  EXPECT_EQ(numbers[1000], 10);
  EXPECT_EQ(on_host::evenly(94906267LL * 94906265, 94906267LL * 94906266, 94906267.0 * 94906266),
            94906267.0 * 94906265);
}

}  // namespace
}  // namespace rooftile::worker
