#include "app/window/charts/pen.hpp"

#include <imgui_internal.h>  // glyphs of the font

#include <algorithm>
#include <cmath>
#include <span>

#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

constexpr ImWchar bullet = 0x2022;
constexpr std::size_t batch = 4096;  // specks; a vertex has an index of 16 bits

ImVec2 vec(Spot spot) {
  return {spot.x, spot.y};
}

ImU32 inked(const Ink& wanted) {
  return ink(wanted.colour, wanted.alpha);
}

// Dots of many launches, each a letter of the font: round and smooth with four corners.
class Bullets {
 public:
  Bullets(ImDrawList& list, float radius) : list_(list) {
    ImGui::PushFont(ImGui::GetIO().Fonts->Fonts[0], 6 * radius / ImGui::GetStyle().FontScaleMain);
    glyph_ = *ImGui::GetFontBaked()->FindGlyph(bullet);
    ImGui::PopFont();
  }

  // first: where a dot begins, as a share of its width; 0.5 leaves the left half out.
  void draw(std::span<const Spot> centres, float radius, ImU32 colour, float first = 0) {
    const float left = radius * (2 * first - 1), u = glyph_.U0 + (glyph_.U1 - glyph_.U0) * first;
    for (std::size_t done = 0; done < centres.size(); done += batch) {
      const auto part = centres.subspan(done, std::min(batch, centres.size() - done));
      list_.PrimReserve(static_cast<int>(6 * part.size()), static_cast<int>(4 * part.size()));
      for (const Spot at : part) {
        list_.PrimRectUV({at.x + left, at.y - radius}, {at.x + radius, at.y + radius}, {u, glyph_.V0},
                         {glyph_.U1, glyph_.V1}, colour);
      }
    }
  }

 private:
  ImDrawList& list_;
  ImFontGlyph glyph_;
};

class MarkPen {
 public:
  explicit MarkPen(ImDrawList& list) : list_(list) {}

  void operator()(const Stroke& mark) {
    if (mark.dash > 0) {
      draw_dashed_line(list_, vec(mark.from), vec(mark.to), inked(mark.ink), mark.dash, mark.width);
    } else {
      list_.AddLine(vec(mark.from), vec(mark.to), inked(mark.ink), mark.width);
    }
  }

  void operator()(const Area& mark) {
    for (const Spot corner : mark.corners) {
      list_.PathLineTo(vec(corner));
    }
    list_.PathFillConvex(inked(mark.ink));
  }

  void operator()(const Box& mark) {
    const ImVec2 from{mark.place.x, mark.place.y}, to{mark.place.right(), mark.place.bottom()};
    list_.AddRectFilled(from, to, inked(mark.fill), mark.radius);
    if (mark.edge) {
      list_.AddRect(from, to, inked(*mark.edge), mark.radius);
    }
  }

  void operator()(const Disc& mark) { list_.AddCircleFilled(vec(mark.centre), mark.radius, inked(mark.ink)); }

  void operator()(const Ring& mark) {
    list_.AddCircle(vec(mark.centre), mark.radius, inked(mark.ink), 0, mark.width);
  }

  void operator()(const PointMark& mark) {
    draw_dot(list_, vec(mark.centre), mark.radius, mark.colour, mark.alpha, mark.evidence, mark.paper);
  }

  void operator()(const Specks& mark) {
    Bullets bullets(list_, mark.radius);
    bullets.draw(mark.centres, mark.radius, ink(mark.colour, mark.alpha));
    const float inner = 0.6f * mark.radius;
    if (mark.evidence == Evidence::predicted) {
      bullets.draw(mark.centres, inner, ink(mark.paper));
    } else if (mark.evidence == Evidence::timed) {
      bullets.draw(mark.centres, inner, ink(mark.paper), 0.5f);
    }
  }

  void operator()(const Words& mark) {
    const ImVec2 size = text_size(mark.type, mark.text);
    const float back = mark.anchor == Anchor::start ? 0 : mark.anchor == Anchor::middle ? size.x / 2 : size.x;
    if (mark.turn == 0) {
      draw_text(list_, {mark.at.x - back, mark.at.y - size.y / 2}, mark.type, inked(mark.ink), mark.text);
    } else {
      const ImVec2 start{mark.at.x - back * std::cos(mark.turn), mark.at.y - back * std::sin(mark.turn)};
      draw_turned_text(list_, start, mark.turn, mark.type, inked(mark.ink), mark.text);
    }
  }

 private:
  ImDrawList& list_;
};

}  // namespace

void draw(ImDrawList& list, const Drawing& drawing) {
  MarkPen pen(list);
  for (const Mark& mark : drawing) {
    std::visit(pen, mark);
  }
}

Measure window_measure() {
  return [](Type type, std::string_view text) {
    const ImVec2 size = text_size(type, text);
    return Size{size.x, size.y};
  };
}

}  // namespace rooftile::window
