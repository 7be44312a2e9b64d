// Measurements of another tool, from a stranger: they are read, and they become a session and results again.
#include <cstddef>
#include <cstdint>

#include "analysis/exchange/ncu_csv.hpp"
#include "analysis/exchange/tuner_file.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/error.hpp"

namespace {

using namespace rooftile;

template <class Read>
void use(Read read, std::string_view text) {
  try {
    SessionLog log;
    for (Point& point : read(text, "file").points) {
      log.add(std::move(point));
    }
    merged_program_points({log});
    tuner_results({log.points.begin(), log.points.end()}, "2026");
    session_text(log);
  } catch (const Error&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  use(read_ncu_csv, text);
  use(read_tuner_file, text);
  return 0;
}
