#include "app/conductor/program_run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/record/program/meant_names.hpp"

namespace rooftile::conductor {
namespace {

using namespace std::chrono_literals;

constexpr auto between_record_looks = 100ms;  // at the folder of its records

ProfileOptions capturing(const std::string& kernel, const std::string& shape, const CaptureFolder& captured) {
  ProfileOptions options;
  options.kernel = expression_of(kernel);
  options.shape = shape;
  options.capture = captured.written_at();
  return options;
}

}  // namespace

std::string program_name(const std::vector<std::string>& command) {
  return std::filesystem::path(command.front()).filename().string();
}

ProgramRun::ProgramRun(const std::vector<std::string>& command, const ProfileOptions& options,
                       std::vector<Gpu> gpus)
    : program_(std::make_unique<ProfiledProgram>(command, options)), gpus_(std::move(gpus)) {
  view_.name = program_name(command);
  view_.started = true;
}

ProgramRun::ProgramRun(const std::vector<std::string>& command, const std::string& kernel,
                       const std::string& shape)
    : captured_(std::make_unique<CaptureFolder>(free_place(kernel))),
      program_(std::make_unique<ProfiledProgram>(command, capturing(kernel, shape, *captured_))) {
  view_.name = program_name(command);
  view_.started = true;
  view_.capture = scene::ProgramCapture{kernel};
}

void ProgramRun::tell_to_end() {
  if (program_) {
    program_->tell_to_end();
  }
}

bool ProgramRun::follow(Session& session) {
  if (view_.end || Clock::now() < next_look_) {
    return false;
  }
  next_look_ = Clock::now() + between_record_looks;
  const auto end = program_->end();  // asked before the last look at its records
  if (end) {
    view_.end = scene::ProgramStatus{end->status, end->signal};
  }
  const bool later = pass_time();
  const bool more = take_records(session) || look_at_captured();
  if (end && view_.processes == 0) {
    view_.why_not_loaded = program_->why_not_loaded();
  }
  if (end) {
    program_.reset();
  }
  return more || later || end;
}

bool ProgramRun::look_at_captured() {
  return captured_ && captured_->is_written() && !std::exchange(view_.capture->is_written, true);
}

bool ProgramRun::pass_time() {
  const double before = std::floor(view_.running_for.value);
  view_.running_for = Seconds{std::chrono::duration<double>(Clock::now() - started_).count()};
  return std::floor(view_.running_for.value) != before;
}

// When the program ends, all points are taken once more: then they are final.
bool ProgramRun::take_records(Session& session) {
  if (!program_->read_on() && !view_.end) {
    return false;
  }
  view_.processes = program_->processes().size();
  note_troubles();
  if (captured_) {
    view_.capture->lacks = what_a_replay_lacks(program_->processes());
    return true;
  }
  for (const SessionLog& process : program_->processes()) {
    for (const DeviceRecord& device : process.devices) {
      session.record_gpu(device.gpu, roofs_of(device.gpu));
    }
  }
  std::vector<Point> points = merged_program_points(program_->processes());
  view_.totals = totals_of(points);
  for (Point& point : points) {
    take_point(session, std::move(point));
  }
  return true;
}

// Empty for a GPU without a known datasheet.
Roofs ProgramRun::roofs_of(const Gpu& gpu) const {
  const Gpu* quoted = find_gpu(gpus_, gpu.name);
  Roofs roofs = quoted ? datasheet_roofs(*quoted) : Roofs{};
  roofs.gpu = gpu.name;
  return roofs;
}

void ProgramRun::take_point(Session& session, Point point) {
  const auto [known, is_new] = ids_.try_emplace(program_identity(point), 0);
  if (is_new) {
    known->second = session.take_id();
  }
  point.id = known->second;
  point.final = view_.end.has_value();
  const Point* before = session.log().point(point.id);
  if (!before || *before != point) {
    session.keep(point);
  }
}

void ProgramRun::note_troubles() {
  std::vector<std::string> all = program_->take_troubles();
  for (const SessionLog& process : program_->processes()) {
    for (const Facility& facility : process.header.facilities) {
      if (facility.state != Facility::State::ready) {
        all.push_back(facility.sentence + " " + facility.fix);
      }
    }
  }
  for (const std::string& sentence : all) {
    if (std::ranges::find(troubles_, sentence) == troubles_.end()) {
      troubles_.push_back(sentence);
    }
  }
}

}  // namespace rooftile::conductor
