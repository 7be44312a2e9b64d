// For tests of pictures: a frame to draw in, charts with round numbers, and what was drawn.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "app/scene/picture/chart_picture.hpp"
#include "app/scene/picture/test_overlap.hpp"

namespace rooftile::scene {

inline Size half_as_wide_as_high(Type type, std::string_view text) {
  return {face(type).size * 0.55f * static_cast<float>(text.size()), face(type).size * 1.2f};
}

inline ChartFrame frame_of(float width, float height, float scale = 1) {
  return {{0, 0, width, height}, scale, &palette(Theme::dark), [scale](Type type, std::string_view text) {
            const Size size = half_as_wide_as_high(type, text);
            return Size{size.width * scale, size.height * scale};
          }};
}

// A decade is 100 px on both axes: the plot spans x 72 to 472 and y 8 to 408.
inline ChartFrame round_frame() {
  return frame_of(484, 462);
}
inline constexpr Axes round_axes{0.1, 1000, 1e11, 1e15};

inline RoofLine memory_roof(MemoryLevel level, double bandwidth) {
  return {.level = level,
          .height = bandwidth,
          .name = std::string(title(level)),
          .label = std::string(title(level)),
          .facts = {}};
}
inline RoofLine compute_roof(double peak) {
  return {.level = std::nullopt, .height = peak, .name = fp32_pipe, .label = fp32_pipe, .facts = {}};
}
// DRAM at 1 TB/s, shared memory at 10 TB/s, FP32 at 100 TFLOP/s: ridges at 100 and 10 FLOP/B.
inline Chart round_chart() {
  Chart chart;
  chart.roofs = {memory_roof(MemoryLevel::dram, 1e12), memory_roof(MemoryLevel::shared, 1e13),
                 compute_roof(1e14)};
  chart.peak = 1e14;
  chart.ridge = 100;
  chart.ridge_label = "ridge";
  return chart;
}

// With one dot, of DRAM.
inline ChartRow row_at(std::uint64_t id, double intensity, double performance,
                       Emphasis emphasis = Emphasis::plain) {
  ChartRow row;
  row.id = id;
  row.evidence = Evidence::counted;
  row.label = "launch " + std::to_string(id);
  row.performance = performance;
  row.emphasis = emphasis;
  row.dots = {{.level = MemoryLevel::dram, .intensity = intensity, .share = 0.5, .bandwidth = {}}};
  return row;
}

inline ChartPicture picture_of(const AppState& state, const ChartFrame& frame) {
  const ChartLook look{.level = state.view.level};
  return state.derived.shown.chart.kind == ChartKind::shares
             ? share_picture(state.derived.shown.chart, look, frame)
             : roofline_picture(state.derived.shown.chart, state.view.axes, look, frame);
}

template <class Kind>
std::vector<Kind> marks(const Drawing& drawing) {
  std::vector<Kind> found;
  for (const Mark& mark : drawing) {
    if (const Kind* kind = std::get_if<Kind>(&mark)) {
      found.push_back(*kind);
    }
  }
  return found;
}

inline std::vector<std::string> texts(const Drawing& drawing) {
  std::vector<std::string> found;
  for (const Words& words : marks<Words>(drawing)) {
    found.push_back(words.text);
  }
  return found;
}

// The words with this text, which stand there once.
inline Words words_of(const Drawing& drawing, const std::string& text) {
  const std::vector<Words> all = marks<Words>(drawing);
  EXPECT_EQ(std::ranges::count(all, text, &Words::text), 1) << text;
  const auto found = std::ranges::find(all, text, &Words::text);
  return found != all.end() ? *found : Words{};
}

// The box of words that are not turned.
inline Rect place_of(const Words& words, const ChartFrame& frame) {
  const auto corners = corners_of(words, frame.measure);
  return {corners[0].x, corners[0].y, corners[1].x - corners[0].x, corners[3].y - corners[0].y};
}

inline void expect_no_overlap_and_nothing_cut(const ChartPicture& picture, const ChartFrame& frame) {
  std::vector<Words> all = marks<Words>(picture.inside);
  std::ranges::copy(marks<Words>(picture.around), std::back_inserter(all));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto corners = corners_of(all[i], frame.measure);
    for (const Spot corner : corners) {
      EXPECT_TRUE(holds(frame.place, {corner.x, corner.y, 0, 0})) << all[i].text << " is cut";
    }
    for (std::size_t j = 0; j < all.size(); ++j) {
      EXPECT_FALSE(i != j && overlaps(corners, corners_of(all[j], frame.measure)))
          << all[i].text << " stands on " << all[j].text;
    }
  }
}

}  // namespace rooftile::scene
