#include "app/cli/shared/live/live_search.hpp"

#include "analysis/advice/recorded_space.hpp"
#include "app/cli/shared/code_models.hpp"

namespace rooftile::cli {
namespace {

std::vector<SearchPlace> predicted_places(const Options& options, const Session& session,
                                          const Manifest& kernel, const std::vector<Parameters>& places,
                                          Caches caches) {
  const Gpu& gpu = *session.device();
  const Roofs* known = session.log().roofs_of(gpu.name);
  const Roofs roofs = known ? *known : datasheet_roofs(gpu);
  CodeModels code(options);
  code.prepare(kernel, gpu, places);
  std::vector<SearchPlace> predicted;
  for (const Parameters& values : places) {
    predicted.push_back({values, predicted_time(kernel, values, gpu, roofs, caches, code.model_at())});
  }
  return predicted;
}

}  // namespace

Search search_live(const Options& options, Session& session, const Manifest& kernel,
                   const std::vector<Parameters>& places, Caches caches, SearchLimits limits) {
  return find_best(predicted_places(options, session, kernel, places, caches), limits,
                   [&](const Parameters& values) {
                     const Point point = ask(session, {kernel.name, values, caches});
                     return point.failure ? std::nullopt : point.timing;
                   });
}

}  // namespace rooftile::cli
