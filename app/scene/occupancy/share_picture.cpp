#include <algorithm>
#include <numbers>

#include "analysis/text/format.hpp"
#include "app/scene/picture/chart_picture.hpp"
#include "app/scene/picture/picture_beside.hpp"
#include "app/scene/picture/picture_rows.hpp"
#include "app/scene/picture/row_labels.hpp"

namespace rooftile::scene {
namespace {

constexpr float names_share = 0.22f, narrowest_names = 130, widest_names = 300;  // left of the plot
constexpr float share_right = 12, share_top = 8, share_bottom = 54;
constexpr double least_shown_share = 1.15;  // at the right edge
constexpr double room_beyond = 1.05;        // of a dot above its roof: flagged, never hidden
constexpr double fewest_lines = 5;
constexpr float least_line = 34;  // that has room for two rows of words

class ShareDrawing {
 public:
  ShareDrawing(const Chart& chart, const ChartLook& look, const ChartFrame& frame)
      : chart_(chart), look_(look), frame_(frame), colours_(*frame.colours), room_(plot()) {
    picture_.plot = plot();
    shown_share_ = std::max(least_shown_share, room_beyond * largest_share());
  }

  ChartPicture draw() {
    draw_axis();
    draw_roof();
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      if (is_shown(i)) {
        draw_bar(chart_.rows[i], i);
        write_names(chart_.rows[i], i);
      }
    }
    if (chart_.rows.empty() && chart_.ghost) {
      write_names(*chart_.ghost, 0);
    }
    const Placing placing = [&](const ChartRow&, const Dot& dot, std::size_t index) {
      return place(dot, index);
    };
    const auto rows = lay_out_rows(picture_, room_, chart_, look_, frame_, placing);
    lay_out_beside(picture_, room_, chart_, rows, look_, frame_, placing);
    flag_newest();
    lay_out_legend(picture_, room_, chart_, frame_);
    ring_pointed(picture_, look_, frame_);
    return std::move(picture_);
  }

 private:
  Rect plot() const {
    const Rect& place = frame_.place;
    const float left =
        std::clamp(place.width * names_share, frame_.px(narrowest_names), frame_.px(widest_names));
    return {place.x + left, place.y + frame_.px(share_top),
            std::max(1.0f, place.width - left - frame_.px(share_right)),
            std::max(1.0f, place.height - frame_.px(share_top + share_bottom))};
  }

  double largest_share() const {
    double largest = 0;
    for (std::size_t i = 0; i < chart_.rows.size(); ++i) {
      largest = std::max(largest, is_shown(i) ? chart_.rows[i].largest_share() : 0);
    }
    for (const BesideRow& beside : chart_.beside) {
      largest = std::max(largest, is_shown(beside.of) ? beside.row.largest_share() : 0);
    }
    return largest;
  }

  float x_of(double share) const {
    return picture_.plot.x + picture_.plot.width * static_cast<float>(share / shown_share_);
  }

  // The newest launch stands in the top line.
  double line_of(std::size_t index) const { return static_cast<double>(chart_.rows.size() - 1 - index) + 0.5; }
  double lines() const {
    const auto most = static_cast<double>(std::min(chart_.rows.size(), look_.lines));
    return std::max(most, fewest_lines);
  }
  bool is_shown(std::size_t index) const { return line_of(index) < lines(); }

  float y_of(std::size_t index) const {
    const double line = chart_.rows.empty() ? 0.5 : line_of(index);
    return picture_.plot.y + picture_.plot.height * static_cast<float>(line / lines());
  }

  std::optional<Spot> place(const Dot& dot, std::size_t index) const {
    return dot.share && (chart_.rows.empty() || is_shown(index))
               ? std::optional(Spot{x_of(*dot.share), y_of(index)})
               : std::nullopt;
  }

