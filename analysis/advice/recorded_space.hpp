// The launches of a session that did the same work, as a space to search: what a search finds there can be held
// against the fastest of all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/advice/search.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/model.hpp"
#include "analysis/record/session_file.hpp"

namespace rooftile {

struct RecordedSpace {
  std::string kernel, gpu;
  Caches caches = Caches::cold;
  Parameters problem;               // the sizes and scalars that all its launches share
  std::vector<SearchPlace> places;  // the dials alone; predicted before anything is compiled
  std::map<Parameters, Timing> times;

  Seconds best() const;
  // The search that pretends to launch what was recorded.
  Search search(SearchLimits limits) const;
};

// In the order of their first launches. If a place was launched more than once, the newest launch counts.
std::vector<RecordedSpace> recorded_spaces(const SessionLog& log, const std::vector<Manifest>& catalogue,
                                           const ModelAt& model_at = stated_model);

// For a search; the model's time is of a launch whose registers are not known. All parameters of the place.
SearchPlace search_place(const Manifest& kernel, const Parameters& values, const Gpu& gpu, const Roofs& roofs,
                         Caches caches, const ModelAt& model_at);
// The model's time of a launch whose registers are not known; empty where it has none.
std::optional<Seconds> predicted_time(const Manifest& kernel, const Parameters& values, const Gpu& gpu,
                                      const Roofs& roofs, Caches caches, const ModelAt& model_at);

}  // namespace rooftile
