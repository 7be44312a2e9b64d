// The content of the panels, as words and coordinates, worked out once when the state changes. Panels only draw
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/roof_table.hpp"
#include "app/scene/state/picture_views.hpp"
#include "app/scene/state/shown/chart.hpp"
#include "app/scene/state/shown/dials.hpp"
#include "app/scene/state/shown/kernel_list.hpp"
#include "app/scene/state/shown/landscape.hpp"
#include "app/scene/state/shown/launch_form.hpp"
#include "app/scene/state/shown/point_table.hpp"
#include "app/scene/state/shown/source_view.hpp"
#include "app/scene/state/shown/subject.hpp"
#include "app/scene/state/shown/sweep_plan.hpp"

namespace rooftile::scene {

struct Shown {
  std::string device;  // "NVIDIA H200   CC 9.0   132 SMs   1,980 MHz measured"
  std::vector<KernelGroup> kernels;
  std::vector<Dial> dials;
  std::string compile_cost;      // of a new place of a dial, in a sentence; empty: nobody notices it
  std::vector<ShapeRow> shapes;  // of a program's kernel, which has no dials
  std::optional<std::string> why_no_sweep;
  SweepPlan sweep;                          // while its panel is open
  std::vector<std::string> sweep_news;      // of the newest sweep and of the newest search
  std::optional<std::string> measure_line;  // that repeats the best launch; while the map or the sweep is open
  Chart chart;
  PointTable table;
  std::optional<Subject> subject;
  Landscape landscape;  // while it is looked at
  SourceView source;
  AccessView banks, sectors;
  TileView tile;
  MemoryView memory;
  bool has_launch_form = false, has_times = false;  // panels that not every kernel has
  std::optional<LaunchForm> launch_form;            // while it is looked at
  std::vector<RoofRow> roofs;
  bool has_returned_bytes = false;  // of the current point
  bool has_instructions = false;    // counted, of the current point
};

}  // namespace rooftile::scene
