#include "app/scene/picture/svg_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/text/safe_text.hpp"

namespace rooftile::scene {
namespace {

// Width of a letter, as a share of the type's size. DejaVu Sans Mono is the widest monospaced font of the list.
constexpr float sans_width = 0.56f, bold_width = 0.6f, mono_width = 0.602f, line_height = 1.25f;
constexpr float baseline = 0.35f;  // below half the height of the words

const char* families(bool mono) {
  return mono ? "Inconsolata, 'DejaVu Sans Mono', Menlo, monospace"
              : "Roboto, 'Noto Sans', Helvetica, Arial, sans-serif";
}

std::string hex(Rgb colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

std::string stroke(const Ink& ink, float width) {
  return fmt::format(R"(fill="none" stroke="{}" stroke-opacity="{:.2f}" stroke-width="{:.1f}")",
                     hex(ink.colour), ink.alpha, width);
}

std::string fill(const Ink& ink) {
  return fmt::format(R"(fill="{}" fill-opacity="{:.2f}")", hex(ink.colour), ink.alpha);
}

std::string circle(Spot centre, float radius, const std::string& look) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}/>\n", centre.x, centre.y, radius,
                     look);
}

std::string left_half(Spot centre, float radius, const std::string& look) {
  return fmt::format("<path d=\"M{0:.1f} {1:.1f}a{2:.1f} {2:.1f} 0 0 0 0 {3:.1f}z\" {4}/>\n", centre.x,
                     centre.y - radius, radius, 2 * radius, look);
}

class SvgPen {
 public:
  explicit SvgPen(std::string& body) : body_(body) {}

  void operator()(const Stroke& mark) {
    const std::string dashes =
        mark.dash > 0 ? fmt::format(" stroke-dasharray=\"{:.1f}\"", mark.dash) : std::string();
    body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}{}/>\n", mark.from.x,
                         mark.from.y, mark.to.x, mark.to.y, stroke(mark.ink, mark.width), dashes);
  }

  void operator()(const Area& mark) {
    body_ += "<polygon points=\"";
    for (const Spot corner : mark.corners) {
      body_ += fmt::format("{:.1f},{:.1f} ", corner.x, corner.y);
    }
    body_ += fmt::format("\" {}/>\n", fill(mark.ink));
  }

  void operator()(const Box& mark) {
    const std::string edge = mark.edge ? fmt::format(" stroke=\"{}\"", hex(mark.edge->colour)) : std::string();
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\" {}{}/>\n",
        mark.place.x, mark.place.y, mark.place.width, mark.place.height, mark.radius, fill(mark.fill), edge);
  }

  void operator()(const Disc& mark) { body_ += circle(mark.centre, mark.radius, fill(mark.ink)); }
  void operator()(const Ring& mark) { body_ += circle(mark.centre, mark.radius, stroke(mark.ink, mark.width)); }

  void operator()(const PointMark& mark) {
    const Ink ink{mix(mark.paper, mark.colour, mark.alpha)};
    if (mark.evidence == Evidence::counted) {
      body_ += circle(mark.centre, mark.radius, fill(ink));
      return;
    }
    const float line = std::max(1.5f, mark.radius * 0.28f);
    body_ += circle(mark.centre, mark.radius - line / 2, stroke(ink, line));
    if (mark.evidence == Evidence::timed) {
      body_ += left_half(mark.centre, mark.radius, fill(ink));
    }
  }

  void operator()(const Specks& mark) {
    if (mark.evidence != Evidence::counted) {
      for (const Spot at : mark.centres) {
        (*this)(PointMark{at, mark.radius, mark.colour, mark.paper, mark.alpha, mark.evidence});
      }
      return;
    }
    body_ += "<path d=\"";
    for (const Spot at : mark.centres) {
      body_ += fmt::format("M{:.1f} {:.1f}h0", at.x, at.y);
    }
    body_ +=
        fmt::format("\" {} stroke-linecap=\"round\"/>\n", stroke({mark.colour, mark.alpha}, 2 * mark.radius));
  }

  void operator()(const Words& mark) {
    const TypeFace type = face(mark.type);
    const std::string turn =
        mark.turn == 0 ? std::string()
                       : fmt::format(" transform=\"rotate({:.2f} {:.1f} {:.1f})\"",
                                     mark.turn * 180 / std::numbers::pi_v<float>, mark.at.x, mark.at.y);
    body_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" {} font-size=\"{}\" font-weight=\"{}\" font-family=\"{}\" "
        "text-anchor=\"{}\"{}>{}</text>\n",
        mark.at.x, mark.at.y + baseline * type.size, fill(mark.ink), type.size, type.bold ? 700 : 400,
        families(type.mono), anchor(mark.anchor), turn, xml_text(mark.text));
  }

 private:
  static const char* anchor(Anchor anchor) {
    return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
  }

  std::string& body_;
};

// A mark without a place, of a launch whose figures make none, would spoil the picture.
struct IsFinite {
  template <class... Float>
  static bool all(Float... values) {
    return (std::isfinite(values) && ...);
  }
  static bool at(Spot spot) { return all(spot.x, spot.y); }
  bool operator()(const Stroke& mark) const { return at(mark.from) && at(mark.to); }
  bool operator()(const Area& mark) const { return std::ranges::all_of(mark.corners, at); }
  bool operator()(const Box& mark) const {
    return all(mark.place.x, mark.place.y, mark.place.width, mark.place.height);
  }
  bool operator()(const Disc& mark) const { return at(mark.centre) && all(mark.radius); }
  bool operator()(const Ring& mark) const { return at(mark.centre) && all(mark.radius); }
  bool operator()(const PointMark& mark) const { return at(mark.centre) && all(mark.radius); }
  bool operator()(const Specks& mark) const { return std::ranges::all_of(mark.centres, at); }
  bool operator()(const Words& mark) const { return at(mark.at) && all(mark.turn); }
};

float letters(std::string_view text) {
  return static_cast<float>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

}  // namespace

const platform::FileKind svg_kind = {"an SVG picture",
                                     [](std::string_view text) { return text.starts_with("<svg "); }};

void SvgPage::draw(const Drawing& drawing) {
  SvgPen pen(body_);
  for (const Mark& mark : drawing) {
    if (std::visit(IsFinite{}, mark)) {
      std::visit(pen, mark);
    }
  }
}

void SvgPage::draw(const ChartPicture& picture) {
  draw(picture.around);
  const Rect& plot = picture.plot;
  ++clips_;
  body_ += fmt::format(
      "<clipPath id=\"plot{0}\"><rect x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{4:.1f}\"/>"
      "</clipPath>\n<g clip-path=\"url(#plot{0})\">\n",
      clips_, plot.x, plot.y, plot.width, plot.height);
  draw(picture.inside);
  body_ += "</g>\n";
}

void SvgPage::explain(const PlacedDot& dot, std::string_view words) {
  if (!IsFinite::at(dot.at)) {
    return;
  }
  body_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill-opacity=\"0\"><title>{}</title></circle>\n",
      dot.at.x, dot.at.y, dot.radius, xml_text(words));
}

std::string SvgPage::str(float height) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "xml:space=\"preserve\">\n{2}</svg>\n",
      width_, height, body_);
}

Measure svg_measure() {
  return [](Type type, std::string_view text) {
    const TypeFace wanted = face(type);
    const float width = wanted.mono ? mono_width : wanted.bold ? bold_width : sans_width;
    return Size{letters(text) * width * wanted.size, line_height * wanted.size};
  };
}

}  // namespace rooftile::scene
