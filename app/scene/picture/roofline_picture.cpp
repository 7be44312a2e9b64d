#include "app/scene/picture/chart_picture.hpp"
#include "app/scene/picture/picture_advice.hpp"
#include "app/scene/picture/picture_axes.hpp"
#include "app/scene/picture/picture_beside.hpp"
#include "app/scene/picture/picture_crowd.hpp"
#include "app/scene/picture/picture_roofs.hpp"
#include "app/scene/picture/picture_rows.hpp"
#include "app/scene/picture/row_labels.hpp"

namespace rooftile::scene {
namespace {

Placing placing_on(const RooflineScales& scales) {
  return [scales](const ChartRow& row, const Dot& dot, std::size_t) -> std::optional<Spot> {
    return row.performance && dot.intensity ? std::optional(scales.at(*dot.intensity, *row.performance))
                                            : std::nullopt;
  };
}

// Flags the newest launch; before any is measured, the prediction.
void flag_newest(ChartPicture& picture, LabelRoom& room, const Chart& chart, const StandingRow* newest,
                 MemoryLevel level, const ChartFrame& frame, const Placing& placing) {
  if (newest) {
    if (const PlacedDot* dot = newest->dot(picture, level)) {
      lay_out_flag(picture.inside, room, dot->at, newest->row->label, newest->row->figure, frame);
    }
  } else if (const Dot* dot = chart.ghost ? chart.ghost->dot(level) : nullptr) {
    if (const auto at = placing(*chart.ghost, *dot, 0)) {
      lay_out_flag(picture.inside, room, *at, chart.ghost->label, "predicted " + chart.ghost->figure, frame);
    }
  }
}

}  // namespace

ChartPicture roofline_picture(const Chart& chart, const Axes& axes, const ChartLook& look,
                              const ChartFrame& frame) {
  ChartPicture picture;
  picture.plot = roofline_plot(frame);
  LabelRoom room(picture.plot);
  const RooflineScales scales = scales_of(axes, picture.plot);
  const Placing placing = placing_on(scales);
  lay_out_axes(picture, chart.kind, axes, frame);
  lay_out_roofs(picture, room, chart, axes, frame);
  lay_out_crowd(picture, chart, scales, frame);
  const auto rows = lay_out_rows(picture, room, chart, look, frame, placing);
  lay_out_beside(picture, room, chart, rows, look, frame, placing);
  lay_out_legend(picture, room, chart, frame);
  label_roofs(picture, room, chart, axes, frame);
  const bool has_newest = !rows.empty() && rows.back().row->emphasis == Emphasis::newest;
  const StandingRow* newest = has_newest ? &rows.back() : nullptr;
  flag_newest(picture, room, chart, newest, look.level, frame, placing);
  lay_out_advice(picture, room, chart, newest, look.level, frame, placing);
  for (const PlacedRoof& roof : picture.roofs) {
    room.take(roof.line);
  }
  label_rows(picture, room, rows, look.level, frame);
  ring_pointed(picture, look, frame);
  return picture;
}

}  // namespace rooftile::scene
