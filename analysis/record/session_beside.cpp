#include "analysis/record/session_beside.hpp"

#include <algorithm>

namespace rooftile {

std::string name_beside(const std::string& gpu, const std::string& session) {
  return gpu + " (" + session + ")";
}

void SessionBeside::operator()(Record& record) {
  if (!has_begun_) {
    begin();
  }
  if (auto* device = std::get_if<DeviceRecord>(&record)) {
    device->gpu.name = own_name(device->gpu.name);
  } else if (auto* roofs = std::get_if<RoofsRecord>(&record)) {
    roofs->roofs.gpu = own_name(roofs->roofs.gpu);
  } else if (auto* point = std::get_if<Point>(&record)) {
    point->gpu = own_name(point->gpu);
    point->id += largest_id_;
  } else if (auto* profile = std::get_if<SourceProfile>(&record)) {
    profile->gpu = own_name(profile->gpu);
    profile->id += largest_id_;
  } else if (auto* note = std::get_if<Note>(&record)) {
    note->gpu = own_name(note->gpu);
    note->id += largest_id_;
  }
}

// Called with the first record: until then the log may still grow by the sessions before this one.
void SessionBeside::begin() {
  has_begun_ = true;
  for (const DeviceRecord& device : log_.devices) {
    taken_.insert(device.gpu.name);
  }
  for (const Point& point : log_.points) {
    largest_id_ = std::max(largest_id_, point.id);
  }
  for (const SourceProfile& profile : log_.profiles) {
    largest_id_ = std::max(largest_id_, profile.id);
  }
  for (const Note& note : log_.notes) {
    largest_id_ = std::max(largest_id_, note.id);
  }
}

std::string SessionBeside::own_name(const std::string& gpu) const {
  return taken_.contains(gpu) ? name_beside(gpu, name_) : gpu;
}

}  // namespace rooftile
