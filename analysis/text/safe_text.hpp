// Text from outside (a session, a manifest, a compiler) made safe for where it goes: one function per way out.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

// For a terminal and for the window: a byte that could steer either, or that is no UTF-8, is shown as \x1b, and
// so is what turns the direction of reading. Ends of lines and tabs stay.
std::string visible_text(std::string_view bytes);

// For the text of an XML element: markup is escaped. Replaced is what XML cannot hold, and what turns the
// direction of reading.
std::string xml_text(std::string_view bytes);

// For a cell of a Markdown table: one line without markup of its own.
std::string markdown_cell(std::string_view bytes);
// For a cell as well, as code: with the backticks around it.
std::string markdown_code(std::string_view bytes);

// The text of a file, as other programs write it: without a byte-order mark, and from UTF-16 where that says
// so.
std::string utf8_text(std::string bytes);

// For a field of comma-separated values, quoted where it has to be (RFC 4180). What a spreadsheet would take
// for a formula stands behind an apostrophe, as OWASP advises.
std::string csv_cell(std::string_view bytes);

}  // namespace rooftile
