#include "app/session/precompiler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/session/worker/worker_client.hpp"

namespace rooftile {
namespace {

constexpr int most_deaths = 3;  // in a row

std::string key(const CompileRequest& request) {
  return text(Configuration{request.kernel, request.parameters});
}

}  // namespace

Precompiler::Precompiler(PrecompilerOptions options) : options_(std::move(options)) {}

Precompiler::Precompiler(Precompiler&&) noexcept = default;
Precompiler& Precompiler::operator=(Precompiler&&) noexcept = default;
Precompiler::~Precompiler() = default;

void Precompiler::prepare(const std::vector<Configuration>& configurations, ComputeCapability cc) {
  drop_waiting();
  for (const Configuration& configuration : configurations) {
    const std::string name = text(configuration);
    if (failed_.erase(name) > 0) {
      done_.erase(name);  // its source may have been mended
    }
    if (!gave_up_ && !done_.contains(name) && pending_.insert(name).second) {
      waiting_.push_back({next_id_++, configuration.kernel, configuration.parameters, cc});
    }
  }
  poll();
}

void Precompiler::poll() {
  for (Place& place : places_) {
    listen(place);
  }
  std::erase_if(places_, [](const Place& place) { return !place.worker; });
  if (gave_up_) {
    drop_waiting();
  }
  for (Place& place : places_) {
    send_next(place);
  }
  while (!waiting_.empty() && places_.size() < options_.most_workers) {
    open_a_place();
  }
}

void Precompiler::listen(Place& place) {
  for (const WorkerMessage& message : place.worker->take()) {
    const auto* record = std::get_if<Record>(&message);
    const auto* point = record ? std::get_if<Point>(record) : nullptr;
    if (point && place.under_way && place.under_way->id == point->id) {
      if (point->failure) {
        failed_[key(*place.under_way)] = *point->failure;
      }
      done_.insert(pending_.extract(key(*place.under_way)));
      place.under_way.reset();
      died_in_a_row_ = 0;
    } else if (std::holds_alternative<WorkerEnded>(message)) {
      return lose(place);
    }
  }
  if (place.under_way && Clock::now() - place.since > options_.launch_limit) {
    end(place, fmt::format("Compiling {} took longer than {} and was ended.", key(*place.under_way),
                           text(seconds(options_.launch_limit))));
  }
}

// Another worker takes its place.
void Precompiler::end(Place& place, const std::string& why_not) {
  failed_[key(*place.under_way)] = why_not;
  done_.insert(pending_.extract(key(*place.under_way)));
  place.worker->kill();
  place.worker.reset();
}

const Precompiler::Place* Precompiler::place_of(const Configuration& configuration) const {
  const std::string name = text(configuration);
  const auto found = std::ranges::find_if(
      places_, [&](const Place& place) { return place.under_way && key(*place.under_way) == name; });
  return found == places_.end() ? nullptr : &*found;
}

bool Precompiler::is_slow(const Place& place) const {
  constexpr std::chrono::milliseconds most_usual{2000};  // a bundled variant takes less than 1 s
  return place.under_way && Clock::now() - place.since > std::min(most_usual, options_.launch_limit / 10);
}

bool Precompiler::is_slow(const Configuration& configuration) const {
  const Place* place = place_of(configuration);
  return place != nullptr && is_slow(*place);
}

bool Precompiler::has_yet_to(const Configuration& configuration) const {
  if (!pending_.contains(text(configuration))) {
    return false;
  }
  const auto slow = [this](const Place& place) { return is_slow(place); };
  return place_of(configuration) != nullptr || !std::ranges::all_of(places_, slow);
}

std::optional<std::string> Precompiler::why_not(const Configuration& configuration) const {
  const auto found = failed_.find(text(configuration));
  return found == failed_.end() ? std::nullopt : std::optional(found->second);
}

// Another worker takes its place. The session's own worker compiles what this one died of, and tells why.
void Precompiler::lose(Place& place) {
  if (place.under_way) {
    done_.insert(pending_.extract(key(*place.under_way)));
  }
  place.worker.reset();
  gave_up_ = ++died_in_a_row_ >= most_deaths;
}

void Precompiler::drop_waiting() {
  for (const CompileRequest& request : waiting_) {
    pending_.erase(key(request));
  }
  waiting_.clear();
}

void Precompiler::send_next(Place& place) {
  if (place.under_way || waiting_.empty()) {
    return;
  }
  place.under_way = std::move(waiting_.front());
  place.since = Clock::now();
  waiting_.pop_front();
  place.worker->send({*place.under_way});
}

void Precompiler::open_a_place() {
  try {
    const bool kept = !std::filesystem::is_character_file(options_.error_log);
    const std::string log = options_.error_log.string() + (kept ? std::to_string(places_.size()) : "");
    places_.push_back({std::make_unique<Worker>(options_.command, log), {}, {}});
    send_next(places_.back());
  } catch (const Error&) {
    gave_up_ = true;  // the session's own worker says why if it is asked
    drop_waiting();
  }
}

}  // namespace rooftile
