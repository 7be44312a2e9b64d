#include "app/scene/access/picture_page.hpp"

#include <fmt/format.h>

#include <functional>
#include <sstream>

#include "app/scene/access/access_picture.hpp"
#include "app/scene/memory/memory_picture.hpp"
#include "app/scene/picture/svg_page.hpp"
#include "app/scene/tile/tile_picture.hpp"

namespace rooftile::scene {
namespace {

constexpr float picture_width = 1000, page_margin = 24, words_line = 20, title_line = 30, tile_height = 420;

// The words of a picture, and how it is drawn.
struct PageContent {
  std::vector<std::string> sentences;
  std::function<float(const ChartFrame&)> height;
  std::function<Drawing(const ChartFrame&)> draw;
};

std::optional<PageContent> content_of(const AccessView& view) {
  if (!view.notice.empty()) {
    return std::nullopt;
  }
  return PageContent{{view.access, view.step_sentence, view.sentence},
                     [&](const ChartFrame& frame) { return whole_height(view, frame); },
                     [&](const ChartFrame& frame) { return access_picture(view, frame).drawing; }};
}

std::optional<PageContent> content_of(const TileView& view) {
  if (!view.notice.empty()) {
    return std::nullopt;
  }
  return PageContent{{view.sentence},
                     [](const ChartFrame&) { return tile_height; },
                     [&](const ChartFrame& frame) { return tile_picture(view, frame).drawing; }};
}

std::optional<PageContent> content_of(const MemoryView& view) {
  if (!view.notice.empty()) {
    return std::nullopt;
  }
  return PageContent{
      {view.sentence},
      [&](const ChartFrame& frame) { return frame.px(rung_height) * static_cast<float>(view.rungs.size()); },
      [&](const ChartFrame& frame) { return memory_picture(view, frame); }};
}

// Belongs to the picture that is open; state must outlive it.
std::optional<PageContent> open_content(const AppState& state) {
  const Shown& shown = state.derived.shown;
  return is_open(state.view, Panel::banks)     ? content_of(shown.banks)
         : is_open(state.view, Panel::sectors) ? content_of(shown.sectors)
         : is_open(state.view, Panel::tile)    ? content_of(shown.tile)
         : is_open(state.view, Panel::memory)  ? content_of(shown.memory)
                                               : std::nullopt;
}

std::vector<std::string> wrapped(const std::string& text, float width, const Measure& measure) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    measure(Type::body, longer).width <= width ? lines.back() = longer : lines.emplace_back(word);
  }
  return lines;
}

class PicturePage {
 public:
  explicit PicturePage(const AppState& state) : colours_(palette(state.settings.theme)), state_(state) {}

  std::string str(const PageContent& content) {
    write_head(content);
    ChartFrame frame;
    frame.colours = &colours_;
    frame.measure = svg_measure();
    frame.place = {page_margin, y_ + page_margin / 2, picture_width - 2 * page_margin, content.height(frame)};
    const float height = frame.place.bottom() + page_margin;
    SvgPage page(picture_width);
    page.draw(Drawing{Box{{0, 0, picture_width, height}, 0, {colours_.background}}});
    page.draw(words_);
    page.draw(content.draw(frame));
    return page.str(height);
  }

 private:
  void write_head(const PageContent& content) {
    write(Type::title, colours_.text, fmt::format("{} on {}", kernel(state_).title, state_.choice.gpu),
          title_line);
    write(Type::body, colours_.dim, text(given_of(kernel(state_), dialled(state_))), words_line);
    for (const std::string& sentence : content.sentences) {
      for (const std::string& each : wrapped(sentence, picture_width - 2 * page_margin, svg_measure())) {
        write(Type::body, colours_.text, each, each.empty() ? 0 : words_line);
      }
    }
  }

  void write(Type type, Rgb colour, const std::string& words, float height) {
    words_.push_back(Words{{page_margin, y_ + height / 2}, words, type, {colour}});
    y_ += height;
  }

  const Palette& colours_;
  const AppState& state_;
  Drawing words_;
  float y_ = page_margin;
};

}  // namespace

bool has_picture_page(const AppState& state) {
  return open_content(state).has_value();
}

std::string picture_page(const AppState& state) {
  const auto content = open_content(state);
  return content ? PicturePage(state).str(*content) : "";
}

}  // namespace rooftile::scene
