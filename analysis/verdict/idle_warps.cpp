#include "analysis/verdict/idle_warps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/predict/chip_pace.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr double worth_a_reason = 0.10, worth_a_sentence = 0.02, worth_a_rest = 0.05;  // of occupancy

std::string points(double share) {
  return fmt::format("{:.0f} points", 100 * share);
}

// A wave: as many blocks as the SMs hold at once.
std::string tail_sentence(double blocks, double places, double cost) {
  if (blocks <= places) {
    return fmt::format("Few blocks: {} for {} places cost {}", count(blocks), count(places), points(cost));
  }
  const double last = blocks - places * (std::ceil(blocks / places) - 1);
  return fmt::format("Tail: the last of {} waves has {} blocks for {} places and costs {}",
                     count(std::ceil(blocks / places)), count(last), count(places), points(cost));
}

// The share of a block's turn in which its place is empty. Source of the turnover: chip_pace.hpp.
double share_of_turnover(const Point& point, double waves, const Gpu& gpu) {
  const Hertz clock = point.counters->sm_clock.value_or(gpu.boost_clock);
  const double turn = point.timing->median.value * clock.value / std::ceil(waves);
  return std::min(1.0, block_turnover / turn);
}

}  // namespace

double filled_places(double blocks, double places_of_sm, double sms) {
  const double whole_waves = std::floor(blocks / (places_of_sm * sms));
  const double rest = blocks - whole_waves * places_of_sm * sms;
  return blocks / (places_of_sm * (whole_waves * sms + std::min(rest, sms)));
}

std::vector<std::string> why_fewer_warps(const Point& point, const Occupancy& theoretical, const Gpu& gpu) {
  const auto achieved = point.counters ? point.counters->achieved_occupancy : std::nullopt;
  const auto blocks = static_cast<double>(point.launch.grid.count());
  const double missing = theoretical.ratio() - achieved.value_or(theoretical.ratio());
  if (missing < worth_a_reason || theoretical.blocks == 0 || !point.timing) {
    return {};
  }
  const double places = 1.0 * theoretical.blocks * gpu.sm_count;
  std::vector<std::string> reasons;
  const double tail = theoretical.ratio() * (1 - filled_places(blocks, theoretical.blocks, gpu.sm_count));
  if (tail >= worth_a_sentence) {
    reasons.push_back(tail_sentence(blocks, places, tail));
  }
  const double turnover = theoretical.ratio() * share_of_turnover(point, blocks / places, gpu);
  if (turnover >= worth_a_sentence) {
    reasons.push_back(fmt::format("Short blocks: starting the next in its place costs {}", points(turnover)));
  }
  if (const double rest = missing - tail - turnover; rest >= worth_a_rest) {
    reasons.push_back(fmt::format("Imbalance: blocks or warps that end early cost {}", points(rest)));
  }
  return reasons;
}

}  // namespace rooftile
