// app/cli/commands.md has every verb, its options, its exit statuses and the keys of its JSON. The program
// itself is asked what there is: by its help, and by what it prints.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "analysis/platform/test_reference_page.hpp"
#include "analysis/record/records.hpp"
#include "analysis/roofline/example_point.hpp"
#include "analysis/verdict/launch_cell.hpp"
#include "app/cli/shared/test_program.hpp"

namespace rooftile::cli {
namespace {

using nlohmann::json;
using PageWords = std::set<std::string>;

const std::vector<ReferenceSection>& commands_page() {
  static const std::vector<ReferenceSection> sections = reference_page("app/cli/commands.md");
  return sections;
}

const ReferenceSection& section_of(const std::string& heading) {
  return *std::ranges::find(commands_page(), heading, &ReferenceSection::heading);
}

// The first words of the lines below a heading of the help, as "Subcommands:".
std::vector<std::string> listed_below(const std::string& help, const std::string& heading) {
  std::vector<std::string> words;
  bool is_below = false;
  for (const std::string& line : lines_of(help)) {
    is_below = line.empty() ? false : is_below || line == heading;
    if (is_below && line.starts_with("  ") && line[2] != ' ') {
      words.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return words;
}

// "-o,--output" -> "--output"
std::string long_name(const std::string& option) {
  return option.substr(option.find("--"), option.find(' ', option.find("--")) - option.find("--"));
}

PageWords options_on_page(const ReferenceSection& section) {
  PageWords options;
  for (const auto& row : section.rows) {
    if (const std::string word = literals(row.at(0)).at(0); word.starts_with('-')) {
      options.insert(long_name(word));
    }
  }
  return options;
}

struct Call {
  std::string verb;
  Arguments words;
  bool of_a_launch = false;  // the document is one
};

class CommandsReference : public CommandLine {
 protected:
  // Calls of every verb, so that every key of its document is met.
  std::vector<Call> calls();
  // "measure", "bench load"
  std::vector<std::string> verbs() const {
    std::vector<std::string> all;
    for (const std::string& verb : listed_below(run({"--help"}).out, "Subcommands:")) {
      const auto more = listed_below(run({verb, "--help"}).out, "Subcommands:");
      for (const std::string& each : more) {
        all.push_back(verb + " " + each);
      }
      if (more.empty()) {
        all.push_back(verb);
      }
    }
    return all;
  }
  PageWords options_in_help(Arguments verb) const {
    verb.emplace_back("--help");
    PageWords options;
    for (const std::string& option : listed_below(run(verb).out, "Options:")) {
      options.insert(long_name(option));
    }
    return options;
  }
};

Arguments page_words_of(const std::string& verb) {
  std::istringstream in(verb);
  return {std::istream_iterator<std::string>(in), {}};
}

TEST_F(CommandsReference, HasEveryVerbAndEveryOption) {
  EXPECT_EQ(options_on_page(commands_page().front()), options_in_help({}));
  PageWords described, known;
  for (const ReferenceSection& section : commands_page()) {
    described.insert(section.heading);
  }
  for (const char* no_verb : {"", "Exit statuses", "JSON", "A launch", "Figures"}) {
    EXPECT_EQ(described.erase(no_verb), 1u) << no_verb;
  }
  for (const std::string& verb : verbs()) {
    known.insert(verb);
    PageWords options = options_in_help(page_words_of(verb));
    options.erase("--help");
    EXPECT_EQ(options_on_page(section_of(verb)), options) << verb;
  }
  EXPECT_EQ(described, known);
}

TEST_F(CommandsReference, HasTheExitStatusesOfEveryVerb) {
  PageWords described;
  for (const auto& row : section_of("Exit statuses").rows) {
    described.insert(literals(row.at(0)).at(0));
  }
  PageWords known = {"0", "1", "2"};
  for (const std::string& verb : listed_below(run({"--help"}).out, "Subcommands:")) {
    known.insert(verb);
    EXPECT_EQ(run({verb, "--no-such-option"}).how, misused) << verb;
  }
  EXPECT_EQ(described, known);
}

TEST_F(CommandsReference, HasEveryFigureOfALaunch) {
  constexpr std::string_view any_level = "LEVEL";
  PageWords described, known;
  for (const auto& row : section_of("Figures").rows) {
    const std::string id = literals(row.at(0)).at(0);
    for (const MemoryLevel level : memory_levels) {
      described.insert(id.starts_with(any_level) ? std::string(key(level)) + id.substr(any_level.size()) : id);
    }
  }
  for (const CellKey key : cell_keys()) {
    known.insert(id_of(key));
  }
  EXPECT_EQ(described, known);
}

// The rows of a section that were met in an answer.
class Met {
 public:
  explicit Met(const std::string& heading) {
    for (const auto& row : section_of(heading).rows) {
      if (const std::string key = literals(row.at(0)).at(0); !key.starts_with('-')) {
        meanings_[key] = row.at(1);
      }
    }
  }
  void meet(const std::string& place, const json& value, Met* launch) {
    const auto found = meanings_.find(place);
    if (found == meanings_.end()) {
      unknown_.insert(place);
      return;
    }
    met_.insert(place);
    if (found->second.find("[a launch]") != std::string::npos && launch != nullptr) {
      launch->meet_below(launch->meanings_.contains(place) ? place : "", value, nullptr);
    } else if (found->second.find("record") == std::string::npos) {
      meet_below(place, value, launch);
    }
  }
  // A key that no row names counts as NAME, where there is a row for NAME.
  void meet_below(const std::string& place, const json& value, Met* launch) {
    if (value.is_array()) {
      const std::string each = place.empty() ? "" : place + "[]";
      std::ranges::for_each(value, [&](const json& element) { meet_below(each, element, launch); });
    } else if (value.is_object()) {
      for (const auto& [key, inner] : value.items()) {
        const std::string before = place.empty() ? "" : place + ".";
        meet(meanings_.contains(before + "NAME") ? before + "NAME" : before + key, inner, launch);
      }
    }
  }
  // Meets the keys that it knows; the others are left.
  json take_from(const json& document) {
    json left = json::object();
    for (const auto& [key, value] : document.items()) {
      if (meanings_.contains(key)) {
        meet(key, value, nullptr);
      } else {
        left[key] = value;
      }
    }
    return left;
  }
  const PageWords& unknown() const { return unknown_; }
  PageWords never_met() const {
    PageWords never;
    for (const auto& [key, meaning] : meanings_) {
      if (!met_.contains(key)) {
        never.insert(key);
      }
    }
    return never;
  }

 private:
  std::map<std::string, std::string> meanings_;
  PageWords met_, unknown_;
};

// Writes the records that the library in a program leaves behind.
std::string records_of_a_program() {
  Gpu gpu;
  gpu.name = "NVIDIA H200";
  gpu.cc = {9, 0};
  gpu.sm_count = 132;
  gpu.boost_clock = {1.98e9};
  gpu.l2_size = {6e7};
  gpu.sm = *sm_limits(gpu.cc);
  Point point = example::counted_gemm();
  point.program = ProgramLaunches{20, 0, 1, {4e-2}, 1};
  point.program->by_range = {{"step/loss", {3e-2}}};
  point.program->over_time = {{{0}, {2e-3}}};
  point.counters->achieved_occupancy = 1.1;  // more than there is: its figure has a flag
  Point uncounted = point;
  ++uncounted.id;
  uncounted.kernel = "uncounted()";
  uncounted.counters.reset();
  return to_line(Header{record_version, "rooftile", "", "2026", {}}) + "\n" + to_line(DeviceRecord{gpu, ""}) +
         "\n" + to_line(point) + "\n" + to_line(uncounted) + "\n";
}

// The bundled session without the launches of most kernels, whose code would be read for minutes.
std::string some_recorded_launches() {
  std::ifstream bundled(platform::data_directory() / "assets/sessions/h100_h200.jsonl");
  std::string kept;
  for (std::string line; std::getline(bundled, line);) {
    const bool is_launch = line.find(R"("record":"point")") != line.npos;
    if (!is_launch || line.find(R"("kernel":"sgemm_tiled")") != line.npos ||
        line.find(R"("kernel":"transpose_tiled")") != line.npos) {
      kept += line + "\n";
    }
  }
  return kept;
}

std::vector<Call> CommandsReference::calls() {
  const std::string bundled = (platform::data_directory() / "assets/sessions/h100_h200.jsonl").string();
  const std::string some = file("some.jsonl").string();
  write("some.jsonl", some_recorded_launches());
  const std::string session = recorded("s.jsonl", "8,16,32");
  write("description", R"({"kernels":[{"name":"sum","types":["int"],"dimensions":1,"dynamic_shared":false}]})");
  write("own/mine.cu", "");
  write("waiting.html", "<!doctype html><title>rooftile</title><!--data-->");
  write("cache.json", R"({"kernel_name": "k", "device_name": "H200", "tune_params": {"A": [1]},
                          "cache": {"1": {"A": 1, "time": 2}}})");
  write("records", records_of_a_program());
  const std::string leave = "cp " + file("records").string() + " $ROOFTILE_PROFILE_FOLDER/1.jsonl";
  const std::string worker = SCRIPTED_WORKER, none = "/no/such/worker";
  return {
      {"kernels", {"kernels"}},
      {"kernels", {"kernels", "sgemm_tiled", "--combinations"}},
      {"new",
       {"new", "mine", "--from", file("own/mine.cu").string(), "--worker",
        worker + " --description " + file("description").string()}},
      {"gpus", {"gpus"}},
      {"predict", {"predict", "sgemm_tiled", "--gpu", "H200"}, true},
      {"predict", {"predict", "transpose_tiled", "--gpu", "T4", "--all"}},
      {"measure", {"measure", "sgemm_tiled", "--worker", worker}, true},
      {"compare", {"compare", "sgemm_tiled", "sgemm_naive", "--rounds", "6", "--worker", worker}},
      {"explain", {"explain", bundled, "10", "11"}},
      {"lines", {"lines", "sgemm_tiled", "--worker", worker}},
      {"lines", {"lines", "sgemm_tiled", "M=1000", "--gpu", "4090", "--worker", worker}},
      {"roofs", {"roofs", "--gpu", "RTX 4090", "--worker", none}},
      {"sweep",
       {"sweep", "sgemm_tiled", "TILE=8,16,32", "--best", "-o", file("t.jsonl").string(), "--worker", worker}},
      {"best", {"best", bundled}},
      {"best", {"best", bundled, "sgemm_tiled", "--defines"}},
      {"occupancy", {"occupancy", "--block", "256", "--registers", "40", "--shared", "4096", "--gpu", "H200"}},
      {"occupancy", {"occupancy", "histogram_cluster", "--gpu", "H200"}},
      {"occupancy",
       {"occupancy", file("own/mine.cu").string(), "--gpu", "H200", "--worker",
        worker + " --description " + file("description").string()}},
      {"profile", {"profile", "--worker", none, "--", "sh", "-c", leave}},
      {"check", {"check", file("b.jsonl").string(), "--record", "--", "sh", "-c", leave}},
      {"doctor", {"doctor", "--worker", worker}},
      {"points", {"points", bundled, "transpose_tiled"}},
      {"import", {"import", file("cache.json").string(), "-o", file("i.jsonl").string(), "--worker", none}},
      {"report", {"report", some, "-o", file("report").string()}},
      {"page", {"page", "--without-data", file("waiting.html").string(), "-o", file("page.html").string()}},
      {"merge", {"merge", session, "-o", file("m.jsonl").string()}},
      {"bench load", {"bench", "load", session}},
      {"bench search", {"bench", "search", some}},
      {"bench model", {"bench", "model", some}},
      {"bench advice", {"bench", "advice", some}},
      {"bench sweep", {"bench", "sweep", "--count", "4", "--size", "512", "--worker", worker}},
      {"bench window", {"bench", "window", "--runs", "1", "--points", "100", "--worker", none}},
      {"bench latency", {"bench", "latency", "--moves", "2", "--size", "512", "--worker", worker}},
      {"bench speed", {"bench", "speed", "triad", "transpose", "--places", "2", "--worker", worker}}};
}

TEST_F(CommandsReference, HasEveryKeyOfEveryDocument) {
  std::map<std::string, Met> verbs;
  Met launch("A launch");
  for (const Call& call : calls()) {
    Arguments words = call.words;
    words.insert(words.begin(), "--json");
    const Outcome outcome = run(words);
    ASSERT_EQ(outcome.how, ok) << call.verb << outcome.err;
    json document = json::parse(outcome.out);
    EXPECT_EQ(document.at("version"), 1) << call.verb;
    document.erase("version");
    Met& met = verbs.try_emplace(call.verb, call.verb).first->second;
    if (call.of_a_launch) {
      document = launch.take_from(document);
    }
    met.meet_below("", document, &launch);
  }
  EXPECT_EQ(launch.unknown(), PageWords());
  EXPECT_EQ(launch.never_met(), PageWords());
  for (const auto& [verb, met] : verbs) {
    EXPECT_EQ(met.unknown(), PageWords()) << verb;
    EXPECT_EQ(met.never_met(), PageWords()) << verb;
  }
}

}  // namespace
}  // namespace rooftile::cli
