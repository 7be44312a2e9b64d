#include "app/window/charts/canvas.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

constexpr float newest_radius = 8, older_radius = 5, ghost_radius = 7;
constexpr std::size_t longest_trail = 14, most_labels = 6;

float radius(const AppState& state, const PlacedRow& placed) {
  return px(state, placed.current ? newest_radius : older_radius);
}

// After a sweep there are too many points to follow one to the next.
bool is_cloud(const std::vector<PlacedRow>& rows) {
  return rows.size() > longest_trail;
}

ImVec2 between(ImVec2 from, ImVec2 to, double progress) {
  const auto t = static_cast<float>(progress);
  return {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

std::optional<ImVec2> place_dot(const AppState& state, const Placing& placing, const ChartRow& row,
                                const Dot& dot, std::size_t index, bool current) {
  const auto there = placing(row, dot, index);
  const Dot* before = current && state.view.motion ? state.view.motion->from.dot(dot.level) : nullptr;
  const auto start = before ? placing(state.view.motion->from, *before, index) : std::nullopt;
  return there && start ? between(*start, *there, motion_progress(state)) : there;
}

void draw_connection(const Canvas& canvas, const PlacedRow& placed) {
  if (placed.dots.size() < 2 || !(placed.current || placed.row->pinned)) {
    return;
  }
  const auto [left, right] =
      std::ranges::minmax(placed.dots, {}, [](const PlacedDot& each) { return each.at.x; });
  draw_dashed_line(canvas.draw, left.at, right.at, ink(colours(canvas.state).dim, 0.65f), px(canvas.state, 4));
}

// Dots above the roof are flagged, never clamped.
void draw_ring(const Canvas& canvas, const PlacedDot& placed, float inner) {
  canvas.draw.AddCircle(placed.at, inner + px(canvas.state, 4), ink(colours(canvas.state).bad), 0,
                        px(canvas.state, 2));
}

void draw_row(const Canvas& canvas, const PlacedRow& placed) {
  const Palette& token = colours(canvas.state);
  draw_connection(canvas, placed);
  const float size = radius(canvas.state, placed);
  for (const PlacedDot& each : placed.dots) {
    const Rgb colour = token.level(each.dot->level);
    if (placed.current) {
      canvas.draw.AddCircleFilled(each.at, size * 2.1f, ink(colour, 0.13f));
    }
    canvas.draw.AddCircleFilled(each.at, size + px(canvas.state, 1.5f), ink(token.panel));
    draw_dot(canvas.draw, each.at, size, colour, static_cast<float>(placed.row->freshness),
             placed.row->evidence, token.panel);
    if (each.dot->above_roof) {
      draw_ring(canvas, each, size);
    }
    if (placed.row->pinned) {
      canvas.draw.AddCircle(each.at, size + px(canvas.state, 3), ink(colour, 0.7f), 0, px(canvas.state, 1));
    }
  }
}

// Right of the dot, or left of it where the plot ends.
void draw_label(const Canvas& canvas, ImVec2 dot, const std::string& label) {
  const float away = px(canvas.state, 12), width = text_size(Type::figure_small, label).x;
  const bool fits = dot.x + away + width <= canvas.max.x;
  draw_text(canvas.draw, {fits ? dot.x + away : dot.x - away - width, dot.y - px(canvas.state, 8)},
            Type::figure_small, ink(colours(canvas.state).dim), label);
}

bool near(ImVec2 a, ImVec2 b, float distance) {
  return std::hypot(a.x - b.x, a.y - b.y) <= distance;
}

}  // namespace

// Beside the dot of the chosen level, unless another label is too near.
void draw_labels(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  std::vector<float> taken;
  for (const PlacedRow& placed : rows | std::views::reverse) {
    const PlacedDot* dot = placed.find(canvas.state.view.level);
    if (!dot) {
      continue;
    }
    const bool crowded =
        std::ranges::any_of(taken, [&](float y) { return std::abs(y - dot->at.y) < px(canvas.state, 13); });
    const bool wanted = placed.row->pinned || (taken.size() < most_labels && !is_cloud(rows));
    if (!placed.current && !crowded && wanted) {
      draw_label(canvas, dot->at, placed.row->label);
    }
    if (!crowded) {
      taken.push_back(dot->at.y);
    }
  }
}

const PlacedDot* PlacedRow::find(MemoryLevel level) const {
  const auto found =
      std::ranges::find_if(dots, [&](const PlacedDot& each) { return each.dot->level == level; });
  return found != dots.end() ? &*found : nullptr;
}

double motion_progress(const AppState& state) {
  if (!state.view.motion) {
    return 1;
  }
  const double t = std::clamp((state.now - state.view.motion->started) / motion_seconds, 0.0, 1.0);
  return 1 - (1 - t) * (1 - t) * (1 - t);
}

std::vector<PlacedRow> place_rows(const AppState& state, const Placing& placing) {
  std::vector<PlacedRow> result;
  const auto& rows = state.shown.chart.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PlacedRow placed{&rows[i], {}, i + 1 == rows.size()};
    for (const Dot& dot : rows[i].dots) {
      if (const auto at = place_dot(state, placing, rows[i], dot, i, placed.current)) {
        placed.dots.push_back({&dot, *at});
      }
    }
    result.push_back(std::move(placed));
  }
  return result;
}

