#include "app/scene/lesson/lesson_prose.hpp"

#include <algorithm>

#include "analysis/text/safe_text.hpp"

namespace rooftile::scene {
namespace {

constexpr std::string_view fence = "```", own_fence = "```rooftile";

// Takes a lesson line by line.
class SectionReader {
 public:
  void take(std::string_view line) {
    ++line_;
    if (block_ != Block::none) {
      take_in_block(line);
    } else if (line.starts_with(fence)) {
      begin_block(line.starts_with(own_fence));
    } else if (line.starts_with("# ") || line.starts_with("## ")) {
      begin_section(line.substr(line.find(' ') + 1));
    } else {
      take_text(line);
    }
  }

  std::vector<LessonSection> take_sections() { return std::move(sections_); }

 private:
  enum class Block { none, code, directive };

  LessonSection& section() {
    if (sections_.empty()) {
      begin_section("");
    }
    return sections_.back();
  }
  Prose& prose() { return section().directive_line ? section().after : section().before; }

  void begin_section(std::string_view title) {
    LessonSection& section = sections_.emplace_back();
    section.title = visible_text(title);
    section.line = line_;
    open_ = false;
  }

  void begin_block(bool is_own) {
    open_ = false;
    if (!is_own) {
      prose().push_back({Paragraph::Kind::code, ""});
      block_ = Block::code;
      return;
    }
    block_ = Block::directive;
    unsigned& line = section().directive_line ? section().second_line : section().directive_line;
    line = line_ + 1;
  }

  void take_in_block(std::string_view line) {
    if (line.starts_with(fence)) {
      block_ = Block::none;
    } else if (block_ == Block::code) {
      std::string& text = prose().back().text;
      text += (text.empty() ? "" : "\n") + visible_text(line);
    } else if (!section().second_line) {
      section().directive += std::string(line) + "\n";
    }
  }

  void take_text(std::string_view line) {
    const bool is_item = line.starts_with("- ");
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      open_ = false;
    } else if (is_item || !open_) {
      prose().push_back({is_item ? Paragraph::Kind::item : Paragraph::Kind::text,
                         visible_text(is_item ? line.substr(2) : line)});
      open_ = true;
    } else {
      prose().back().text += " " + visible_text(line.substr(line.find_first_not_of(' ')));
    }
  }

  std::vector<LessonSection> sections_;
  unsigned line_ = 0;
  Block block_ = Block::none;
  bool open_ = false;  // the last paragraph goes on
};

// The place where the mark that opens here is closed again; npos: there is none.
std::size_t close_of(std::string_view text, std::size_t at, std::string_view mark) {
  const std::size_t end = text.find(mark, at + mark.size());
  return end == at + mark.size() ? std::string_view::npos : end;
}

std::string_view mark_at(std::string_view text, std::size_t at) {
  for (const std::string_view mark : {std::string_view("**"), std::string_view("`")}) {
    if (text.substr(at).starts_with(mark) && close_of(text, at, mark) != std::string_view::npos) {
      return mark;
    }
  }
  return {};
}

}  // namespace

std::vector<LessonSection> lesson_sections(std::string_view markdown) {
  SectionReader reader;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    std::string_view line = markdown.substr(at, end - at);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    reader.take(line);
    at = end + 1;
  }
  return reader.take_sections();
}

std::vector<ProseRun> prose_runs(std::string_view text) {
  std::vector<ProseRun> runs;
  std::size_t from = 0, at = 0;
  const auto end_plain = [&] {
    if (at > from) {
      runs.push_back({ProseRun::Style::plain, std::string(text.substr(from, at - from))});
    }
  };
  while (at < text.size()) {
    const std::string_view mark = mark_at(text, at);
    if (mark.empty()) {
      ++at;
      continue;
    }
    end_plain();
    const std::size_t begin = at + mark.size(), end = close_of(text, at, mark);
    runs.push_back({mark == "`" ? ProseRun::Style::code : ProseRun::Style::strong,
                    std::string(text.substr(begin, end - begin))});
    at = from = end + mark.size();
  }
  end_plain();
  return runs;
}

}  // namespace rooftile::scene
