// A lesson: steps of text, what each step sets in the window, and what it asks. Its file: assets/lessons.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/launch.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/text/expression.hpp"
#include "app/scene/state/panel.hpp"

namespace rooftile::scene {

// Words as Markdown writes them: **strong** and `code` within a line.
struct Paragraph {
  enum class Kind { text, item, code };
  Kind kind = Kind::text;
  std::string text;
  bool operator==(const Paragraph&) const = default;
};
using Prose = std::vector<Paragraph>;

// An answer to press. It is right where its expression over the figures of the launch is not zero.
struct AnswerOption {
  std::string text;
  Expression when;
};

// Answered in one of four ways: an option is pressed, a number is typed, a cell of the picture is clicked on
// where the expression is not zero, or the window is turned to such a launch (by a dial, or by a click on the
// chart or the map).
struct LessonQuestion {
  std::string text;
  std::vector<AnswerOption> options;
  std::optional<Expression> number;
  double tolerance = 0.1;  // of the number, as a share of it
  std::optional<Expression> click, launch;
};

// The part of the window that a step shows.
struct Stage {
  std::optional<Panel> panel;  // empty: the chart
};

struct LessonStep {
  std::string title;
  Prose text;               // shown at once
  Prose after;              // and once the question is answered
  std::string kernel, gpu;  // empty: as they are
  Parameters dials;         // of the kernel; the others at their defaults
  std::optional<Caches> caches;
  std::optional<MemoryLevel> level;
  std::string dial;                      // that has the keyboard
  std::optional<std::size_t> step;       // of the picture, from 0
  std::optional<Stage> stage, revealed;  // empty: as before; once it is answered
  bool hides = false;                    // the figures of the launch, until it is answered
  bool turns = false;                    // the dials: it names a kernel or dials
  std::optional<LessonQuestion> question;
};

struct Lesson {
  std::string id;  // the name of its file, without the folder and ".md"
  std::string title;
  Prose about;
  std::vector<LessonStep> steps;
  std::string file_text;  // that it was read from; empty: from none
};

// Throws Error with all mistakes of the text, a line for each with file and line: what is unknown, what is not
// legal, what nobody can answer.
Lesson read_lesson(std::string_view text, const std::filesystem::path& file,
                   const std::vector<Manifest>& catalogue);

}  // namespace rooftile::scene