void draw_trail(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  for (std::size_t i = 1; i < rows.size() && !is_cloud(rows); ++i) {
    for (const PlacedDot& to : rows[i].dots) {
      if (const PlacedDot* from = rows[i - 1].find(to.dot->level)) {
        const auto alpha = 0.6f * static_cast<float>(rows[i].row->freshness);
        canvas.draw.AddLine(from->at, to.at, ink(colours(canvas.state).level(to.dot->level), alpha),
                            px(canvas.state, 1.5f));
      }
    }
  }
}

void draw_rows(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  for (const PlacedRow& placed : rows) {
    draw_row(canvas, placed);
  }
}

void draw_ghost(const Canvas& canvas, const Placing& placing) {
  const Chart& chart = canvas.state.shown.chart;
  if (!chart.ghost) {
    return;
  }
  const std::size_t index = chart.rows.empty() ? 0 : chart.rows.size() - 1;
  for (const Dot& dot : chart.ghost->dots) {
    if (const auto at = placing(*chart.ghost, dot, index)) {
      canvas.draw.AddCircle(*at, px(canvas.state, ghost_radius),
                            ink(colours(canvas.state).level(dot.level), 0.85f), 0, px(canvas.state, 1.6f));
    }
  }
}

void draw_flag(const Canvas& canvas, ImVec2 at, std::string_view strong, std::string_view plain) {
  const AppState& state = canvas.state;
  const ImVec2 first = text_size(Type::figure_strong, strong), second = text_size(Type::figure_strong, plain);
  const ImVec2 pad{px(state, 10), px(state, 5)};
  const float between_words = px(state, 10);
  const ImVec2 size{first.x + between_words + second.x + 2 * pad.x, first.y + 2 * pad.y};
  ImVec2 from{at.x - size.x / 2, at.y - size.y - px(state, 16)};
  from.x = std::clamp(from.x, canvas.min.x + px(state, 4),
                      std::max(canvas.min.x, canvas.max.x - size.x - px(state, 4)));
  if (from.y < canvas.min.y + px(state, 4)) {
    from.y = at.y + px(state, 16);
  }
  const ImVec2 to{from.x + size.x, from.y + size.y};
  const Palette& token = colours(state);
  canvas.draw.AddRectFilled(from, to, ink(mix(token.panel, token.background, 0.9)), px(state, 5));
  canvas.draw.AddRect(from, to, ink(token.edge), px(state, 5));
  draw_text(canvas.draw, {from.x + pad.x, from.y + pad.y}, Type::figure_strong, ink(token.text), strong);
  draw_text(canvas.draw, {from.x + pad.x + first.x + between_words, from.y + pad.y}, Type::figure_strong,
            ink(token.text), plain);
}

bool draw_dot_hint(const Canvas& canvas, const std::vector<PlacedRow>& rows) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  for (const PlacedRow& placed : rows | std::views::reverse) {
    for (const PlacedDot& each : placed.dots) {
      if (near(pointer, each.at, radius(canvas.state, placed) + px(canvas.state, 3))) {
        std::vector<std::string> lines{placed.row->label + "   " + placed.row->figure};
        lines.insert(lines.end(), each.dot->facts.begin(), each.dot->facts.end());
        hint(canvas.state, lines);
        return true;
      }
    }
  }
  return false;
}

}  // namespace rooftile::window
