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

// The language of C++, with a comma and points; and that of C, which only an installed language changes.
class CommaLanguage {
 public:
  explicit CommaLanguage(const char* of_c = "C")
      : before_(std::locale::global(std::locale(std::locale::classic(), new Comma))),
        before_of_c_(std::setlocale(LC_ALL, nullptr)),
        is_there_(std::setlocale(LC_ALL, of_c) != nullptr) {}
  ~CommaLanguage() {
    std::locale::global(before_);
    std::setlocale(LC_ALL, before_of_c_.c_str());
  }
  CommaLanguage(const CommaLanguage&) = delete;
  CommaLanguage& operator=(const CommaLanguage&) = delete;
  bool is_there() const { return is_there_; }

 private:
  std::locale before_;
  std::string before_of_c_;
  bool is_there_;
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

class InstalledLanguage : public testing::TestWithParam<const char*> {};
TEST_P(InstalledLanguage, ChangesNoFileAndNoFigure) {
  const std::string plain = everything();
  const CommaLanguage comma(GetParam());
  if (!comma.is_there()) {
    GTEST_SKIP() << "install the language " << GetParam();
  }
  EXPECT_EQ(everything(), plain);
}
INSTANTIATE_TEST_SUITE_P(German, InstalledLanguage, testing::Values("de_DE.UTF-8"));
INSTANTIATE_TEST_SUITE_P(Turkish, InstalledLanguage, testing::Values("tr_TR.UTF-8"));

}  // namespace
}  // namespace rooftile
