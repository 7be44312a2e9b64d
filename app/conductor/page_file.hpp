// The window with a session, as one HTML file that a browser opens from disk.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "analysis/platform/write_file.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile::conductor {

extern const platform::FileKind page_kind;

struct PageLesson {
  std::string file, text;  // the name of its file
};

// The text of the page. lesson: that it opens with. without_data: the page to fill in; empty: the one that came
// with rooftile, or was built here. Throws Error, in a sentence that says what to do, where there is none and
// where the page would be too long.
std::string page_text(const SessionLog& log, const std::string& session_name,
                      const std::optional<PageLesson>& lesson, const std::filesystem::path& without_data = {});

}  // namespace rooftile::conductor
