// "Find the best" on this machine's GPU, as a command line drives it.
#pragma once

#include <functional>
#include <vector>

#include "analysis/advice/search.hpp"
#include "analysis/manifest/manifest.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/live/live_session.hpp"

namespace rooftile::cli {

// The most places whose time is predicted where nobody says which.
inline constexpr std::size_t most_places_predicted = 256;

class LiveSearch {
 public:
  // options and session must outlive it.
  LiveSearch(const Options& options, Session& session, Manifest kernel, Caches caches);

  // Both launch the places that the search chooses, one after the other. Throw Error when an answer does not
  // come.
  Search among(const std::vector<Parameters>& places, SearchLimits limits);
  // Among downhill_places() from the defaults and a sample of all places; what is given is held. limits: by the
  // number of places. There must be a legal one.
  Search downhill(const Parameters& given, std::size_t most_places,
                  const std::function<SearchLimits(std::size_t places)>& limits);

 private:
  std::vector<SearchPlace> predicted(const std::vector<Parameters>& places);
  Search launched(std::vector<SearchPlace> places, SearchLimits limits);

  Session& session_;
  Manifest kernel_;
  Caches caches_;
  Gpu gpu_;
  Roofs roofs_;
  CodeModels code_;
};

}  // namespace rooftile::cli
