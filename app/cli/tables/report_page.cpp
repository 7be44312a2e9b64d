#include "app/cli/tables/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"

namespace rooftile::cli {
namespace {

using namespace scene;

constexpr float page_width = 1280, margin = 20, pad = 18;
constexpr float header = 62, roofline_height = 1000, line_of_shares = 40, axis_of_shares = 62;
constexpr std::size_t card_columns = 4;
constexpr float bar_step = 27, card_header = 52, dials_step = 18;

ChartRow named_row(const LaunchReport& found, std::uint64_t id) {
  ChartRow row = chart_row(found.point, *found.placement);
  row.id = id;
  row.emphasis = Emphasis::named;
  row.figure = figure(*found.placement);
  row.label = found.point.kernel;
  return row;
}

// A launch among many shows only its dot at DRAM.
ChartRow dram_alone(const LaunchReport& found) {
  ChartRow row = chart_row(found.point, *found.placement);
  std::erase_if(row.dots, [](const Dot& dot) { return dot.level != MemoryLevel::dram; });
  return row;
}

std::vector<std::string> pipes_of(const std::vector<LaunchReport>& all) {
  std::set<std::string> pipes;
  for (const LaunchReport& found : all) {
    if (found.placement->performance) {
      pipes.insert(found.placement->pipe);
    }
  }
  return pipes.empty() ? std::vector<std::string>{fp32_pipe} : std::vector(pipes.begin(), pipes.end());
}

// The best of each kernel with its label, the others as a crowd.
Chart roofline_of(const Report& report) {
  Chart chart;
  for (std::size_t i = 0; i < report.best.size(); ++i) {
    if (report.best[i].placement->performance) {
      chart.rows.push_back(named_row(report.best[i], i));
      chart.rows.back().label += "  " + chart.rows.back().figure;
    }
  }
  std::ranges::sort(chart.rows, {}, &ChartRow::performance);
  for (const LaunchReport& found : report.all) {
    add_to_crowd(chart, dram_alone(found));
  }
  add_roofs(chart, report.roofs, pipes_of(report.all), std::nullopt);
  for (RoofLine& roof : chart.roofs) {
    roof.label += fmt::format(", {}", key(roof.origin));
  }
  return chart;
}

// The kernels without FLOPs, best used at the top.
Chart shares_of(const Report& report) {
  Chart chart;
  chart.kind = ChartKind::shares;
  for (std::size_t i = 0; i < report.best.size(); ++i) {
    if (!report.best[i].placement->performance) {
      chart.rows.push_back(named_row(report.best[i], i));
    }
  }
  std::ranges::sort(chart.rows, {}, &ChartRow::largest_share);
  return chart;
}

class PageDrawing {
 public:
  explicit PageDrawing(const Report& report) : report_(report) {}

  ReportPage draw() {
    const Chart roofline = roofline_of(report_), shares = shares_of(report_);
    draw_roofline(roofline);
    if (!shares.rows.empty()) {
      draw_shares(shares);
    }
    draw_cards();
    SvgPage page(page_width);
    page.draw({Box{{0, 0, page_width, y_}, 0, {colours_.background}}});
    page.draw(cards_);
    for (const ChartPicture& picture : pictures_) {
      page.draw(picture);
      explain(page, picture);
    }
    page.draw(words_);
    return {std::move(page), y_};
  }

 private:
  void draw_roofline(const Chart& chart) {
    const Rect card = add_card({margin, page_width - 2 * margin}, roofline_height);
    write({card.x + pad, card.y + 24}, report_.gpu, Type::heading, colours_.text);
    write({card.x + pad, card.y + 46},
          report_.origin +
              "; labelled: the best of each kernel; filled = counted, half = timed, hollow = predicted",
          Type::small, colours_.dim);
    if (chart.roofs.empty()) {
      write({card.x + pad, card.y + header + 20}, "No roof of this GPU is known.", Type::body, colours_.dim);
      return;
    }
    pictures_.push_back(roofline_picture(chart, axes_around(chart), {}, frame_in(card)));
  }

  void draw_shares(const Chart& chart) {
    const auto lines = static_cast<float>(std::max<std::size_t>(chart.rows.size(), 5));
    const Rect card =
        add_card({margin, page_width - 2 * margin}, header + axis_of_shares + lines * line_of_shares);
    write({card.x + pad, card.y + 24}, "Kernels without FLOPs", Type::heading, colours_.text);
    write({card.x + pad, card.y + 46}, "the best of each: its share of each memory level's roof", Type::small,
          colours_.dim);
    const ChartLook look{.lines = chart.rows.size()};
    pictures_.push_back(share_picture(chart, look, frame_in(card)));
  }

  ChartFrame frame_in(const Rect& card) const {
    return {{card.x + pad / 2, card.y + header, card.width - pad, card.height - header - pad / 2},
            1,
            &colours_,
            measure_};
  }

