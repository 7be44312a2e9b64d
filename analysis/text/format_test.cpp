#include "analysis/text/format.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rooftile {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

struct Row {
  std::string written;
  std::string expected;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(row.written, row.expected);
  }
}

TEST(Format, TimesChooseTheirUnit) {
  expect_rows({
      {text(Seconds{1.85e-3}), "1.85 ms"},
      {text(Seconds{246e-6}), "246 \u00b5s"},
      {text(Seconds{10.64e-6}), "10.6 \u00b5s"},
      {text(Seconds{5e-9}), "5.00 ns"},
      {text(Seconds{2.5}), "2.50 s"},
      {text(Seconds{90}), "1.50 min"},
      {text(Seconds{2 * 3600}), "2.00 h"},
      {text(Seconds{0}), "0 s"},
      {text(Seconds{-1.85e-3}), "-1.85 ms"},
  });
}

TEST(Format, RatesAndSizesUseDecimalPrefixes) {
  expect_rows({
      {text(Bytes{33.58e6}), "33.6 MB"},
      {text(Bytes{68.72e9}), "68.7 GB"},
      {text(Bytes{8192}), "8.19 kB"},
      {text(Flops{17.18e9}), "17.2 GFLOP"},
      {text(FlopsPerSecond{9.3e12}), "9.30 TFLOP/s"},
      {text(FlopsPerSecond{66.91e12}), "66.9 TFLOP/s"},
      {text(BytesPerSecond{4.274e12}), "4.27 TB/s"},
      {text(BytesPerSecond{18.1e9}), "18.1 GB/s"},
      {text(BytesPerSecond{2.5e15}), "2.50 PB/s"},
  });
}

TEST(Format, TheUnitIsChosenAfterRounding) {
  expect_rows({
      {text(Bytes{999.4e6}), "999 MB"},
      {text(Bytes{999.6e6}), "1.00 GB"},
      {text(Seconds{999.7e-6}), "1.00 ms"},
      {text(Seconds{9.996e-6}), "10.0 \u00b5s"},
      {text(FlopsPerSecond{1e12}), "1.00 TFLOP/s"},
      {text(FlopsPerSecond{1e9}), "1.00 GFLOP/s"},
  });
}

TEST(Format, FewBytesAndFlopsAreCounted) {
  expect_rows({
      {text(Bytes{0}), "0 B"},
      {text(Bytes{1}), "1 B"},
      {text(Bytes{128}), "128 B"},
      {text(Bytes{999}), "999 B"},
      {text(Bytes{1000}), "1.00 kB"},
      {text(Bytes{0.5}), "0.500 B"},
      {text(Flops{0}), "0 FLOP"},
      {text(FlopsPerSecond{0}), "0 FLOP/s"},
  });
}

TEST(Format, TheHugeAndTheTinyStayReadable) {
  expect_rows({
      {text(Bytes{3e24}), "3.00e+06 EB"},
      {text(FlopsPerSecond{1e-9}), "1.00e-09 FLOP/s"},
      {text(Seconds{1e-15}), "1.00e-06 ns"},
      {text(Seconds{1e6 * 3600}), "1.00e+06 h"},
      {text(FlopsPerByte{1e9}), "1.00e+09 FLOP/B"},
  });
}

TEST(Format, IntensitiesHaveNoPrefix) {
  expect_rows({
      {text(FlopsPerByte{0.25}), "0.250 FLOP/B"},
      {text(FlopsPerByte{0.08333}), "0.0833 FLOP/B"},
      {text(FlopsPerByte{15.72}), "15.7 FLOP/B"},
      {text(FlopsPerByte{682.7}), "683 FLOP/B"},
      {text(FlopsPerByte{2730.7}), "2,730 FLOP/B"},
      {text(FlopsPerByte{0}), "0 FLOP/B"},
  });
}

TEST(Format, ClocksAreMegahertz) {
  expect_rows({
      {text(Hertz{1.98e9}), "1,980 MHz"},
      {text(Hertz{585e6}), "585 MHz"},
      {text(Hertz{3.2005e9}), "3,201 MHz"},
  });
}

TEST(Format, RatiosBecomePercent) {
  expect_rows({
      {percent(0.975), "97.5 %"},
      {percent(0.004), "0.4 %"},
      {percent(1), "100 %"},
      {percent(0.9999), "100 %"},
      {percent(0.5), "50 %"},
      {percent(0), "0 %"},
      {percent(0.0001), "< 0.1 %"},
      {percent(-0.0001), "> -0.1 %"},
      {percent(-0.034), "-3.4 %"},
      {percent(1.0234), "102 %"},
      {percent(12.5), "1,250 %"},
  });
}

TEST(Format, ThingsAreCounted) {
  EXPECT_EQ(counted(1, "block"), "1 block");
  EXPECT_EQ(counted(8192, "block"), "8,192 blocks");
  EXPECT_EQ(counted(0, "launch", "es"), "0 launches");
}

TEST(Format, CountsAreGrouped) {
  expect_rows({
      {count(0), "0"},
      {count(999), "999"},
      {count(1000), "1,000"},
      {count(8192), "8,192"},
      {count(1234567), "1,234,567"},
      {count(-1000), "-1,000"},
      {count(-999), "-999"},
      {count(-0.3), "0"},
      {count(17179869184), "17,179,869,184"},
  });
}

TEST(Format, ParameterValuesAreWrittenAsTyped) {
  expect_rows({
      {number(32), "32"},
      {number(0.5), "0.5"},
      {number(1000000), "1000000"},
      {number(-0.0), "0"},
      {number(-1.25), "-1.25"},
      {text(Parameters{{"TILE", 32}, {"PAD_A", 0}}), "PAD_A=0 TILE=32"},
      {text(Parameters{}), ""},
  });
}

TEST(Format, WhatIsNotKnownIsADash) {
  for (const double value : {nan, infinite, -infinite}) {
    expect_rows({
        {text(Seconds{value}), unknown_text},
        {text(Bytes{value}), unknown_text},
        {text(Flops{value}), unknown_text},
        {text(FlopsPerSecond{value}), unknown_text},
        {text(BytesPerSecond{value}), unknown_text},
        {text(FlopsPerByte{value}), unknown_text},
        {text(Hertz{value}), unknown_text},
        {percent(value), unknown_text},
        {count(value), unknown_text},
        {number(value), unknown_text},
    });
  }
  EXPECT_EQ(text_or_dash(std::optional<Bytes>()), "\u2013");
  EXPECT_EQ(text_or_dash(std::optional(Bytes{64})), "64 B");
}

}  // namespace
}  // namespace rooftile
