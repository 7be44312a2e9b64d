// Models of launches, read from the compiled code of each kernel whose manifest describes no accesses.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/ptx/work/derived_model.hpp"
#include "analysis/record/session_file.hpp"
#include "app/cli/shared/compiled_places.hpp"
#include "app/session/launch_deriver.hpp"

namespace rooftile::cli {

// The most places whose code the advice of a list of launches rests on: some ten seconds.
inline constexpr std::size_t places_of_a_report = 200;
// The most places of one launch: itself, and moves of its dials.
inline constexpr std::size_t places_of_a_launch = 5;

class CodeModels {
 public:
  // options must outlive it. most_places: whose code may be read; each takes about 20 ms, and 50 to
  // 400 ms more where its PTX is not kept yet.
  explicit CodeModels(const Options& options, std::size_t most_places = no_limit)
      : options_(options), places_left_(most_places) {}
  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

  // Throws Error, in a sentence, where there is no compiler and where its code is not followed.
  ptx::DerivedLaunch launch(const Manifest& kernel, const Parameters& place, const Gpu& gpu);
  // A library is modelled by its work and bytes. Each place is read once. Where its code is not read, what the
  // manifest states; Error where it states no work either, and beyond the last place.
  Model model(const Manifest& kernel, const Parameters& place, const Gpu& gpu);
  // Both stay with this object. Beyond the last place nothing is compiled either.
  ModelAt model_at();
  CompiledAt compiled_at(const Manifest& kernel, const Gpu& gpu);
  // Compiles these on all cores and reads their code, so that both of the above have them at once.
  void prepare(const Manifest& kernel, const Gpu& gpu, const std::vector<Parameters>& places);
  // The same for a place and the moves of its dials, in their order, as many as may be read.
  void prepare_moves(const Manifest& kernel, const Gpu& gpu, const Parameters& place);
  // The same for the launches of a session whose kernels are read from code.
  enum class Around { launches, their_moves };
  void prepare(const SessionLog& log, const std::vector<Manifest>& kernels, Around around);

 private:
  struct OfKernel {
    OfKernel(const Options& options, Manifest read, Gpu on)
        : kernel(std::move(read)), gpu(std::move(on)), compiled(options, kernel, gpu) {}
    Manifest kernel;
    Gpu gpu;
    CompiledPlaces compiled;
    std::map<Parameters, Model> models;
    std::string why_not;  // the code of its last place was not read
  };
  OfKernel& of(const Manifest& kernel, const Gpu& gpu);
  LaunchDeriver& deriver();
  struct Reading {
    CodeToRead launch;
    std::optional<Model> model;
    std::string why_not;
  };
  std::vector<Reading> unread(OfKernel& here, const std::vector<Parameters>& places) const;
  void read_all(OfKernel& here, std::vector<Reading>& readings);
  Model bound(OfKernel& here, const Parameters& place, const std::string& why);

  const Options& options_;
  std::size_t places_left_;
  std::optional<LaunchDeriver> deriver_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<OfKernel>> kernels_;  // by kernel and GPU
};

}  // namespace rooftile::cli
