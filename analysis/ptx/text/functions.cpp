#include "analysis/ptx/text/functions.hpp"

#include <cctype>

namespace rooftile::ptx {
namespace {

bool is_name(std::string_view word) {
  return word[0] != '.' && std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

void skip_one(Cursor& cursor) {
  const char next = cursor.peek();
  if (next == '{') {
    cursor.skip_braces();
  } else if (next == '"') {
    cursor.quoted();
  } else {
    cursor.take(next);
  }
}

// The cursor stands behind ".func".
void add_function(Cursor& cursor, Functions& functions) {
  std::vector<std::string_view> results = names_in_parentheses(cursor);
  std::string_view name = cursor.word();
  while (name.starts_with('.')) {  // ".noreturn"
    name = cursor.word();
  }
  std::vector<std::string_view> parameters = names_in_parentheses(cursor);
  while (!cursor.at_end() && cursor.peek() != '{' && cursor.peek() != ';') {
    if (cursor.word().empty()) {
      skip_one(cursor);
    }
  }
  if (cursor.peek() == '{') {
    functions.emplace(name, Function{cursor, std::move(results), std::move(parameters)});
    cursor.skip_braces();
  }
}

}  // namespace

Functions functions_of(std::string_view ptx) {
  Functions functions;
  if (ptx.find(".func") == std::string_view::npos) {
    return functions;
  }
  Cursor cursor(ptx);
  while (!cursor.at_end()) {
    const std::string_view word = cursor.word();
    if (word == ".func") {
      add_function(cursor, functions);
    } else if (word.empty()) {
      skip_one(cursor);
    }
  }
  return functions;
}

std::vector<std::string_view> names_in_parentheses(Cursor& cursor) {
  std::vector<std::string_view> names;
  if (!cursor.take('(')) {
    return names;
  }
  while (!cursor.take(')')) {
    const std::string_view word = cursor.word();
    if (word.empty() && cursor.at_end()) {
      cursor.fail("\")\"");
    }
    if (word.empty()) {
      skip_one(cursor);
    } else if (is_name(word)) {
      names.push_back(word);
    }
  }
  return names;
}

}  // namespace rooftile::ptx
