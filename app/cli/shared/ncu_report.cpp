#include "app/cli/shared/ncu_report.hpp"

#include <fmt/format.h>

#include <thread>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_table = 256 << 20;  // [B]

[[noreturn]] void cannot_read(const fs::path& report, const std::string& why) {
  throw Error(fmt::format("{}: {}. Write a table of it instead: ncu --import {} --csv --page raw > report.csv",
                          report.string(), why, report.string()));
}

std::string all_lines(platform::ChildProcess& program, const fs::path& report) {
  std::string text;
  while (const auto line = program.read_line()) {
    text += *line + "\n";
    if (text.size() > largest_table) {
      cannot_read(report, "holds too many launches");
    }
  }
  return text;
}

}  // namespace

std::string ncu_report_csv(const fs::path& report) {
  const fs::path script = platform::data_directory() / "app" / "cli" / "shared" / "ncu_report_csv.py";
  const platform::TemporaryFolder folder;
  const fs::path errors = folder.path() / "errors";
  platform::ChildProcess python({"python3", script.string(), report.string()}, errors);
  python.close_input();
  std::string text = all_lines(python, report);
  while (python.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::string end = python.how_it_ended().value_or("");
  if (end == "ended with status 3") {
    cannot_read(report,
                "Python finds no module ncu_report; it comes with Nsight Compute, in extras/python, which "
                "PYTHONPATH can name");
  }
  if (end != "ended with status 0") {
    cannot_read(report, fmt::format("Nsight Compute's module cannot read it: {}",
                                    platform::read_text(errors).value_or(end)));
  }
  return text;
}

}  // namespace rooftile::cli
