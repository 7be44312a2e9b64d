// The text of a lesson: its Markdown as paragraphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/scene/lesson/lesson.hpp"

namespace rooftile::scene {

// A part of the file, from its heading to the next one.
struct LessonSection {
  std::string title;
  unsigned line = 0;
  Prose before, after;          // the first block that is marked as rooftile's
  std::string directive;        // the text of that block
  unsigned directive_line = 0;  // of its first line; 0: there is none
  unsigned second_line = 0;     // of another such block; 0: there is none
};

// The first section is that of the title. A heading of any other depth than # and ## is text.
std::vector<LessonSection> lesson_sections(std::string_view markdown);

// Words of a line that are set alike.
struct ProseRun {
  enum class Style { plain, strong, code };
  Style style = Style::plain;
  std::string text;
  bool operator==(const ProseRun&) const = default;
};
// A mark that is not closed is a letter as any other.
std::vector<ProseRun> prose_runs(std::string_view text);

}  // namespace rooftile::scene
