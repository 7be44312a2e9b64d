#include "app/cli/tables/findings.hpp"

#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/text/format.hpp"
#include "analysis/verdict/advice_words.hpp"
#include "app/cli/tables/distinguishing.hpp"

namespace rooftile::cli {

std::string_view word(Evidence evidence) {
  switch (evidence) {
    case Evidence::predicted:
      return "predicted";
    case Evidence::timed:
      return "timed";
    case Evidence::counted:
      break;
  }
  return "counted";
}

Findings findings(const Point& point, const Gpu* gpu, const Roofs* roofs, ByteDefinition definition) {
  Findings found;
  found.name = point.kernel;
  found.point = point;
  found.definition = definition;
  if (gpu != nullptr) {
    found.occupancy = occupancy_of(point, gpu->sm);
  }
  if (roofs != nullptr) {
    found.placement = place(point, *roofs, definition);
  }
  if (found.placement && found.placement->evidence != Evidence::predicted) {
    found.checks = prove(point, *found.placement, found.occupancy);
  }
  if (found.placement) {
    found.verdict = diagnose(point, *found.placement, found.occupancy);
  }
  return found;
}

Findings findings(const Point& point, const SessionLog& log, ByteDefinition definition) {
  return findings(point, log.gpu(point.gpu), log.roofs_of(point.gpu), definition);
}

namespace {

void add_advice(Findings& found, Places& places, const KnownLaunches& known, const CompiledAt& compiled_at) {
  found.advice = advise(places, found.point, known, compiled_at);
  found.advice_sentence = found.advice ? sentence(*found.advice, places.manifest()) : "";
}

}  // namespace

void add_advice(Findings& found, const Manifest& kernel, const Gpu& gpu, const Roofs& roofs,
                const KnownLaunches& known) {
  const CompiledTable compiled = platform::load_compiled_table({kernel});
  Places places(kernel, gpu, roofs);
  add_advice(found, places, known, compiled.of(kernel.name));
}

void add_advice(std::vector<Findings>& all, const SessionLog& log, const std::vector<Manifest>& catalogue) {
  const CompiledTable compiled = platform::load_compiled_table(catalogue);
  for (const Manifest& kernel : catalogue) {
    for (const Roofs& roofs : log.roofs) {
      const Gpu* gpu = log.gpu(roofs.gpu);
      const auto launches = launches_of(log, kernel, roofs.gpu);
      if (gpu == nullptr || launches.empty()) {
        continue;
      }
      const KnownLaunches known(kernel, launches);
      Places places(kernel, *gpu, roofs);
      for (Findings& found : all) {
        if (found.point.kernel == kernel.name && found.point.gpu == roofs.gpu) {
          add_advice(found, places, known, compiled.of(kernel.name));
        }
      }
    }
  }
}

std::vector<Findings> findings(const SessionLog& log) {
  const auto apart = distinguishing(log.points);
  std::vector<Findings> all;
  for (std::size_t i = 0; i < log.points.size(); ++i) {
    all.push_back(findings(log.points[i], log));
    all.back().name += apart[i].empty() ? "" : " " + text(apart[i]);
  }
  return all;
}

}  // namespace rooftile::cli
