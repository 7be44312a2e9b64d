// The worker's answers, and what its end means for the launches that it was asked for.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/text/format.hpp"
#include "app/session/session.hpp"
#include "app/session/worker/told_roofs.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

// The worker adds the defaults.
bool holds(const Parameters& complete, const Parameters& asked) {
  return std::ranges::includes(complete, asked);
}

}  // namespace

void Session::receive(const Record& record) {
  if (const auto* progress = std::get_if<Progress>(&record)) {
    worker_progress_ = progress->done < progress->total ? std::optional(*progress) : std::nullopt;
  } else if (const auto* header = std::get_if<Header>(&record)) {
    take_header(*header);
  } else if (const auto* point = std::get_if<Point>(&record)) {
    take_point(*point);
  } else if (const auto* profile = std::get_if<SourceProfile>(&record)) {
    take_profile(*profile);
  } else if (const auto* roofs = std::get_if<RoofsRecord>(&record)) {
    take_roofs(*roofs);
  } else if (const auto* device = std::get_if<DeviceRecord>(&record)) {
    device_ = device->gpu.name;
    store(*device);
  }
}

void Session::take_header(const Header& header) {
  if (!header.is_ready("device")) {
    device_.reset();
  }
  store(header);
}

// True if this was asked for under this id. Otherwise an error says so, and a launch with such an answer gets
// no other.
bool Session::answers(std::uint64_t id, const std::string& kernel, const Parameters& parameters) {
  const auto& jobs = queue_.under_way();
  const auto asked = std::ranges::find(jobs, id, &Job::id);
  if (asked == jobs.end()) {
    if (!log().point(id)) {
      last_error_ = fmt::format("The worker answered launch {}, which was not asked for.", id);
    }
    return false;
  }
  if (asked->configuration.kernel == kernel && holds(parameters, asked->configuration.parameters)) {
    return true;
  }
  last_error_ = fmt::format("The worker was asked for {} and answered with {}.", text(*asked),
                            text(Configuration{kernel, parameters}));
  fail_under_way(Job(*asked), *last_error_);
  return false;
}

void Session::take_point(Point point) {
  if (!answers(point.id, point.kernel, point.parameters)) {
    return;
  }
  if (point.gpu.empty()) {  // the answer to a compile request knows an architecture alone
    point.gpu = gpu_of(point.id);
  }
  if (point.final) {
    finish_job(point.id);
  }
  launching_ = true;
  const bool only_compiled = !point.final && !point.verification && !point.timing;
  launched_ = only_compiled ? std::optional(point.id) : std::nullopt;
  if (point.failure) {
    last_error_ = point.failure;
  }
  store(point);
}

// A failed profile is not kept: an older profile of the launch stays good.
void Session::take_profile(const SourceProfile& profile) {
  if (!answers(profile.id, profile.kernel, profile.parameters)) {
    return;
  }
  finish_job(profile.id);
  if (profile.failure) {
    last_error_ = profile.failure;
  } else {
    store(profile);
  }
}

void Session::take_roofs(const RoofsRecord& record) {
  store(record);
  if (record.id) {
    finish_job(*record.id);
    keep_roofs(record.roofs);
  }
}

// The answer to a request holds all that could be measured.
void Session::keep_roofs(const Roofs& roofs) const {
  const auto device = std::ranges::find_if(
      log().devices, [&](const DeviceRecord& each) { return device_ && each.gpu.name == *device_; });
  const auto is_of_roofs = [](const Facility& facility) { return facility.name == "roofs"; };
  if (device != log().devices.end() && std::ranges::none_of(facilities(), is_of_roofs)) {
    told_roofs(*device).save(roofs);
  }
}

void Session::finish_job(std::uint64_t id) {
  queue_.finish(id);
  worker_progress_.reset();
  worker_.note_progress();
}

void Session::receive(const BadLine& bad) {
  last_error_ =
      fmt::format("The worker wrote a line that is no record, which was skipped: {} ({})", bad.line, bad.why);
}

void Session::receive(const WorkerEnded& ended) {
  const auto culprit = to_blame();
  if (worker_.said_farewell()) {
    return start_again_with(RequestQueue::Again::as_before);
  }
  if (!culprit && !queue_.under_way().empty()) {
    return start_again_with(RequestQueue::Again::one_by_one);
  }
  if (options_.over_network && ended.how == lost_connection && !worker_.was_ended()) {
    last_error_ = worker_.recover({"lost its connection"}, "");
    return queue_.put_back(RequestQueue::Again::as_before);
  }
  last_error_ = worker_.recover(
      ended, culprit ? (culprit->target ? " while compiling " : " while measuring ") + text(*culprit) : "");
  if (culprit) {
    fail_under_way(*culprit, *last_error_);
  }
  queue_.put_back(RequestQueue::Again::as_before);
}

// The launch that was on the device when the deadline passed. If the worker ended by itself, an earlier launch
// may have harmed it: then nobody knows which is to blame.
std::optional<Job> Session::to_blame() const {
  const auto& jobs = queue_.under_way();
  if (jobs.size() == 1) {
    return jobs.front();
  }
  const auto launched =
      std::ranges::find(jobs, launched_, [](const Job& job) { return std::optional(job.id); });
  return worker_.was_ended() && launched != jobs.end() ? std::optional(*launched) : std::nullopt;
}

// The point of a job without an answer, as far as it is known.
Point Session::point_of(const Job& job) const {
  if (const Point* known = log().point(job.id)) {
    return *known;
  }
  Point point;
  point.id = job.id;
  point.kernel = job.configuration.kernel;
  point.parameters = job.configuration.parameters;
  point.caches = job.configuration.caches;
  point.gpu = gpu_of(job.id);
  return point;
}

void Session::fail(const Job& job, const std::string& sentence) {
  last_error_ = sentence;
  Point point = point_of(job);
  point.failure = sentence;
  point.final = true;
  store(point);
}

void Session::fail_under_way(const Job& job, const std::string& sentence) {
  worker_progress_.reset();
  if (job.work == Work::measure) {
    fail(job, sentence);
  }
  queue_.finish(job.id);
}

// The GPU that a point under way is for: the device may be another by the time of the answer.
std::string Session::gpu_of(std::uint64_t id) const {
  const auto& jobs = queue_.under_way();
  const auto job = std::ranges::find(jobs, id, &Job::id);
  return job != jobs.end() && job->target ? job->target->name : device_.value_or("");
}

}  // namespace rooftile
