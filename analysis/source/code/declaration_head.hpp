// The head of a declaration: what stands before its body or its semicolon.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

inline constexpr std::array<std::string_view, 3> class_keys = {"struct", "class", "union"};

// The position of the next character that is no blank, at `at` or behind it; the end where there is none.
std::size_t next_solid(std::string_view text, std::size_t at);

// Without the parameters of its templates, what stands in its brackets, and attributes with brackets of their
// own: "__global__ void f()", "struct S".
std::string outline(std::string_view head);

// "struct S" of "struct S : Base".
std::string without_bases(const std::string& outline);

// The names that a head declares. A name stands before the parameters, the value or the end; a list has
// several.
std::vector<std::string> declared(const std::string& outline);

// "typedef void (*Callback)" of "typedef void (*Callback)(int x)".
std::string_view without_last_list(std::string_view statement);

}  // namespace rooftile