  // In rows of four, each as high as its highest card.
  void draw_cards() {
    const float width = card_width();
    for (std::size_t first = 0; first < report_.best.size(); first += card_columns) {
      const std::size_t last = std::min(first + card_columns, report_.best.size());
      float height = 0;
      for (std::size_t i = first; i < last; ++i) {
        height = std::max(height, height_of(report_.best[i]));
      }
      const float top = y_;
      for (std::size_t i = first; i < last; ++i) {
        y_ = top;
        const float x = margin + (width + margin) * static_cast<float>(i - first);
        draw_card(add_card({x, width}, height), report_.best[i]);
      }
    }
  }

  float height_of(const LaunchReport& found) const {
    const std::size_t lines = wrapped(dials_of(found), card_width() - 2 * pad).size();
    return card_header + dials_step * static_cast<float>(lines) +
           bar_step * static_cast<float>(found.placement->levels.size()) + pad;
  }

  static float card_width() { return (page_width - margin * (card_columns + 1)) / card_columns; }

  // A report names the kernel first.
  static std::string dials_of(const LaunchReport& found) {
    return found.name.substr(std::min(found.name.size(), found.point.kernel.size() + 1));
  }

  // At spaces, into lines of that width.
  std::vector<std::string> wrapped(const std::string& words, float width) const {
    std::vector<std::string> lines;
    std::istringstream rest(words);
    for (std::string word; rest >> word;) {
      const std::string longer = lines.empty() ? word : lines.back() + " " + word;
      if (!lines.empty() && measure_(Type::small, longer).width <= width) {
        lines.back() = longer;
      } else {
        lines.push_back(fitted(word, Type::small, width));
      }
    }
    return lines;
  }

  void draw_card(const Rect& card, const LaunchReport& found) {
    const Rect inner{card.x + pad, card.y, card.width - 2 * pad, card.height};
    write({inner.x, card.y + 20}, fitted(found.point.kernel, Type::heading, inner.width), Type::heading,
          colours_.text);
    write({inner.x, card.y + 40}, fitted(found.verdict.title, Type::small, inner.width), Type::small,
          colours_.dim);
    float y = card.y + card_header + 8;
    for (const std::string& line : wrapped(dials_of(found), inner.width)) {
      write({inner.x, y}, line, Type::small, colours_.dim);
      y += dials_step;
    }
    for (const LevelUse& use : found.placement->levels) {
      draw_bar({inner.x, y}, inner.width, found, use);
      y += bar_step;
    }
  }

  void draw_bar(Spot at, float width, const LaunchReport& found, const LevelUse& use) {
    const auto share = static_cast<float>(std::clamp(use.share.value_or(0), 0.0, 1.0));
    const Cell intensity = found.cell(Figure::intensity, use.level);
    const Cell of_roof = found.cell(Figure::roof_share, use.level);
    const std::string figures =
        fmt::format("{}  {:>6}", found.cell(Figure::bandwidth, use.level).text, of_roof.marked());
    const float room = width - measure_(Type::figure_small, figures).width - pad / 2;
    const std::string label = fmt::format("{}  {}", title(use.level), intensity.value ? intensity.text : "");
    write(at, fitted(label, Type::small, room), Type::small, colours_.dim);
    words_.push_back(Words{{at.x + width, at.y},
                           figures,
                           Type::figure_small,
                           {of_roof.flag.empty() ? colours_.dim : colours_.bad},
                           Anchor::end});
    cards_.push_back(Box{{at.x, at.y + 9, width, 5}, 2, {colours_.edge}});
    cards_.push_back(Box{{at.x, at.y + 9, width * share, 5}, 2, {colours_.level(use.level)}});
  }

  struct Across {
    float x, width;
  };
  Rect add_card(Across across, float height) {
    const Rect place{across.x, y_, across.width, height};
    cards_.push_back(Box{place, 8, {colours_.panel}, Ink{colours_.edge}});
    y_ += height + margin;
    return place;
  }

  std::string fitted(const std::string& words, Type type, float width) const {
    return shortened(words, type, width, measure_);
  }

  void write(Spot at, const std::string& words, Type type, Rgb colour) {
    words_.push_back(Words{at, words, type, {colour}});
  }

  void explain(SvgPage& page, const ChartPicture& picture) const {
    for (const PlacedDot& dot : picture.dots) {
      if (dot.radius < smallest_explained) {
        continue;
      }
      const LaunchReport& found = report_.best.at(dot.launch);
      std::string words = found.name;
      for (const std::string& line :
           level_facts(found.point, *found.placement, *found.placement->level(dot.level))) {
        words += "\n" + line;
      }
      page.explain(dot, words);
    }
  }

  static constexpr float smallest_explained = 5;  // those of the crowd are smaller

  const Report& report_;
  const Palette& colours_ = palette(Theme::light);
  Measure measure_ = svg_measure();
  float y_ = margin;
  Drawing cards_, words_;
  std::vector<ChartPicture> pictures_;
};

}  // namespace

ReportPage report_page(const Report& report) {
  return PageDrawing(report).draw();
}

}  // namespace rooftile::cli
