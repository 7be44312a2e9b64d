#include "app/session/kept_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "analysis/record/session_beside.hpp"
#include "analysis/text/error.hpp"
#include "app/session/journal_file.hpp"

namespace rooftile {
namespace {

bool is_result(const Record& record) {
  return std::holds_alternative<Point>(record) || std::holds_alternative<SourceProfile>(record) ||
         std::holds_alternative<Note>(record);
}

}  // namespace

KeptLog KeptLog::begin(const std::filesystem::path& journal, platform::Existing existing) {
  KeptLog kept;
  kept.file_ = journal;
  try {
    kept.journal_ = journal.empty() ? new_journal() : std::make_unique<platform::Journal>(journal, existing);
    kept.file_ = kept.journal_->file();
  } catch (const std::exception& error) {
    kept.note(fmt::format("New measurements are not kept: {}", error.what()));
  }
  kept.log_->header = header_of_now();
  return kept;
}

void KeptLog::open_recording(const std::filesystem::path& file) {
  recordings_.push_back({file.filename().string(), std::make_unique<platform::SessionInput>(*log_, file)});
}

void KeptLog::open_beside(const std::filesystem::path& file) {
  recordings_.push_back(
      {file.filename().string(),
       std::make_unique<platform::SessionInput>(*log_, file, SessionBeside(*log_, file.stem().string()))});
}

// The log keeps the header of this session.
void KeptLog::read(const auto& from_recordings) {
  Header header = log_->header;
  from_recordings();
  log_->header = std::move(header);
  recorded_points_ = log_->points.size();
  recorded_profiles_ = log_->profiles.size();
  recorded_notes_ = log_->notes.size();
}

bool KeptLog::read_on() {
  if (recordings_.empty()) {
    return false;
  }
  bool more = false;
  read([&] { more = read_piece(*recordings_.front().input); });
  if (!more) {
    read_.push_back(std::move(recordings_.front()));
    recordings_.pop_front();
  }
  return !recordings_.empty();
}

bool KeptLog::follow() {
  if (log_->points.size() > recorded_points_ || log_->profiles.size() > recorded_profiles_ ||
      log_->notes.size() > recorded_notes_) {
    return false;
  }
  bool grown = false;
  read([&] {
    for (const Recording& each : read_) {
      grown = each.input->read_appended() || grown;
    }
  });
  return grown;
}

// A file named beside the recording may be no session: the recording is shown all the same.
bool KeptLog::read_piece(platform::SessionInput& input) {
  if (read_.empty()) {
    return input.read_on();
  }
  try {
    return input.read_on();
  } catch (const Error& error) {
    log_->left_out.emplace_back(error.what());
    return false;
  }
}

std::optional<Progress> KeptLog::reading() const {
  if (recordings_.empty()) {
    return std::nullopt;
  }
  const auto& [name, input] = recordings_.front();
  const auto megabytes = [](std::uintmax_t bytes) { return static_cast<int>(bytes / 1'000'000); };
  return Progress{"Reading " + name + ", MB", megabytes(input->bytes_read()), megabytes(input->size())};
}

void KeptLog::add(const Record& record) {
  try {
    keep(record);
  } catch (const Error& error) {
    note(fmt::format("New measurements are not kept: {}", error.what()));
  }
  log_->add(record);
}

void KeptLog::keep(const Record& record) {
  if (!journal_has_begun_ && !file_.empty() && is_result(record)) {
    begin_journal();
  }
  if (journal_has_begun_) {
    journal_->append(record);
    in_trouble_ = false;
  }
}

void KeptLog::tidy_journal() {
  if (!journal_) {
    throw Error("There is no journal.");
  }
  journal_->replace(*log_);
  journal_has_begun_ = true;
}

void KeptLog::note(const std::string& trouble) {
  if (!std::exchange(in_trouble_, true)) {
    trouble_ = trouble;
  }
}

// The log holds earlier results only if the journal could not be written then.
void KeptLog::begin_journal() {
  if (!journal_) {
    journal_ = std::make_unique<platform::Journal>(file_);
  }
  journal_->append(log_->header);
  for (const auto& device : log_->devices) {
    journal_->append(device);
  }
  for (const auto& roofs : log_->roofs) {
    journal_->append(RoofsRecord{roofs});
  }
  for (const auto& point : log_->points | std::views::drop(recorded_points_)) {
    journal_->append(point);
  }
  for (const auto& profile : log_->profiles | std::views::drop(recorded_profiles_)) {
    journal_->append(profile);
  }
  for (const Note& note : log_->notes | std::views::drop(recorded_notes_)) {
    journal_->append(note);
  }
  journal_has_begun_ = true;
}

void KeptLog::replace(Facility facility) {
  auto& all = log_->header.facilities;
  std::erase_if(all, [&](const Facility& each) { return each.name == facility.name; });
  all.push_back(std::move(facility));
}

}  // namespace rooftile