  void draw_axis() {
    const Rect& plot = picture_.plot;
    for (const double share : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
      const float x = x_of(share);
      add(Stroke{{x, plot.y}, {x, plot.bottom()}, {colours_.edge}});
      add(Words{
          {x, plot.bottom() + frame_.px(15)}, percent(share), Type::small, {colours_.dim}, Anchor::middle});
    }
    add(Box{plot, 0, {colours_.panel, 0}, Ink{colours_.edge}});
    add(Words{{plot.x + plot.width / 2, plot.bottom() + frame_.px(39)},
              "Share of each level's roof",
              Type::small,
              {colours_.dim},
              Anchor::middle});
  }

  void draw_roof() {
    const float x = x_of(1);
    const Spot foot{x, picture_.plot.bottom()};
    picture_.inside.push_back(Stroke{foot, {x, picture_.plot.y}, {colours_.compute}, frame_.px(2)});
    room_.avoid({foot, {x, picture_.plot.y}});
    const Size size = frame_.measure(Type::small, roof_label);
    const Bar along{{x + frame_.px(12), foot.y - frame_.px(12)},
                    {x + frame_.px(12), foot.y - frame_.px(12) - size.width},
                    size.height / 2};
    if (const auto at = room_.place(std::span(&along, 1))) {
      picture_.inside.push_back(Words{at->from,
                                      roof_label,
                                      Type::small,
                                      {colours_.compute},
                                      Anchor::start,
                                      -std::numbers::pi_v<float> / 2});
    }
  }

  // From zero to the level that is used most: what bounds the launch.
  void draw_bar(const ChartRow& row, std::size_t index) {
    const auto widest =
        std::ranges::max_element(row.dots, {}, [](const Dot& dot) { return dot.share.value_or(0); });
    if (widest == row.dots.end() || !widest->share) {
      return;
    }
    const bool newest = row.emphasis == Emphasis::newest;
    const float half = frame_.px(newest ? 9 : 6), y = y_of(index);
    const float alpha = (newest ? 0.22f : 0.12f) * static_cast<float>(std::max(0.4, row.freshness));
    picture_.inside.push_back(Box{{picture_.plot.x, y - half, x_of(*widest->share) - picture_.plot.x, 2 * half},
                                  half,
                                  {colours_.level(widest->level), alpha}});
  }

  // The name above the figure; beside it where lines stand too close for two rows of words.
  void write_names(const ChartRow& row, std::size_t index) {
    const bool newest = row.emphasis == Emphasis::newest;
    const Type type = newest ? Type::figure_strong : Type::figure_small;
    const Size figure = frame_.measure(Type::figure_small, row.figure);
    const bool above = picture_.plot.height / static_cast<float>(lines()) >= frame_.px(least_line);
    const float x = picture_.plot.x - frame_.px(12), y = y_of(index), apart = above ? frame_.px(9) : 0;
    const float right = above ? x : x - figure.width - frame_.px(8), room = right - frame_.place.x;
    add(Words{{right, y - apart},
              shortened(row.label, type, std::max(0.0f, room), frame_.measure),
              type,
              {newest ? colours_.text : colours_.dim},
              Anchor::end});
    add(Words{{x, y + apart}, row.figure, Type::figure_small, {colours_.dim}, Anchor::end});
  }

  void flag_newest() {
    const ChartRow* newest = chart_.rows.empty() ? nullptr : &chart_.rows.back();
    const Dot* dot = newest && newest->emphasis == Emphasis::newest ? newest->dot(look_.level) : nullptr;
    const auto at = dot ? place(*dot, chart_.rows.size() - 1) : std::nullopt;
    if (at) {
      lay_out_flag(picture_.inside, room_, *at, std::string(title(dot->level)),
                   text(dot->bandwidth) + "  " + percent(*dot->share), frame_);
    }
  }

  void add(Mark mark) { picture_.around.push_back(std::move(mark)); }

  static constexpr const char* roof_label = "100 % = roof";

  const Chart& chart_;
  const ChartLook& look_;
  const ChartFrame& frame_;
  const Palette& colours_;
  ChartPicture picture_;
  LabelRoom room_;
  double shown_share_ = least_shown_share;
};

}  // namespace

ChartPicture share_picture(const Chart& chart, const ChartLook& look, const ChartFrame& frame) {
  return ShareDrawing(chart, look, frame).draw();
}

}  // namespace rooftile::scene
