// A chart laid out once, for the window's pen and for that of a file: marks, and where the dots and roofs
// stand.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "app/scene/paper/drawing.hpp"
#include "app/scene/paper/label_room.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// The place of a chart, and what it is drawn with.
struct ChartFrame {
  Rect place;  // axes and their words included
  float scale = 1;
  const Palette* colours = nullptr;
  Measure measure;

  float px(float length) const { return length * scale; }  // of a length given for scale 1
};

// The newest launch on its way from where the one before it stands.
struct Moving {
  const ChartRow* from = nullptr;
  float progress = 1;  // 0 at the start, 1 when it is over
};

// How the user looks at a chart.
struct ChartLook {
  MemoryLevel level = MemoryLevel::dram;  // its dots carry the labels
  bool one_level = false;                 // of rows before the newest, other dots are not drawn
  std::optional<Moving> moving = {};
  std::size_t lines = 12;                     // of the chart of shares, at most
  std::optional<std::uint64_t> pointed = {};  // its dots are ringed
  std::set<std::uint64_t> selected = {};      // their dots have a bright core
};

struct PlacedDot {
  Spot at;
  float radius = 0;
  std::uint64_t launch = 0;
  MemoryLevel level = MemoryLevel::dram;
};

struct PlacedRoof {
  Bar line;
  std::uint32_t roof = 0;  // of the chart
};

struct ChartPicture {
  Rect plot;                    // the part that holds the dots
  Drawing around;               // the axes
  Drawing inside;               // what is cut off at the edges of the plot
  std::vector<PlacedDot> dots;  // the foremost last
  std::vector<PlacedRoof> roofs;
};

// Performance over intensity, both logarithmic; or instructions over instructions per transaction.
ChartPicture roofline_picture(const Chart& chart, const Axes& axes, const ChartLook& look,
                              const ChartFrame& frame);
// Launches without FLOPs: the share of each level's roof, one line per launch, the newest at the top.
ChartPicture share_picture(const Chart& chart, const ChartLook& look, const ChartFrame& frame);

// The part of a chart's place that holds the dots; the axes have the rest.
Rect roofline_plot(const ChartFrame& frame);

// Rings around the dots of the launch that is pointed at, and bright cores in those of the launches that are
// selected, here or elsewhere.
void ring_pointed(ChartPicture& picture, const ChartLook& look, const ChartFrame& frame);

// The launches that have a dot of the level in this part of the plot.
std::set<std::uint64_t> launches_in(const ChartPicture& picture, const Rect& part, MemoryLevel level);

// The dot under the pointer, if any.
const PlacedDot* dot_at(const ChartPicture& picture, Spot pointer, float reach);
const PlacedRoof* roof_at(const ChartPicture& picture, Spot pointer, float reach);

}  // namespace rooftile::scene
