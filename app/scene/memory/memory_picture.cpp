#include "app/scene/memory/memory_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rooftile::scene {
namespace {

constexpr float rung_names = 150, rung_bar = 14, rung_words = 16, tallest_rung = 64, rung_edge = 4;

std::string facts_of(const MemoryRung& rung) {
  std::vector<std::string> facts;
  for (const std::string& each : {rung.room, rung.hits, rung.latency}) {
    if (!each.empty()) {
      facts.push_back(each);
    }
  }
  return fmt::format("{}", fmt::join(facts, "   "));
}

class LadderDrawing {
 public:
  LadderDrawing(const MemoryView& view, const ChartFrame& frame)
      : frame_(frame),
        colours_(*frame.colours),
        height_(std::clamp(frame.place.height / static_cast<float>(std::max<std::size_t>(view.rungs.size(), 1)),
                           frame.px(rung_height), frame.px(tallest_rung))) {
    for (const MemoryRung& rung : view.rungs) {
      most_ = std::max(most_, rung.bytes.value_or(0));
    }
  }

  Drawing draw(const MemoryView& view) {
    for (std::size_t i = 0; i < view.rungs.size(); ++i) {
      draw_rung(view.rungs[i], frame_.place.y + height_ * static_cast<float>(i));
    }
    return std::move(drawing_);
  }

 private:
  void draw_rung(const MemoryRung& rung, float top) {
    const Rect& place = frame_.place;
    const Rgb colour = rung.level ? colours_.level(*rung.level) : colours_.dim;
    const float left = place.x + frame_.px(rung_names), width = place.width - frame_.px(rung_names);
    const float middle = top + frame_.px(rung_bar / 2 + rung_edge);
    write({place.x, middle}, rung.name, Type::figure_strong, colours_.text, frame_.px(rung_names));
    const Rect track{left, top + frame_.px(rung_edge), width, frame_.px(rung_bar)};
    if (rung.bytes && most_ > 0) {
      drawing_.push_back(Box{track, frame_.px(3), {colours_.edge, 0.45f}});
      drawing_.push_back(
          Box{{track.x, track.y, std::max(frame_.px(2), width * static_cast<float>(*rung.bytes / most_)),
               track.height},
              frame_.px(3),
              {colour}});
    }
    const float below = track.bottom() + frame_.px(rung_words / 2 + 2);
    float x = left;
    if (!rung.moved.empty()) {
      write({x, below}, rung.moved, Type::figure_strong, colours_.text, width);
      x += frame_.measure(Type::figure_strong, rung.moved).width + frame_.px(16);
    }
    write({x, below}, facts_of(rung), Type::small, colours_.dim, place.right() - x);
  }

  void write(Spot at, const std::string& words, Type type, Rgb colour, float room) {
    drawing_.push_back(Words{at, shortened(words, type, room, frame_.measure), type, {colour}});
  }

  const ChartFrame& frame_;
  const Palette& colours_;
  float height_;
  double most_ = 0;
  Drawing drawing_;
};

}  // namespace

Drawing memory_picture(const MemoryView& view, const ChartFrame& frame) {
  return LadderDrawing(view, frame).draw(view);
}

}  // namespace rooftile::scene
