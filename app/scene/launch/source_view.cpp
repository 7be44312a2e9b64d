#include "app/scene/launch/source_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/source/code/compile_errors.hpp"
#include "analysis/source/code/source_lines.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/lesson/lesson_play.hpp"

namespace rooftile::scene {
namespace {

constexpr double worth_a_word = 1.005;  // times the ideal

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

std::string count_text(const std::optional<double>& value) {
  return value && *value > 0 ? count(*value) : "";
}

double times_ideal(const std::optional<double>& actual, const std::optional<double>& ideal) {
  return actual && ideal ? share(*actual, *ideal) : 0;
}

// "4,194,304  32x"
std::string beside_ideal(const std::optional<double>& actual, const std::optional<double>& ideal) {
  const double factor = times_ideal(actual, ideal);
  return count_text(actual) + (factor > worth_a_word ? fmt::format("  {:.3g}x", factor) : "");
}

std::string fact(const char* what, const std::optional<double>& actual, const std::optional<double>& ideal) {
  const std::string ideally = ideal ? fmt::format(", ideally {}", count(*ideal)) : "";
  return fmt::format("{} {}{}", count_text(actual), what, ideally);
}

std::vector<std::string> facts(const LineProfile& line, double all_samples) {
  std::vector<std::string> all;
  if (line.executed) {
    const double threads = share(line.thread_executed.value_or(0), *line.executed);
    all.push_back(
        fmt::format("{} warp instructions, {:.1f} of 32 threads active", count(*line.executed), threads));
  }
  if (line.global_sectors.value_or(0) > 0) {
    all.push_back(fact("sectors of global memory", line.global_sectors, line.ideal_global_sectors));
  }
  if (line.shared_wavefronts.value_or(0) > 0) {
    all.push_back(fact("wavefronts of shared memory", line.shared_wavefronts, line.ideal_shared_wavefronts));
  }
  if (line.samples() > 0) {
    all.push_back(fmt::format("{} warp samples, {} of the launch", count(line.samples()),
                              percent(share(line.samples(), all_samples))));
  }
  for (const Stall& stall : stalls(line)) {
    all.push_back(fmt::format("{} {}: {}", percent(share(stall.samples, line.samples())), stall.reason,
                              meaning(stall.reason)));
  }
  return all;
}

void describe(SourceLine& shown, const LineProfile& line, double all_samples) {
  const auto reasons = stalls(line);
  shown.samples = line.samples() > 0 ? percent(share(line.samples(), all_samples)) : "";
  shown.waits_for = reasons.empty() ? "" : reasons.front().reason;
  shown.executed = count_text(line.executed);
  shown.sectors = beside_ideal(line.global_sectors, line.ideal_global_sectors);
  shown.wavefronts = beside_ideal(line.shared_wavefronts, line.ideal_shared_wavefronts);
  shown.conflicts = times_ideal(line.shared_wavefronts, line.ideal_shared_wavefronts) > worth_a_word;
  shown.facts = facts(line, all_samples);
}

SourceLine line_of(const MachineInstruction& instruction, double all_samples, double hottest) {
  SourceLine shown;
  shown.offset = fmt::format("{:04x}", instruction.offset);
  shown.text = (instruction.label.empty() ? "" : instruction.label + " ") + instruction.text;
  shown.heat = share(instruction.counts.samples(), hottest);
  describe(shown, instruction.counts, all_samples);
  return shown;
}

// From the first line that is no comment; what comes from no line of the source stands below it.
std::vector<SourceLine> lines(const SourceProfile& profile, bool with_machine_code = false) {
  const double all_samples = total(profile).samples();
  double hottest = 0;
  for (const LineProfile& line : profile.lines) {
    hottest = std::max(hottest, line.samples());
  }
  std::vector<SourceLine> all;
  const auto add = [&](int number, const std::string& words) {
    SourceLine& shown = all.emplace_back();
    shown.number = number;
    shown.text = words;
    if (const auto line = std::ranges::find(profile.lines, number, &LineProfile::line);
        line != profile.lines.end()) {
      shown.heat = share(line->samples(), hottest);
      describe(shown, *line, all_samples);
    }
    for (const MachineInstruction& each : profile.instructions) {
      if (with_machine_code && each.counts.line == number) {
        all.push_back(line_of(each, all_samples, hottest));
      }
    }
  };
  for (const auto& [number, words] : code_lines(profile.source)) {
    add(number, words);
  }
  const bool any_elsewhere =
      std::ranges::any_of(profile.lines, [](const LineProfile& line) { return line.line == 0; }) ||
      std::ranges::any_of(profile.instructions, [](const auto& each) { return each.counts.line == 0; });
  if (any_elsewhere) {
    add(0, "code from other files");
  }
  return all;
}

int opens_at(const SourceProfile& profile) {
  const auto heat = [](const LineProfile& line) {
    return std::pair(line.samples(), line.executed.value_or(0));
  };
  const auto found = std::ranges::max_element(profile.lines, {}, heat);
  return found == profile.lines.end() ? 0 : found->line;
}

// The three longest waits: "37 % short_scoreboard   19 % long_scoreboard".
std::string summary(const SourceProfile& profile) {
  constexpr std::size_t most = 3;
  const LineProfile all = total(profile);
  auto reasons = stalls(all);
  reasons.resize(std::min(reasons.size(), most));
  std::string words;
  for (const Stall& stall : reasons) {
    words += fmt::format("{}{} {}", words.empty() ? "" : "   ", percent(share(stall.samples, all.samples())),
                         stall.reason);
  }
  return words;
}

// The lines of another launch of the kernel on this GPU, the one nearest to the dials.
const SourceProfile* nearest_profile(const AppState& state) {
  const Parameters wanted = dialled(state);
  const SourceProfile* nearest = nullptr;
  for (const SourceProfile& each : state.known.session.log->profiles) {
    if (each.kernel == state.choice.kernel && each.gpu == state.choice.gpu && !each.failure &&
        (!nearest || agreements(each.parameters, wanted) > agreements(nearest->parameters, wanted))) {
      nearest = &each;
    }
  }
  return nearest;
}

// Null where the source was saved since, so that its lines are others.
const SourceProfile* profile_of_present_source(const AppState& state, const Point& point) {
  const SourceProfile* profile = point.failure ? nullptr : state.known.session.log->profile_of(point);
  const auto source = state.known.sources.find(point.kernel);
  const bool was_saved = profile && mode(state) == Mode::live && source != state.known.sources.end() &&
                         source->second != profile->source;
  return was_saved ? nullptr : profile;
}

// The code alone: as it is now, or as it was when another launch was looked at.
std::string source_text(const AppState& state, const SourceProfile* of_another) {
  const auto known = state.known.sources.find(state.choice.kernel);
  return known != state.known.sources.end() ? known->second : of_another ? of_another->source : "";
}

void show_code_alone(SourceView& view, const AppState& state) {
  const SourceProfile* another = nearest_profile(state);
  SourceProfile bare;
  bare.source = source_text(state, another);
  view.notice = "No line counts are recorded for these dials.";
  if (const CodeAnswer* code = code_at(state, dialled(state)); code && code->launch) {
    bare.lines = computed_lines(code->launch->lines);
    view.notice += " These figures are computed from " + code->launch->model.origin + ".";
  }
  view.lines = lines(bare);
  view.opens_at = opens_at(bare);
  if (another) {
    view.elsewhere = Place{another->parameters, another->caches};
    view.notice += " Recorded: " + difference_text(state, *view.elsewhere) + ".";
  }
}

void show_code_to_guess_from(SourceView& view, const AppState& state) {
  SourceProfile bare;
  bare.source = source_text(state, nearest_profile(state));
  view.lines = lines(bare);
  view.notice = "The counts of each line are shown once the question is answered.";
}

void show_errors(SourceView& view, const AppState& state, const Point& failed) {
  const std::string file = kernel(state).source.filename().string();
  const auto errors = compile_errors(*failed.failure, file);
  for (const CompileError& error : errors) {
    const auto line = std::ranges::find(view.lines, error.line, &SourceLine::number);
    if (line != view.lines.end()) {
      line->errors.push_back(error);
      view.failed = failed.id;
    }
  }
  if (view.failed) {
    view.notice = fmt::format("{} {}, the first in line {}: {} does not compile.", errors.size(),
                              errors.size() == 1 ? "error" : "errors", errors.front().line, file);
    view.elsewhere.reset();
  }
}

}  // namespace

std::optional<std::string> why_no_line_counts(const AppState& state) {
  if (mode(state) != Mode::live) {
    return "Counting lines needs a live GPU.";
  }
  const Point* point = current_point(state);
  if (!point || !landed(*point)) {
    return "Measure this launch first.";
  }
  return std::nullopt;
}

SourceView source_view(const AppState& state) {
  SourceView view;
  if (hides_figures(state)) {
    show_code_to_guess_from(view, state);
    return view;
  }
  const Point* point = current_point(state);
  view.why_not = why_no_line_counts(state);
  if (point && point->timing) {
    view.cost = text(profile_cost(point->timing->median, architecture_of(*point)));
  }
  const SourceProfile* profile = point ? profile_of_present_source(state, *point) : nullptr;
  if (!profile) {
    show_code_alone(view, state);
    if (point && point->failure) {
      show_errors(view, state, *point);
    }
    return view;
  }
  view.counted = true;
  view.has_machine_code = !profile->instructions.empty();
  view.lines = lines(*profile, state.view.machine_code);
  view.opens_at = opens_at(*profile);
  view.summary = summary(*profile);
  view.facts = facts(total(*profile), total(*profile).samples());
  view.facts.insert(view.facts.end(), profile->notes.begin(), profile->notes.end());
  return view;
}

}  // namespace rooftile::scene
