// The arrays that numpy.save writes (.npy files: NEP 1, versions 1.0 to 3.0), of the types that buffers have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rooftile {

// The bytes of an array's elements, which are a part of the text, for a buffer of so many of this element
// ("float"). file: its name in messages. Throws Error where the text is no such array, where it ends too early
// or too late, and where its type, its order or its number of elements are not those of the buffer. An array of
// uint8 may be the bytes of any elements.
std::string_view elements_of_npy(std::string_view text, const std::string& file, const std::string& element,
                                 std::int64_t count);

// The header of a file that holds this many bytes (uint8).
std::string npy_header(std::uint64_t bytes);

}  // namespace rooftile
