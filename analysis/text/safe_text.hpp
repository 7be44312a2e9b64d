// Text from outside (a session, a manifest, a compiler) made safe for where it goes: one function per way out.
#pragma once

#include <string>
#include <string_view>

namespace rooftile {

// For a terminal and for the window. Shown as \x1b: each byte that could steer either or is no UTF-8, and each
// byte of a character that turns the direction of reading. Ends of lines and tabs stay.
std::string visible_text(std::string_view bytes);

// For the text of an XML element: markup is escaped. Characters that XML cannot hold, and characters that turn
// the direction of reading, are replaced.
std::string xml_text(std::string_view bytes);

// For a cell of a Markdown table: one line without markup of its own.
std::string markdown_cell(std::string_view bytes);
// The same as code, with backticks around it.
std::string markdown_code(std::string_view bytes);

// The text of a file of another program: without a byte-order mark, and converted from UTF-16 where the mark
// says so.
std::string utf8_text(std::string bytes);

// For a field of comma-separated values, quoted where it has to be (RFC 4180). A cell that a spreadsheet would
// take for a formula gets an apostrophe in front, as OWASP advises.
std::string csv_cell(std::string_view bytes);

}  // namespace rooftile
