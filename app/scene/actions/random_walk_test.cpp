// A state that cannot go wrong: whatever the user, the worker and the files do, in any order. ROOFTILE_STEPS
// says how many steps are taken, ROOFTILE_SEED where they begin.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>

#include "analysis/text/format.hpp"
#include "app/scene/actions/apply_test.hpp"
#include "app/scene/actions/continue_search.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/follow_program.hpp"
#include "app/scene/actions/random_actions.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/teaching.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/picture/test_picture.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {
namespace {

constexpr std::uint64_t steps_of_a_walk = 250;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

constexpr const char* lesson_of_walk = R"(# Two kernels

## One

Guess first.

```rooftile
kernel = "transpose_tiled"
dials = { PAD = 0 }
show = "banks"
question = "How many wavefronts does a store take?"
options = [{ text = "1" }, { text = "32", when = "bank_wavefronts > 1" }]
```

## Another

```rooftile
kernel = "sgemm_tiled"
show = "memory"
```
)";

// A few kernels of different kinds, one of the user's own, and a lesson.
AppState first_of_walk() {
  AppState state = own_kernel_state();
  std::vector<Manifest> few;
  for (const char* name : {"sgemm_naive", "sgemm_tiled", "transpose_tiled", "histogram_shared", "sum"}) {
    if (const Manifest* known = known_kernel(state.known.catalogue, name)) {
      few.push_back(*known);
    }
  }
  use_kernels(state, few, {state.known.manifests, state.known.sources});
  use_lesson(state, read_lesson(lesson_of_walk, "walk.md", state.known.catalogue));
  refresh(state);
  return state;
}

std::string words_of_row(const ChartRow& row) {
  std::string words =
      std::to_string(row.id) + " " + row.label + " " + row.figure + (row.pinned ? " pinned" : "");
  for (const Dot& dot : row.dots) {
    words += " " + percent_or_dash(dot.share) + " " + text(dot.bandwidth);
  }
  return words + (row.occupancy ? " at " + percent(*row.occupancy) : "") + "\n";
}

std::string words_of_chart(const Chart& chart) {
  std::string words = std::to_string(static_cast<int>(chart.kind)) + chart.ridge_label + "\n";
  for (const ChartRow& row : chart.rows) {
    words += words_of_row(row);
  }
  for (const BesideRow& beside : chart.beside) {
    words += "beside " + words_of_row(beside.row);
  }
  for (const RoofLine& roof : chart.roofs) {
    words += roof.label + " " + std::string(key(roof.origin)) + "\n";
  }
  words += std::to_string(chart.crowd.size()) + " specks\n";
  words += chart.ghost ? "ghost " + words_of_row(*chart.ghost) : "";
  return words + (chart.advised ? "advised " + words_of_row(*chart.advised) : "");
}

std::string words_of_map(const Landscape& map) {
  std::string words = map.summary + " " + std::to_string(map.advised.value_or(0)) + "\n";
  for (const MapCell& cell : map.cells) {
    words += text(cell.place) + " " + cell.text + " " + std::to_string(cell.launch.value_or(0)) +
             (cell.present ? " here " : " ") + cell.why_not + "\n";
  }
  return words;
}

std::string words_of_subject(const Subject& subject) {
  std::string words =
      std::to_string(subject.point.id) + " " + subject.verdict.title + " " + subject.verdict.grounds;
  words += subject.advice ? " " + subject.advice->sentence + subject.why_not.value_or("") : "";
  words += " " + subject.intensity;
  words += subject.outcome ? " " + subject.outcome->sentence : "";
  words += subject.why ? " " + subject.why->sentence : "";
  for (const ShareBar& bar : subject.shares) {
    words += " " + bar.label + " " + bar.percent;
  }
  for (const Check& check : subject.checks) {
    words += " " + check.sentence;
  }
  for (const OccupancyPlot& plot : subject.occupancy_plots) {
    words += " " + plot.here + " " + std::to_string(plot.lines.size());
  }
  return words + "\n";
}

std::string words_of_lists(const AppState& state) {
  const Shown& shown = state.derived.shown;
  std::string words = shown.device + shown.compile_cost + shown.why_no_sweep.value_or("") + "\n";
  for (const Dial& dial : shown.dials) {
    words += dial.name + " " + std::to_string(dial.selected);
    for (const DialOption& option : dial.options) {
      words += " " + option.text + option.why_not.value_or("");
    }
    words += "\n";
  }
  for (const ShapeRow& row : shown.shapes) {
    words += row.text + " " + row.figure + "\n";
  }
  for (const std::uint64_t id : shown.table.ids) {
    const TableRow row = table_row(state, id, roofs_of(state));
    words +=
        std::to_string(id) + " " + row.name + row.kernel + row.dials + row.time.text + row.share.text + "\n";
  }
  for (const KernelGroup& group : shown.kernels) {
    words += group.title + (group.open ? " open\n" : "\n");
    for (const KernelRow& row : group.rows) {
      words += row.title + " " + row.figure + "\n";
    }
  }
  return words;
}

