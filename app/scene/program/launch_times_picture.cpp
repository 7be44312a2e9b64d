#include "app/scene/program/launch_times_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"

namespace rooftile::scene {
namespace {

constexpr float plot_left = 66, plot_right = 16, plot_top = 10, plot_bottom = 40;
constexpr double room_above = 1.1;
constexpr float median_alpha = 0.7f;
constexpr int values_across = 8, values_up = 6;  // at most

// 1, 2 or 5 times a power of ten, of which no more than `most` fit.
double round_step(double range, int most) {
  const double least = range / most, power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= least) {
      return times * power;
    }
  }
  return 10 * power;
}

class TimesDrawing {
 public:
  TimesDrawing(const std::vector<LaunchTime>& launches, Seconds median, const ChartFrame& frame)
      : launches_(launches), median_(median), frame_(frame), colours_(*frame.colours) {
    const Rect& all = frame.place;
    picture_.plot = {all.x + frame.px(plot_left), all.y + frame.px(plot_top),
                     std::max(1.0f, all.width - frame.px(plot_left + plot_right)),
                     std::max(1.0f, all.height - frame.px(plot_top + plot_bottom))};
    for (const LaunchTime& launch : launches) {
      end_ = std::max(end_, launch.began.value + launch.took.value);
      slowest_ = std::max(slowest_, launch.took.value);
    }
  }

  TimesPicture draw() {
    draw_axes();
    draw_median();
    draw_dots();
    return std::move(picture_);
  }

 private:
  void draw_axes() {
    const Rect& plot = picture_.plot;
    const double up = round_step(slowest_, values_up), across = round_step(end_, values_across);
    for (int i = 0; i * up <= room_above * slowest_; ++i) {
      const float y = y_of(i * up);
      stroke({plot.x, y}, {plot.right(), y}, {colours_.edge});
      write({plot.x - frame_.px(6), y}, time_text(i * up), Anchor::end);
    }
    for (int i = 0; i * across <= end_; ++i) {
      const float x = x_of(i * across);
      stroke({x, plot.y}, {x, plot.bottom()}, {colours_.edge, 0.5f});
      write({x, plot.bottom() + frame_.px(12)}, time_text(i * across), Anchor::middle);
    }
    write({plot.x + plot.width / 2, plot.bottom() + frame_.px(29)}, "Time since the program's first kernel",
          Anchor::middle);
  }

  void draw_median() {
    const Rect& plot = picture_.plot;
    const float y = y_of(median_.value);
    if (y >= plot.y) {
      const Ink ink{colours_.accent, median_alpha};
      picture_.drawing.push_back(Stroke{{plot.x, y}, {plot.right(), y}, ink, frame_.px(1), frame_.px(5)});
      picture_.drawing.push_back(Words{{plot.x + frame_.px(6), y - frame_.px(9)},
                                       "median " + text(median_),
                                       Type::small,
                                       {colours_.accent},
                                       Anchor::start});
    }
  }

  void draw_dots() {
    for (const LaunchTime& launch : launches_) {
      const Spot at{x_of(launch.began.value), y_of(launch.took.value)};
      picture_.drawing.push_back(Disc{at, frame_.px(3.5f), {colours_.level(MemoryLevel::dram)}});
      picture_.dots.push_back(at);
    }
  }

  static std::string time_text(double seconds) { return seconds == 0 ? "0" : text(Seconds{seconds}); }

  float x_of(double seconds) const {
    return picture_.plot.x + picture_.plot.width * static_cast<float>(seconds / end_);
  }
  float y_of(double seconds) const {
    return picture_.plot.bottom() -
           picture_.plot.height * static_cast<float>(seconds / (room_above * slowest_));
  }

  void stroke(Spot from, Spot to, const Ink& ink) {
    picture_.drawing.push_back(Stroke{from, to, ink, frame_.px(1)});
  }
  void write(Spot at, const std::string& words, Anchor anchor) {
    picture_.drawing.push_back(Words{at, words, Type::small, {colours_.dim}, anchor});
  }

  const std::vector<LaunchTime>& launches_;
  Seconds median_;
  const ChartFrame& frame_;
  const Palette& colours_;
  double end_ = shortest_launch.value, slowest_ = shortest_launch.value;
  TimesPicture picture_;
};

}  // namespace

const ProgramLaunches* launches_over_time(const AppState& state) {
  const Point* shown = current_point(state);
  return shown && shown->program && !shown->program->over_time.empty() ? &*shown->program : nullptr;
}

std::string launch_times_title(const ProgramLaunches& program) {
  const auto shown = static_cast<double>(program.over_time.size());
  return shown == program.launches ? counted(shown, "launch", "es")
                                   : fmt::format("{} of {}, evenly spread over those that one process traced",
                                                 count(shown), counted(program.launches, "launch", "es"));
}

TimesPicture launch_times_picture(const std::vector<LaunchTime>& launches, Seconds median,
                                  const ChartFrame& frame) {
  return TimesDrawing(launches, median, frame).draw();
}

std::vector<std::string> launch_time_facts(const std::vector<LaunchTime>& launches, Seconds median,
                                           const TimesPicture& picture, Spot pointer, float reach) {
  const auto distance = [&](const Spot& dot) { return std::hypot(dot.x - pointer.x, dot.y - pointer.y); };
  const auto nearest = std::ranges::min_element(picture.dots, {}, distance);
  if (nearest == picture.dots.end() || distance(*nearest) > reach) {
    return {};
  }
  const LaunchTime& launch = launches[static_cast<std::size_t>(nearest - picture.dots.begin())];
  return {fmt::format("{} after the program's first kernel", text(launch.began)),
          fmt::format("{}, {:.2f}x of the median", text(launch.took), launch.took / median)};
}

}  // namespace rooftile::scene
