#include "app/cli/tables/launch_advice.hpp"

#include "analysis/platform/compiled_table_file.hpp"

namespace rooftile::cli {

void add_advice(LaunchReport& launch, Places& places, const KnownLaunches& known,
                const CompiledAt& compiled_at) {
  if (const auto advice = advise(places, launch.point, known, compiled_at)) {
    launch.advice = in_words(*advice, places.manifest());
  }
}

void add_advice(std::vector<LaunchReport>& all, const SessionLog& log, const std::vector<Manifest>& catalogue,
                const ModelAt& model_at) {
  const CompiledTable compiled = platform::load_compiled_table(catalogue);
  for (const Manifest& kernel : catalogue) {
    for (const Roofs& roofs : log.roofs) {
      const Gpu* gpu = log.gpu(roofs.gpu);
      const auto launches = launches_of(log, kernel, roofs.gpu);
      if (gpu == nullptr || launches.empty()) {
        continue;
      }
      const KnownLaunches known(kernel, launches);
      Places places(kernel, *gpu, roofs, model_at);
      for (LaunchReport& launch : all) {
        if (launch.point.kernel == kernel.name && launch.point.gpu == roofs.gpu) {
          add_advice(launch, places, known, compiled.of(kernel.name));
        }
      }
    }
  }
}

}  // namespace rooftile::cli
