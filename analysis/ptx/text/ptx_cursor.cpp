#include "analysis/ptx/text/ptx_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

}  // namespace

void Cursor::advance(std::size_t count) {
  const std::size_t end = std::min(at_ + count, text_.size());
  line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                       text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  at_ = end;
}

void Cursor::skip_blanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
      advance(1);
    } else if (rest.starts_with("//")) {
      advance(std::min(rest.find('\n'), rest.size()));
    } else if (rest.starts_with("/*")) {
      advance(rest.find("*/", 2) == std::string_view::npos ? rest.size() : rest.find("*/", 2) + 2);
    } else {
      return;
    }
  }
}

bool Cursor::at_end() {
  return peek() == 0;
}

char Cursor::peek() {
  skip_blanks();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Cursor::take(char punctuation) {
  const bool there = peek() == punctuation;
  advance(there ? 1 : 0);
  return there;
}

void Cursor::expect(char punctuation) {
  if (!take(punctuation)) {
    fail(fmt::format("\"{}\"", punctuation));
  }
}

std::string_view Cursor::word() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && (is_of_word(text_[at_]) || text_.substr(at_, 2) == "::")) {
    at_ += text_[at_] == ':' ? 2 : 1;
  }
  return text_.substr(begin, at_ - begin);
}

std::string_view Cursor::quoted() {
  expect('"');
  const std::size_t begin = at_;
  skip_to('"');
  return text_.substr(begin, at_ - begin - 1);
}

std::int64_t Cursor::whole() {
  const std::string_view digits = word();
  std::int64_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{}) {
    fail("a whole number");
  }
  return value;
}

std::string_view Cursor::rest_of_line() {
  const std::string_view rest = text_.substr(at_, text_.find('\n', at_) - at_);
  advance(rest.size());
  return rest;
}

void Cursor::skip_to(char punctuation) {
  const std::size_t found = text_.find(punctuation, at_);
  if (found == std::string_view::npos) {
    advance(text_.size());
    fail(fmt::format("\"{}\"", punctuation));
  }
  advance(found + 1 - at_);
}

void Cursor::skip_braces() {
  expect('{');
  for (int depth = 1; depth > 0;) {
    const char c = peek();
    if (c == 0) {
      fail("\"}\"");
    }
    if (c == '"') {
      quoted();
      continue;
    }
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    advance(1);
  }
}

void Cursor::fail(std::string_view expected) {
  skip_blanks();
  const std::string_view rest = text_.substr(at_, 20);
  throw Error(rest.empty() ? fmt::format("The PTX ends at line {}, where {} was expected.", line_, expected)
                           : fmt::format("Line {} of the PTX: expected {}, found \"{}\".", line_, expected,
                                         rest.substr(0, rest.find('\n'))));
}

}  // namespace rooftile::ptx
