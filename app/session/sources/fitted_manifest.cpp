#include "app/session/sources/fitted_manifest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/ptx/text/ptx_text.hpp"
#include "analysis/ptx/work/kernel_work.hpp"
#include "analysis/ptx/work/manifest_launch.hpp"
#include "analysis/source/manifest/new_manifest.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

// Accesses that do not fit the buffers of a kernel.toml.
struct Shortage {
  std::vector<ptx::BeyondBuffer> beyond;
  std::vector<std::string> indices;  // buffers of whole numbers, which may decide an address
};

// The kernel at its defaults, for as long as a user waits. Every trip of a loop is run if that is short, since
// the last one reaches furthest.
Shortage shortage(const Manifest& kernel, const ptx::Program& program) {
  constexpr int sm_count = 100;  // of some GPU: grids of cooperative launches name it
  const ptx::ProgramLaunch launch = ptx::program_launch(kernel, complete(kernel, {}), sm_count);
  constexpr std::uint64_t most_instructions = 1'500'000;
  Shortage found;
  try {
    found.beyond =
        ptx::work_of(program, launch, {.warp_instructions = most_instructions, .every_trip = true}).beyond;
  } catch (const ptx::BudgetSpent&) {
    found.beyond = ptx::work_of(program, launch, {.warp_instructions = most_instructions}).beyond;
  }
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.below && !buffer.ascending) {
      found.indices.push_back(buffer.name);
    }
  }
  return found;
}

int product(int before, std::uint64_t factor) {
  constexpr std::uint64_t most = 1 << 20;
  return static_cast<int>(std::min(most, static_cast<std::uint64_t>(std::max(before, 1)) * factor));
}

BufferFit better(BufferFit fit, const Shortage& found) {
  constexpr std::uint64_t most_bytes = std::uint64_t{2} << 30;
  std::uint64_t by_data = 1;
  std::map<std::string, std::uint64_t> longer;
  for (const ptx::BeyondBuffer& each : found.beyond) {
    if (!each.at_data && each.needed > most_bytes) {
      fit.smaller = product(fit.smaller, std::bit_ceil(each.needed / most_bytes + 1));
      return fit;
    }
    std::uint64_t& factor = each.at_data ? by_data : longer[each.buffer];
    const std::uint64_t bytes = std::max<std::uint64_t>(each.bytes, 1);
    factor = std::max(factor, (each.needed + bytes - 1) / bytes);
  }
  for (const auto& [buffer, factor] : longer) {
    fit.times[buffer] = product(fit.times[buffer], factor);
  }
  for (const std::string& buffer : by_data > 1 ? found.indices : std::vector<std::string>{}) {
    fit.fraction[buffer] = product(fit.fraction[buffer], std::bit_ceil(by_data));
  }
  return fit;
}

double bytes_of_buffers(const Manifest& kernel) {
  const Parameters defaults = complete(kernel, {});
  double bytes = 0;
  for (const Buffer& buffer : kernel.buffers) {
    bytes += buffer.count.evaluate(defaults) * buffer.element_bytes;
  }
  return bytes;
}

// A matrix of a size that is usual for a row is beyond every memory.
BufferFit with_room(BufferFit fit, const Manifest& kernel) {
  constexpr double most_bytes = 16e9;  // of an average GPU
  const double beyond = bytes_of_buffers(kernel) / most_bytes;
  if (beyond > 1) {
    fit.smaller = product(fit.smaller, std::bit_ceil(static_cast<std::uint64_t>(std::sqrt(beyond)) + 1));
  }
  return fit;
}

}  // namespace

std::string fitted_manifest(const SourceKernel& kernel, const fs::path& source, const fs::path& file,
                            const std::string& code) {
  constexpr int most_rounds = 5;
  std::string text = new_manifest(kernel, source, code);
  try {
    const auto made = [&] {
      return read_manifest(file, [&](const fs::path& asked) {
        return asked == file ? std::optional(text) : platform::read_text(asked);
      });
    };
    BufferFit fit = with_room({}, made());
    text = new_manifest(kernel, source, code, fit);
    const ptx::Program program = ptx::parse_ptx(kernel.ptx, kernel.symbol);
    for (int round = 0; round < most_rounds; ++round) {
      const BufferFit next = better(fit, shortage(made(), program));
      if (next == fit) {
        break;
      }
      fit = next;
      text = new_manifest(kernel, source, code, fit);
    }
  } catch (const Error&) {  // code that is not followed: the guess stays
  }
  return text;
}

}  // namespace rooftile