std::string words_of_access(const AccessView& view) {
  std::string words = view.access + view.sentence + view.step_sentence + view.notice;
  for (const BankWord& word : view.words) {
    words += " " + std::to_string(word.word);
  }
  return words + (view.hides ? " hidden " : " ") + std::to_string(view.wavefronts) + " of warp " +
         std::to_string(view.warp) + " at " + std::to_string(view.step) + "\n";
}

std::string words_of_pictures(const Shown& shown) {
  std::string words = words_of_access(shown.banks) + words_of_access(shown.sectors) + shown.tile.sentence +
                      shown.tile.notice + (shown.tile.hides ? " hidden" : "");
  for (const TileOfBuffer& tile : shown.tile.tiles) {
    words += " " + tile.name + tile.extent + std::string(tile.cells.begin(), tile.cells.end());
  }
  words += "\n" + shown.memory.sentence + shown.memory.notice;
  for (const MemoryRung& rung : shown.memory.rungs) {
    words += " " + rung.name + rung.room + rung.moved + rung.hits + rung.latency;
  }
  return words + "\n";
}

// All that is shown, in words.
std::string words_of_shown(const AppState& state) {
  const Shown& shown = state.derived.shown;
  std::string words = words_of_lists(state) + words_of_chart(shown.chart) + words_of_map(shown.landscape) +
                      words_of_pictures(shown);
  words += shown.subject ? words_of_subject(*shown.subject) : "";
  words += shown.sweep.size + shown.measure_line.value_or("") + "\n";
  for (const std::string& line : shown.sweep_news) {
    words += line + "\n";
  }
  for (const RoofRow& roof : shown.roofs) {
    words += roof.name + " " + roof.measured + " " + roof.datasheet + "\n";
  }
  words += shown.launch_form ? shown.launch_form->comes_to + shown.launch_form->cannot_launch + "\n" : "";
  return words + std::to_string(shown.source.lines.size()) + shown.source.summary + shown.source.notice + "\n";
}

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : random_(seed), actions_(random_, state_) {
    *log_ = *state_.known.session.log;
    state_.known.session.log = log_;
    follow_log(state_);
    refresh(state_);
  }

  // The action in a word.
  std::string step() {
    switch (actions_.below(18)) {
      case 0:
        return reload();
      case 1:
        return save_source();
      case 2:
        return worker();
      case 3:
        return program();
      case 4:
        return time_passes();
      case 9:
        return code_is_read();
      case 10:
        return note();
      case 5:
      case 6:
      case 7:
      case 8:
        return launch_lands();
      default:
        return user();
    }
  }

  // Empty: all holds.
  std::string wrong() {
    if (!known_kernel(state_.known.catalogue, state_.choice.kernel)) {
      return "the chosen kernel " + state_.choice.kernel + " is not in the catalogue";
    }
    for (const std::uint64_t id : live_) {
      if (std::ranges::find(state_.choice.trail, id) == state_.choice.trail.end()) {
        return "the live launch " + std::to_string(id) + " is lost";
      }
    }
    if (std::set(state_.choice.trail.begin(), state_.choice.trail.end()).size() != state_.choice.trail.size()) {
      return "a launch stands on the trail twice";
    }
    for (const Parameter& each : kernel(state_).parameters) {
      if (!dialled(state_).contains(each.name)) {
        return "nothing is dialled for " + each.name;
      }
    }
    for (const std::uint64_t id : state_.derived.shown.table.ids) {
      const TableRow row = table_row(state_, id, roofs_of(state_));
      for (const Cell* share : {&row.share, &row.occupancy}) {
        if (share->value.value_or(0) > 1.02 && share->flag.empty()) {
          return share->label + " is " + share->text + " without a flag";
        }
      }
    }
    const Point* current = current_point(state_);
    const bool is_shown = current && !hides_figures(state_) && !is_frozen(state_);
    if (is_shown && (!state_.derived.shown.subject || state_.derived.shown.subject->point.id != current->id)) {
      return "another launch is spoken of than the current one";
    }
    return "";
  }

  // Nothing that is shown is older than what it was made from, unless it is frozen.
  std::string stale() {
    if (is_frozen(state_)) {
      return "";
    }
    AppState fresh = state_;
    fresh.derived = {};
    fresh.derived.shown.banks.access = state_.derived.shown.banks.access;  // it stays while its words move
    fresh.derived.shown.sectors.access = state_.derived.shown.sectors.access;
    refresh(fresh);
    AppState now = state_;
    if (fresh.derived.shown.landscape.unfinished) {  // it takes some refreshes more, the kept one fewer
      fresh.derived.shown.landscape = now.derived.shown.landscape = {};
    }
    const std::string shown = words_of_shown(now), wanted = words_of_shown(fresh);
    const auto from = std::ranges::mismatch(shown, wanted).in1 - shown.begin();
    const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, from - 60));
    return shown == wanted
               ? ""
               : "stale: \"" + shown.substr(at, 160) + "\" instead of \"" + wanted.substr(at, 160) + "\"";
  }

 private:
  std::string user() {
    Actions actions;
    for (std::size_t left = 1 + actions_.below(3); left > 0; --left) {
      actions.push_back(actions_.next());
    }
    std::string what = "actions";
    for (const Action& each : actions) {
      what += " " + number_of(each);
      if (const auto* remove = action_if<Remove>(each)) {
        live_.erase(remove->id);
        removed_.insert(remove->id);
      }
      if (action_if<RemoveSelected>(each)) {
        removed_.merge(live_);  // of some it is not known here
        live_.clear();
      }
    }
    scene::apply(state_, actions);  // std::apply is found too
    return what;
  }

  void show() {
    follow_log(state_);
    refresh(state_);
  }

  std::string launch_lands() {
    if (unfinished_) {
      Point point = *std::exchange(unfinished_, std::nullopt);
      point.final = true;
      add(point);
      return "goes on " + std::to_string(point.id);
    }
    const Manifest& manifest = actions_.any_of(everything_);
    Point point = counted_point(known_, next_, manifest.name, {});
    for (const Parameter& each : manifest.parameters) {
      Parameters other = point.parameters;
      other[each.name] = each.values.empty() ? other[each.name] : actions_.any_of(each.values);
      if (!why_illegal(manifest, other)) {
        point.parameters = other;
      }
    }
    point.gpu = state_.known.session.device.empty() ? synthetic_gpu : state_.known.session.device;
    point.final = !actions_.once_in(4);
    if (actions_.once_in(8)) {
      point.failure = "It failed.";
    } else if (!point.final) {
      unfinished_ = point;
      point.counters.reset();
    }
    add(point);
    return "lands " + std::to_string(point.id) + " of " + point.kernel;
  }

  void add(const Point& point) {
    next_ = std::max(next_, point.id + 1);
    log_->points.add(point);
    if (!state_.known.session.device.empty() && !removed_.contains(point.id)) {
      live_.insert(point.id);
    }
    continue_search(state_);
    show();
  }

  std::string reload() {
    std::vector<Manifest> kernels;
    for (const Manifest& each : everything_) {
      if (!actions_.once_in(4)) {
        kernels.push_back(each);
      }
    }
    if (kernels.empty()) {
      kernels = everything_;
    }
    KernelTexts texts{known_.known.manifests, known_.known.sources};
    if (actions_.once_in(3)) {
      texts.sources["sum"] += "// changed";
    }
    use_kernels(state_, std::move(kernels), std::move(texts));
    refresh(state_);
    return "reload of " + std::to_string(state_.known.catalogue.size()) + " kernels";
  }

  std::string save_source() {
    use_source(state_, "sum",
               "__global__ void sum(const float* in) {} // " + std::to_string(actions_.below(9)));
    refresh(state_);
    return "a source is saved";
  }

  // Sometimes for a kernel, a source or a GPU that is chosen no more.
  std::string code_is_read() {
    const AppState& asked = actions_.once_in(4) ? known_ : state_;
    const std::string name = kernel(asked).name;
    const CodePlace place{name, code_version(asked, name), asked.choice.gpu, dialled(asked)};
    CodeAnswer answer;
    answer.why_not = "It cannot be read.";
    const Gpu* const device = gpu(asked);
    const bool again = state_.known.code.contains(place);
    if (device && known_kernel(everything_, name) && (again || !actions_.once_in(4))) {
      answer.launch.emplace().model = stated_model(kernel(asked), dialled(asked), *device);
      answer.launch->model.is_bound = actions_.once_in(2);
      answer.why_not.clear();
    }
    use_code(state_, place, std::move(answer));
    refresh(state_);
    return "the code of " + name + " is read";
  }

  // In the session's file, by whoever wrote it.
  std::string note() {
    Note note;
    note.id = log_->notes.size() + 1;
    note.text = "Look here.";
    note.kernel = actions_.any_of(everything_).name;
    note.gpu = synthetic_gpu;
    log_->notes.push_back(note);
    show();
    return "a note";
  }

  // It dies, starts, or comes back, perhaps with another GPU.
  std::string worker() {
    SessionView& session = state_.known.session;
    session.starting = actions_.once_in(4);
    session.worker_given_up = actions_.once_in(4);
    session.busy = actions_.once_in(2);
    session.device = actions_.once_in(2) ? synthetic_gpu : actions_.once_in(2) ? "" : "another H200";
    if (session.device == "another H200" && !log_->gpu(session.device)) {
      Gpu other = *find_gpu(state_.known.gpus, "H200");
      other.name = session.device;
      log_->devices.push_back({other, "1"});
    }
    if (actions_.once_in(2)) {
      state_.choice.gpu.clear();
    }
    choose_gpu(state_);
    settle_on_recording(state_);
    refresh(state_);
    return "the worker's device is now \"" + session.device + "\"";
  }

  std::string program() {
    if (state_.known.session.program) {
      Point point = counted_point(known_, next_, "sgemm_naive", {});
      point.kernel = actions_.once_in(2) ? "copy(float*)" : "scale(float*)";
      point.parameters.clear();
      point.modelled = {};
      point.launch = {{static_cast<int>(1 + actions_.below(3)), 1, 1}, {256, 1, 1}, 0};
      point.program = ProgramLaunches{20, 0, 1, {0.1}, 1};
      next_ += 1;
      log_->points.add(point);
      follow_log(state_);
      follow_program(state_);
      if (actions_.once_in(4)) {
        forget_program(state_);
        state_.known.session.program.reset();
      }
    } else if (actions_.once_in(4)) {
      state_.known.session.program.emplace();
      await_program(state_, "demo");
    }
    refresh(state_);
    return "a program";
  }

  std::string time_passes() {
    pass_time(state_, state_.now + static_cast<double>(actions_.below(30)));
    const ChartFrame frame = frame_of(static_cast<float>(300 + actions_.below(1600)),
                                      static_cast<float>(200 + actions_.below(1200)));
    const ChartPicture picture = picture_of(state_, frame);
    for (const PlacedDot& dot : picture.dots) {
      EXPECT_TRUE(std::isfinite(dot.at.x) && std::isfinite(dot.at.y));
    }
    return "time passes";
  }

  std::mt19937_64 random_;
  AppState state_ = first_of_walk();
  const AppState known_ = state_;
  const std::vector<Manifest> everything_ = state_.known.catalogue;
  std::shared_ptr<SessionLog> log_ = std::make_shared<SessionLog>();
  RandomActions actions_;
  std::uint64_t next_ = 1;
  std::optional<Point> unfinished_;
  std::set<std::uint64_t> live_;  // landed while a device was there, and removed by nobody
  std::set<std::uint64_t> removed_;
};

