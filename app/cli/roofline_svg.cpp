#include "app/cli/roofline_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/format.hpp"
#include "app/cli/roofline_chart.hpp"
#include "app/cli/svg_colours.hpp"

namespace rooftile::cli {
namespace {

constexpr double margin = 20;
constexpr double chart_width = 900, chart_height = 640, side_width = 320;

void draw_bar(Svg& svg, Spot at, double width, const LevelUse& use) {
  svg.text({at.x, at.y}, std::string(title(use.level)), {dim, 12});
  svg.text({at.x + width, at.y},
           fmt::format("{}   {}", text(use.bandwidth), use.share ? percent(*use.share) : unknown_text),
           {dim, 12, false, true, 'e'});
  svg.box({at.x, at.y + 5}, width, 5, 2, edge);
  svg.box({at.x, at.y + 5}, width * std::min(1.0, use.share.value_or(0)), 5, 2, colour(use.level));
}

// The best of one kernel in words: what bounds it, and how much of each roof it uses. Returns where it ends.
double draw_side(Svg& svg, Spot at, double width, const Findings& found) {
  svg.text(at, found.name, {words, 12, true});
  svg.text({at.x, at.y + 18}, found.verdict->title, {dim, 12});
  at.y += 42;
  for (const auto& use : found.placement->levels) {
    if (use.bytes.value > 0) {
      draw_bar(svg, at, width, use);
      at.y += 26;
    }
  }
  return at.y + 16;
}

}  // namespace

Svg roofline_svg(const Report& report) {
  Svg svg(chart_width + side_width + 3 * margin, chart_height + 2 * margin);
  svg.box({0, 0}, chart_width + side_width + 3 * margin, chart_height + 2 * margin, 0, page);
  svg.box({margin, margin}, chart_width, chart_height, 8, panel, edge);
  svg.text({margin * 2, margin + 30}, report.gpu, {words, 16, true});
  svg.text({margin * 2, margin + 50},
           report.origin + "; large dots: the best of each kernel, filled = bytes counted, hollow = modelled",
           {dim, 12});
  draw_chart(svg, report, {margin, margin}, chart_width, chart_height);
  const double side = chart_width + 2 * margin;
  svg.box({side, margin}, side_width, chart_height, 8, panel, edge);
  double y = margin + 30;
  for (const auto& found : report.best) {
    y = draw_side(svg, {side + margin, y}, side_width - 2 * margin, found);
  }
  return svg;
}

}  // namespace rooftile::cli
