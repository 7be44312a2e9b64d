#include "app/cli/svg.hpp"

#include <fmt/format.h>

#include <fstream>

#include "analysis/error.hpp"

namespace rooftile::cli {
namespace {

constexpr const char* sans = "Roboto, 'Noto Sans', Helvetica, Arial, sans-serif";
constexpr const char* mono = "Inconsolata, 'DejaVu Sans Mono', Menlo, monospace";

std::string escaped(std::string_view words) {
  std::string safe;
  for (const char letter : words) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

std::string stroke(const Pen& pen) {
  return fmt::format(R"(stroke="{}" stroke-width="{}"{})", pen.colour, pen.width,
                     pen.dashes.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", pen.dashes));
}

std::string points(const std::vector<Spot>& spots) {
  std::string all;
  for (const auto& spot : spots) {
    all += fmt::format("{}{:.1f},{:.1f}", all.empty() ? "" : " ", spot.x, spot.y);
  }
  return all;
}

std::string_view anchor(char letter) {
  return letter == 'e' ? "end" : letter == 'm' ? "middle" : "start";
}

}  // namespace

void Svg::line(Spot from, Spot to, const Pen& pen) {
  path({from, to}, pen);
}

void Svg::path(const std::vector<Spot>& spots, const Pen& pen) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke-linejoin=\"round\" {}/>\n", points(spots),
                       stroke(pen));
}

void Svg::polygon(const std::vector<Spot>& spots, const std::string& fill, double opacity) {
  body_ +=
      fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n", points(spots), fill, opacity);
}

void Svg::box(Spot corner, double width, double height, double radius, const std::string& fill,
              const std::string& edge) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" fill=\"{}\" "
      "stroke=\"{}\"/>\n",
      corner.x, corner.y, width, height, radius, fill, edge);
}

void Svg::dot(Spot centre, double radius, const std::string& fill, double opacity,
              const std::optional<Pen>& outline, const std::string& about) {
  body_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\" "
      "opacity=\"{:.2f}\"{}><title>{}</title></circle>\n",
      centre.x, centre.y, radius, fill, opacity, outline ? " " + stroke(*outline) : "", escaped(about));
}

void Svg::text(Spot at, const std::string& words, const Letters& letters) {
  std::string more;
  if (letters.turn != 0) {
    more = fmt::format(" transform=\"rotate({:.2f} {:.1f} {:.1f})\"", letters.turn, at.x, at.y);
  }
  if (!letters.halo.empty()) {
    more += fmt::format(" paint-order=\"stroke\" stroke=\"{}\" stroke-width=\"4\"", letters.halo);
  }
  body_ += fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" font-size=\"{}\" font-weight=\"{}\" font-family=\"{}\" "
      "text-anchor=\"{}\"{}>{}</text>\n",
      at.x, at.y, letters.colour, letters.size, letters.bold ? 700 : 400, letters.mono ? mono : sans,
      anchor(letters.anchor), more, escaped(words));
}

std::string Svg::str() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "xml:space=\"preserve\">\n{2}</svg>\n",
      width_, height_, body_);
}

void Svg::save(const std::filesystem::path& file) const {
  std::ofstream out(file);
  out << str();
  out.close();
  if (!out) {
    throw Error(fmt::format("{} could not be written: is there such a folder, with room and permission?",
                            file.string()));
  }
}

}  // namespace rooftile::cli