// The mistake, with the steps before it; empty: none.
std::string walked(std::uint64_t seed, std::uint64_t steps) {
  Walk walk(seed);
  std::vector<std::string> done;
  for (std::uint64_t step = 0; step < steps; ++step) {
    std::string wrong;
    try {
      done.push_back(walk.step());
      wrong = walk.wrong();
      if (wrong.empty() && step % 10 == 9) {
        wrong = walk.stale();
      }
    } catch (const std::exception& error) {
      wrong = std::string("thrown: ") + error.what();
    }
    if (!wrong.empty()) {
      const auto last = done.end() - std::min<std::ptrdiff_t>(6, std::ssize(done));
      std::string before;
      std::for_each(last, done.end(), [&](const std::string& each) { before += "\n  " + each; });
      return "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ": " + wrong + before;
    }
  }
  return "";
}

TEST(RandomWalk, NeverLeadsToAStateThatIsWrong) {
  const std::uint64_t steps = from_environment("ROOFTILE_STEPS", 10000);
  const std::uint64_t seed = from_environment("ROOFTILE_SEED", 1);
  std::cout << steps << " steps from seed " << seed << "\n";
  for (std::uint64_t walk = 0; walk * steps_of_a_walk < steps; ++walk) {
    EXPECT_EQ(walked(seed + walk, std::min(steps_of_a_walk, steps - walk * steps_of_a_walk)), "");
  }
}

}  // namespace
}  // namespace rooftile::scene
