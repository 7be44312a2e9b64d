// A session file from a stranger: it is read, every launch in it is judged as the window judges it, and what is
// written of it can be read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "analysis/record/session_file.hpp"
#include "analysis/roofline/roof_table.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/safe_text.hpp"
#include "analysis/verdict/diagnosis.hpp"
#include "analysis/verdict/proof.hpp"

namespace {

using namespace rooftile;

void judge(const Point& point, const SessionLog& log) {
  const Roofs* roofs = log.roofs_of(point.gpu);
  const Gpu* gpu = log.find_gpu(point.gpu);
  const auto placement = place(point, roofs ? *roofs : Roofs{});
  const auto occupancy = gpu ? occupancy_of(point, gpu->sm) : std::nullopt;
  if (placement) {
    diagnose(point, *placement, occupancy);
    prove(point, *placement, occupancy);
  }
  place_instructions(point, roofs ? *roofs : Roofs{});
  visible_text(point.failure.value_or(point.kernel));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const SessionLog log = read_session({reinterpret_cast<const char*>(data), size}, "s.jsonl");
    for (const Point& point : log.points) {
      judge(point, log);
    }
    for (const Roofs& roofs : log.roofs) {
      roof_table(roofs);
    }
    if (!read_session(session_text(log), "again.jsonl").left_out.empty()) {
      std::abort();
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
