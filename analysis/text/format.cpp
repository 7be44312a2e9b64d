#include "analysis/text/format.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace rooftile {
namespace {

constexpr int significant_digits = 3;

struct Unit {
  double scale;
  const char* name;
};

constexpr std::array<Unit, 7> metric_prefixes = {
    {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}, {1e18, "E"}}};
constexpr std::array<Unit, 6> time_units = {
    {{1e-9, "ns"}, {1e-6, "\u00b5s"}, {1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}}};

// Through decimal text, so that 999.96 becomes exactly 1000 and its logarithm exactly 3.
double round_to_significant(double value) {
  const std::string digits = fmt::format("{:.{}e}", value, significant_digits - 1);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return rounded;
}

std::string grouped(std::string digits) {
  const auto first = digits.find_first_of("0123456789");
  auto end = digits.find('.');
  end = end == std::string::npos ? digits.size() : end;
  for (auto at = end; at > first + 3; at -= 3) {
    digits.insert(at - 3, 1, ',');
  }
  return digits;
}

// "0.0123", "1.85", "33.6", "246", "1,850".
std::string significant(double value) {
  if (value == 0) {
    return "0";
  }
  const double rounded = round_to_significant(value);
  const double magnitude = std::abs(rounded);
  if (magnitude < 1e-4 || magnitude >= 1e6) {
    return fmt::format("{:.{}e}", rounded, significant_digits - 1);
  }
  const int leading = static_cast<int>(std::floor(std::log10(magnitude)));
  return grouped(fmt::format("{:.{}f}", rounded, std::max(0, significant_digits - 1 - leading)));
}

// The largest unit that leaves a number of 1 or more, after rounding: 999.6 MB is 1.00 GB.
std::string in_unit(double value, std::span<const Unit> units, const std::string& suffix) {
  if (!std::isfinite(value)) {
    return unknown_text;
  }
  const double magnitude = value == 0 ? 1 : std::abs(round_to_significant(value));
  const Unit* unit = &units.front();
  for (const Unit& candidate : units) {
    if (magnitude >= candidate.scale) {
      unit = &candidate;
    }
  }
  return fmt::format("{} {}{}", significant(value / unit->scale), unit->name, suffix);
}

std::string metric(double value, const std::string& suffix) {
  return in_unit(value, metric_prefixes, suffix);
}

// Bytes and FLOPs below a thousand are counted, not measured: "128 B", never "128.0 B" or "8.00 B".
std::string whole_or_metric(double value, const std::string& suffix) {
  if (std::abs(value) < 1000 && value == std::floor(value)) {
    return count(value) + " " + suffix;
  }
  return metric(value, suffix);
}

}  // namespace

std::string text(Seconds time) {
  return in_unit(time.value, time_units, "");
}
std::string text(Bytes bytes) {
  return whole_or_metric(bytes.value, "B");
}
std::string text(Flops flops) {
  return whole_or_metric(flops.value, "FLOP");
}
std::string text(FlopsPerSecond rate) {
  return metric(rate.value, "FLOP/s");
}
std::string text(BytesPerSecond rate) {
  return metric(rate.value, "B/s");
}

std::string text(FlopsPerByte intensity) {
  return std::isfinite(intensity.value) ? significant(intensity.value) + " FLOP/B" : unknown_text;
}

std::string text(Hertz clock) {
  return std::isfinite(clock.value) ? count(clock.value / 1e6) + " MHz" : unknown_text;
}

std::string percent(double ratio) {
  if (!std::isfinite(ratio)) {
    return unknown_text;
  }
  const double tenths = std::round(ratio * 1000);
  if (tenths == 0 && ratio != 0) {
    return ratio > 0 ? "< 0.1 %" : "> -0.1 %";
  }
  const bool whole = std::abs(tenths) >= 1000 || std::fmod(tenths, 10) == 0;
  return whole ? count(ratio * 100) + " %" : fmt::format("{:.1f} %", tenths / 10);
}

std::string count(double whole_number) {
  return std::isfinite(whole_number) ? grouped(fmt::format("{:.0f}", std::round(whole_number) + 0.0))
                                     : unknown_text;
}

std::string counted(double whole_number, std::string_view noun, std::string_view ending) {
  return fmt::format("{} {}{}", count(whole_number), noun, whole_number == 1 ? "" : ending);
}

std::string kibibytes(double bytes) {
  constexpr double kib = 1024;
  return bytes < kib ? count(bytes) + " B" : fmt::format("{:.4g} KiB", bytes / kib);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value + 0.0) : unknown_text;
}

std::string text(const Parameters& parameters) {
  std::string line;
  for (const auto& [name, value] : parameters) {
    line += fmt::format("{}{}={}", line.empty() ? "" : " ", name, number(value));
  }
  return line;
}

}  // namespace rooftile
