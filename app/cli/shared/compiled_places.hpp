// The compiled figures of a kernel's places: from the bundled table, else from the worker if it has a compiler.
#pragma once

#include <optional>

#include "analysis/model/compiled_table.hpp"
#include "app/cli/shared/options.hpp"
#include "app/session/session.hpp"

namespace rooftile::cli {

class CompiledPlaces {
 public:
  // All must outlive it. The worker is started when the table does not know a place.
  CompiledPlaces(const Options& options, const Manifest& kernel, const Gpu& gpu);
  std::optional<Compiled> at(const Parameters& parameters);
  // Compiles these on all cores, which says how far it has come, so that at() has them at once.
  void prepare(const std::vector<Parameters>& places);
  // Why the compiler made nothing of the last place that it was asked for.
  const std::optional<std::string>& why_not() const { return why_not_; }

 private:
  std::optional<Compiled> compile(const Parameters& parameters);
  bool has_to_compile(const Parameters& parameters) const;
  Session& session();

  const Options& options_;
  const Manifest& kernel_;
  const Gpu& gpu_;
  CompiledTable table_;
  std::optional<Session> session_;
  std::optional<std::string> why_not_;
};

}  // namespace rooftile::cli
