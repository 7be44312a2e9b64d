#include "app/scene/access/access_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/scene/paper/heat.hpp"

namespace rooftile::scene {
namespace {

constexpr float row_names = 66, head = 16, foot = 16, tallest_row = 22, lowest_row = 4, room_for_lane = 18,
                room_for_words = 13, between_sectors = 6;
constexpr int words_of_sector = static_cast<int>(sector_bytes) / bank_bytes;

class AccessDrawing {
 public:
  AccessDrawing(const AccessView& view, const ChartFrame& frame)
      : view_(view), frame_(frame), colours_(*frame.colours) {
    for (const BankWord& word : view.words) {
      rows_.emplace(row_of(word), 0);
    }
    std::size_t next = 0;
    for (auto& [row, at] : rows_) {
      at = next++;
    }
    const float room = frame.place.height - frame.px(head + foot);
    height_ = std::clamp(room / static_cast<float>(std::max<std::size_t>(rows_.size(), 1)),
                         frame.px(lowest_row), frame.px(tallest_row));
    fitting_ = static_cast<std::size_t>(std::max(1.0f, room / height_));
    apart_ = view.in_sectors ? frame.px(between_sectors) : 0;
    constexpr int gaps = bank_count / words_of_sector - 1;
    width_ = (frame.place.width - frame.px(row_names) - gaps * apart_) / bank_count;
  }

  AccessPicture draw() {
    write_banks();
    for (const auto& [row, at] : rows_) {
      if (at < fitting_) {
        draw_row(row, at);
      }
    }
    for (const BankWord& word : view_.words) {
      if (rows_.at(row_of(word)) < fitting_) {
        draw_word(word);
      }
    }
    write_rest();
    return std::move(picture_);
  }

 private:
  static std::int64_t row_of(const BankWord& word) { return (word.word - word.bank) / bank_count; }

  Rect cell(std::size_t row, int bank) const {
    const int sector = bank / words_of_sector;
    return {frame_.place.x + frame_.px(row_names) + width_ * static_cast<float>(bank) +
                apart_ * static_cast<float>(sector),
            frame_.place.y + frame_.px(head) + height_ * static_cast<float>(row), width_ - frame_.px(1),
            height_ - frame_.px(1)};
  }

  void write_banks() {
    const int step = width_ > frame_.px(room_for_lane) ? 1 : 4;
    write({frame_.place.x, frame_.place.y + frame_.px(head / 2)}, view_.in_sectors ? "word" : "bank",
          colours_.dim, Anchor::start);
    for (int bank = 0; bank < bank_count; bank += step) {
      const Rect first = cell(0, bank);
      write({first.x + first.width / 2, frame_.place.y + frame_.px(head / 2)}, std::to_string(bank),
            colours_.dim, Anchor::middle);
    }
  }

  void draw_row(std::int64_t row, std::size_t at) {
    const Rect first = cell(at, 0);
    const auto rows_of_name = static_cast<std::size_t>(std::ceil(frame_.px(room_for_words) / height_));
    if (at % rows_of_name == 0) {
      write({first.x - frame_.px(6), first.y + first.height / 2},
            fmt::format("{:+} B", row * bank_count * bank_bytes), colours_.dim, Anchor::end);
    }
    for (int bank = 0; bank < bank_count; ++bank) {
      picture_.drawing.push_back(Box{cell(at, bank), 0, {colours_.edge, 0.45f}});
      picture_.cells.push_back({cell(at, bank), row * bank_count + bank, {}});
    }
  }

  // One wavefront is as it should be; of several each has its colour. A word that nobody asks for is a warning.
  Rgb colour_of(const BankWord& word) const {
    return view_.hides          ? colours_.accent
           : word.lanes.empty() ? colours_.warn
           : view_.wavefronts < 2
               ? colours_.good
               : viridis(static_cast<double>(word.wavefront) / static_cast<double>(view_.wavefronts - 1));
  }

  AccessCell& cell_of(const BankWord& word) {
    const std::size_t first = rows_.at(row_of(word)) * bank_count;
    return picture_.cells[first + static_cast<std::size_t>(word.bank)];
  }

  void draw_word(const BankWord& word) {
    const bool moves_along = word.lanes.empty();
    if (moves_along && view_.hides) {
      return;
    }
    const Rect place = cell(rows_.at(row_of(word)), word.bank);
    const Rgb colour = colour_of(word);
    picture_.drawing.push_back(Box{place, frame_.px(2), {colour, moves_along ? 0.4f : 1}});
    if (!moves_along && place.width > frame_.px(room_for_lane) && place.height > frame_.px(11)) {
      write({place.x + place.width / 2, place.y + place.height / 2},
            fmt::format("{}{}", word.lanes.front(), word.lanes.size() > 1 ? "+" : ""), readable_on(colour),
            Anchor::middle);
    }
    std::vector<std::string>& facts = cell_of(word).facts = facts_of(word);
    if (const auto race = view_.races.find(word.word); race != view_.races.end() && !view_.hides) {
      facts.push_back(race->second);
      add_outline(picture_.drawing, place, {colours_.bad}, frame_.px(2));
    }
  }

  std::vector<std::string> facts_of(const BankWord& word) const {
    const std::string lanes = word.lanes.empty() ? "no lane asks for it: it moves with its sector"
                                                 : fmt::format("lane{} {}", word.lanes.size() == 1 ? "" : "s",
                                                               fmt::join(word.lanes, ", "));
    const std::int64_t at = word.word * bank_bytes;
    if (view_.in_sectors) {
      return {fmt::format("sector {} of its line, {:+} B", word.bank / words_of_sector + 1, at), lanes};
    }
    std::vector<std::string> facts = {fmt::format("bank {}, {:+} B", word.bank, at), lanes};
    if (!view_.hides) {
      facts.push_back(fmt::format("wavefront {} of {}", word.wavefront + 1, view_.wavefronts));
    }
    return facts;
  }

  void write_rest() {
    if (rows_.size() > fitting_) {
      const Rect last = cell(fitting_, 0);
      write({last.x, last.y + frame_.px(foot / 2)},
            fmt::format("{} more rows: make the panel higher", rows_.size() - fitting_), colours_.dim,
            Anchor::start);
    }
  }

  void write(Spot at, const std::string& text, Rgb colour, Anchor anchor) {
    picture_.drawing.push_back(Words{at, text, Type::figure_small, {colour}, anchor});
  }

  const AccessView& view_;
  const ChartFrame& frame_;
  const Palette& colours_;
  std::map<std::int64_t, std::size_t> rows_;  // of 128 bytes, and their places from the top
  float width_ = 0, height_ = 0, apart_ = 0;  // of a cell; between two sectors
  std::size_t fitting_ = 0;                   // rows
  AccessPicture picture_;
};

}  // namespace

float whole_height(const AccessView& view, const ChartFrame& frame) {
  std::set<std::int64_t> rows;
  for (const BankWord& word : view.words) {
    rows.insert((word.word - word.bank) / bank_count);
  }
  return frame.px(head + foot + tallest_row * static_cast<float>(rows.size()));
}

AccessPicture access_picture(const AccessView& view, const ChartFrame& frame) {
  return AccessDrawing(view, frame).draw();
}

}  // namespace rooftile::scene
