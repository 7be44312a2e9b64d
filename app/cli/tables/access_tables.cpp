#include "app/cli/tables/access_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "app/cli/tables/text_table.hpp"

namespace rooftile::cli {
namespace {

double sectors_per_request(const GlobalAccessModel& access) {
  return access.requests > 0 ? access.sectors / access.requests : 0;
}

// If all lanes lie side by side; fewer where they share words or not all of them take part.
double ideal_sectors(const GlobalAccessModel& access) {
  return std::min<double>(access.width_bytes, sectors_per_request(access));
}

std::string text_or_none(Bytes bytes) {
  return bytes > Bytes{} ? text(bytes) : "";
}

std::string warps(double number) {
  return number > 0 ? counted(number, "warp") : "no warp";
}

TextTable buffers_table(const std::vector<ptx::BufferWork>& buffers) {
  TextTable table({"buffer", "size", "touched", "read at L1", "written at L1"}, "lrrrr");
  for (const ptx::BufferWork& buffer : buffers) {
    table.add({buffer.name, text(buffer.size), text(buffer.touched), text_or_none(buffer.read),
               text_or_none(buffer.written)});
  }
  return table;
}

TextTable global_table(const Model& model) {
  TextTable table({"global-memory access", "sectors per request", "ideal", "in the launch"}, "lrrr");
  for (const GlobalAccessModel& access : model.global_accesses) {
    table.add({access.name, fmt::format("{:.3g}", sectors_per_request(access)),
               fmt::format("{:.3g}", ideal_sectors(access)), count(access.sectors)});
  }
  return table;
}

TextTable shared_table(const Model& model) {
  TextTable table({"shared-memory access", "wavefronts", "ideal", "in the launch"}, "lrrr");
  for (const AccessModel& access : model.accesses) {
    table.add({access.name, count(access.pattern.wavefronts), count(access.pattern.ideal_wavefronts),
               count(access.wavefronts)});
  }
  return table;
}

std::string paragraph(const TextTable& table) {
  return table.empty() ? "" : "\n" + table.text();
}

}  // namespace

std::string findings_text(const ptx::DerivedLaunch& code) {
  std::string text;
  for (const std::string& finding : code.findings) {
    text += fmt::format("\nin the code  {}\n", finding);
  }
  return text;
}

std::string accesses_text(const Model& model, const std::optional<ptx::DerivedLaunch>& code) {
  std::string text;
  if (code) {
    text = paragraph(buffers_table(code->buffers));
    text += fmt::format("\nBarriers are reached by {}, branches at which their lanes part by {}.\n",
                        warps(code->barriers), warps(code->divergent_branches));
  }
  return text + paragraph(global_table(model)) + paragraph(shared_table(model));
}

void add_accesses(nlohmann::json& all, const Model& model, const std::optional<ptx::DerivedLaunch>& code) {
  const ptx::DerivedLaunch read = code.value_or(ptx::DerivedLaunch{});
  all["findings"] = read.findings;
  if (code) {
    all["barriers"] = read.barriers;
    all["divergent_branches"] = read.divergent_branches;
  }
  for (const ptx::BufferWork& buffer : read.buffers) {
    all["buffers"].push_back({{"name", buffer.name},
                              {"bytes", buffer.size.value},
                              {"touched_bytes", buffer.touched.value},
                              {"read_bytes", buffer.read.value},
                              {"written_bytes", buffer.written.value}});
  }
  for (const GlobalAccessModel& access : model.global_accesses) {
    all["global_accesses"].push_back({{"name", access.name},
                                      {"sectors_per_request", sectors_per_request(access)},
                                      {"ideal_sectors_per_request", ideal_sectors(access)},
                                      {"requests", access.requests},
                                      {"sectors", access.sectors}});
  }
  for (const AccessModel& access : model.accesses) {
    all["shared_accesses"].push_back({{"name", access.name},
                                      {"wavefronts_per_request", access.pattern.wavefronts},
                                      {"ideal_wavefronts_per_request", access.pattern.ideal_wavefronts},
                                      {"requests", access.requests},
                                      {"wavefronts", access.wavefronts}});
  }
}

}  // namespace rooftile::cli
