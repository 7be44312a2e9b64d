// A place in a text of PTX: words, numbers and punctuation, without comments.
#pragma once

#include <cstdint>
#include <string_view>

namespace rooftile::ptx {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end();
  char peek();  // past blanks and comments; 0 at the end
  bool take(char punctuation);
  void expect(char punctuation);
  std::string_view word();  // letters, digits, "_$%." and "::"; empty where none begins
  std::string_view quoted();
  std::int64_t whole();  // throws Error where there is none
  std::string_view rest_of_line();
  void skip_to(char punctuation);  // behind it
  void skip_braces();              // from "{" to behind its "}"
  int line() const { return line_; }
  [[noreturn]] void fail(std::string_view expected);

 private:
  void skip_blanks();
  void advance(std::size_t count);

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace rooftile::ptx
