// The best launch as it goes into other programs: as macros of C++, as JSON, and as the command that repeats
// it.
#pragma once

#include <string>
#include <string_view>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/point.hpp"

namespace rooftile {

// "rooftile-cli measure sgemm_tiled TILE=32 PAD_A=1": every parameter that is not at its default, and warm
// caches where they were. Safe to paste: words that a shell would take apart are quoted.
std::string measure_line(const Manifest& kernel, const Point& point);

// One object: kernel, parameters (complete), caches, gpu, time_s, and the line that repeats it.
std::string winner_json(const Manifest& kernel, const Point& point);
// True of a text that winner_json() wrote.
bool is_winner_json(std::string_view text);

// "-DTILE=32 -DPAD_A=1": every macro of the variant, for nvcc. Empty where it has none.
std::string define_options(const Manifest& kernel, const Point& point);

// A header of C++: a #define per macro of the variant, which the #ifndef of a source respects. The other dials,
// the launch, its time and GPU stand in comments.
std::string constants_header(const Manifest& kernel, const Point& point);
// True of a text that begins as constants_header() does.
bool is_constants_header(std::string_view text);

}  // namespace rooftile
