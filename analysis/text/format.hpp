// Numbers become text here and nowhere else: three significant digits, a unit beside every number,
// a thin grouping comma in thousands, an en dash for what is not known.
#pragma once

#include <optional>
#include <string>

#include "analysis/text/expression.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

inline constexpr const char* unknown_text = "\u2013";

std::string text(Seconds time);            // "1.85 ms", "246 us" (with the micro sign)
std::string text(Bytes bytes);             // "33.6 MB", decimal prefixes
std::string text(Flops flops);             // "17.2 GFLOP"
std::string text(FlopsPerSecond rate);     // "9.30 TFLOP/s"
std::string text(BytesPerSecond rate);     // "4.27 TB/s"
std::string text(FlopsPerByte intensity);  // "0.302 FLOP/B"
std::string text(Hertz clock);             // "1,980 MHz"
std::string percent(double ratio);         // "97.5 %", "0.4 %", "100 %"
std::string count(double whole_number);    // "8,192"
std::string counted(double whole_number, std::string_view noun, std::string_view ending = "s");  // "1 block"
std::string kibibytes(double bytes);             // of shared memory: "48 KiB", "8.5 KiB", "100 B"
std::string number(double value);                // a parameter's value: "32", "0.5"
std::string text(const Parameters& parameters);  // "TILE=32 PAD_A=0"

template <class T>
std::string text_or_dash(const std::optional<T>& value) {
  return value ? text(*value) : unknown_text;
}
inline std::string percent_or_dash(const std::optional<double>& ratio) {
  return ratio ? percent(*ratio) : unknown_text;
}

}  // namespace rooftile
