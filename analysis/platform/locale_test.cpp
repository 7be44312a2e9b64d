// Files and figures are the same on a machine whose language has a decimal comma.
#include <gmock/gmock.h>

#include <clocale>
#include <locale>

#include "analysis/chip/gpu.hpp"
#include "analysis/exchange/ncu_csv.hpp"
#include "analysis/exchange/points_csv.hpp"
#include "analysis/exchange/tuner_file.hpp"
#include "analysis/exchange/winner.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/roofline/example_point.hpp"
#include "analysis/text/format.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile {
namespace {

class Comma : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

// The language of C++ always; that of C where the system has such a language.
class CommaLanguage {
 public:
  CommaLanguage()
      : before_(std::locale::global(std::locale(std::locale::classic(), new Comma))),
        before_of_c_(std::setlocale(LC_ALL, nullptr)) {
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "tr_TR.UTF-8", "fr_FR.UTF-8"}) {
      if (std::setlocale(LC_ALL, name)) {
        return;
      }
    }
  }
  ~CommaLanguage() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, before_of_c_.c_str());
  }
  CommaLanguage(const CommaLanguage&) = delete;
  CommaLanguage& operator=(const CommaLanguage&) = delete;

 private:
  std::locale before_;
  std::string before_of_c_;
};

constexpr const char* ncu_table =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"gpu__time_duration.sum\"\n"
    "\"\",\"\",\"\",\"\",\"usecond\"\n\"0\",\"k\",\"(256, 1, 1)\",\"(4, 1, 1)\",\"1,234.5\"\n";
constexpr const char* tuner_table =
    R"({"results": [{"configuration": {"A": 1.5}, "times": {"runtimes": [2.25]}, "invalidity": "correct"}]})";

// All texts that are written from what is read.
std::string everything() {
  SessionLog log;
  log.add(example::counted_gemm());
  log.add(read_ncu_csv(ncu_table, "r.csv").points.at(0));
  log.add(read_tuner_file(tuner_table, "t.json").points.at(0));
  for (const Gpu& gpu : platform::load_gpu_table().gpus) {
    log.add(DeviceRecord{gpu, ""});
  }
  std::string all = session_text(log) + points_csv(launch_reports(log)) +
                    tuner_results({log.points.begin(), log.points.end()}, "2026");
  all += session_text(read_session(session_text(log), "again.jsonl"));
  for (const Manifest& kernel : platform::load_catalogue_with({}).kernels) {
    const Model modelled = model(kernel, complete(kernel, {}), 132);
    all += text(modelled.compulsory_dram) + number(modelled.elements) + number(1234567.25) + count(1234567);
  }
  return all;
}

TEST(Language, ChangesNoFileAndNoFigure) {
  const std::string plain = everything();
  const CommaLanguage comma;
  EXPECT_EQ(everything(), plain);
}

}  // namespace
}  // namespace rooftile
