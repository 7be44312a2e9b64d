// analysis/session.md has every kind of record and every key, with what it may hold.
#include <gmock/gmock.h>

#include <span>

#include "analysis/platform/test_reference_page.hpp"
#include "analysis/record/records.hpp"

namespace rooftile {
namespace {

std::string row_of(const RecordField& field) {
  return "`" + field.path + "` | " + (field.required ? "" : "optional ") + field.type;
}

TEST(SessionReference, HasEveryRecordAndEveryKey) {
  std::map<std::string, std::vector<std::string>> described, known;
  const std::vector<ReferenceSection> page = reference_page("analysis/session.md");
  for (const ReferenceSection& section : std::span(page).subspan(1)) {
    auto& rows = described[section.heading];
    for (const auto& row : section.rows) {
      rows.push_back(row.at(0) + " | " + row.at(1));
      EXPECT_FALSE(row.at(2).empty()) << row.at(0);
    }
  }
  for (const auto& [kind, fields] : record_fields()) {
    auto& rows = known[kind];
    std::ranges::transform(fields, std::back_inserter(rows), row_of);
  }
  EXPECT_EQ(described, known);
}

TEST(SessionReference, ItsExampleIsASession) {
  std::istringstream lines(reference_page("analysis/session.md").front().examples.at(0));
  int records = 0;
  for (std::string line; std::getline(lines, line); ++records) {
    EXPECT_TRUE(parse_record(line)) << line;
  }
  EXPECT_EQ(records, 2);
}

}  // namespace
}  // namespace rooftile
