#include "app/page/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <utility>
#include <variant>

#include "analysis/exchange/page_data.hpp"
#include "analysis/exchange/winner.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/page/read_code.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/access/picture_page.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/actions/teaching.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/state/best_launch.hpp"

namespace rooftile::page {
namespace {

using scene::AppState, scene::Message;

ReadFile reader(const PageData& data) {
  return [&data](const std::filesystem::path& path) {
    const auto found = data.files.find(path);
    return found != data.files.end() ? std::optional(found->second) : std::nullopt;
  };
}

void load_lessons(AppState& state, const PageData& data) {
  for (const std::filesystem::path& file : lesson_files(data)) {
    try {
      state.known.lessons.push_back(scene::read_lesson(data.files.at(file), file, state.known.catalogue));
    } catch (const Error& error) {
      state.known.mistakes.emplace_back(error.what());
    }
  }
}

AppState without_session(const PageData& data) {
  const ReadFile read = reader(data);
  AppState state;
  Catalogue catalogue = read_catalogue(kernel_files(data), read);
  scene::KernelTexts texts;
  for (const Manifest& each : catalogue.kernels) {
    texts.sources[each.name] = read(each.source).value_or("");
  }
  scene::use_kernels(state, std::move(catalogue.kernels), std::move(texts));
  state.known.mistakes = sentences(catalogue.mistakes);
  state.known.compiled = read_compiled_table(read(page_compiled).value_or(""), page_compiled);
  keep_current(state.known.compiled, state.known.catalogue, read);
  state.known.gpus = read_gpu_table(read(page_gpus).value_or(""), page_gpus).gpus;
  state.known.session.compiles = false;
  load_lessons(state, data);
  return state;
}

// "Tile 16, Size 2048"
std::string dials_in_words(const std::vector<scene::Dial>& dials) {
  std::vector<std::string> words;
  for (const scene::Dial& dial : dials) {
    if (!dial.in_more && dial.selected < dial.options.size()) {
      words.push_back(dial.label + " " + dial.options[dial.selected].text);
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// " Find the roof that holds it: Each roof is a limit. Which roof is nearest? Right."
std::string lesson_in_words(const scene::LessonStep& step, const scene::LessonPlay& play) {
  std::string words = " " + step.title + ":";
  for (const scene::Paragraph& paragraph : step.text) {
    words += " " + paragraph.text;
  }
  words += step.question ? " " + step.question->text : "";
  words += play.verdict ? " " + play.verdict->sentence : "";
  return words;
}

}  // namespace

Page::Page(std::string_view data) {
  const PageData brought = read_page_data(data);
  state_ = without_session(brought);
  show(brought.session.empty() ? SessionLog() : read_session(brought.session, brought.session_name));
  if (!brought.lesson.empty()) {
    apply({scene::OpenLesson{std::filesystem::path(brought.lesson).stem().string()}});
  }
}

// The window as it opens with this session.
void Page::show(SessionLog log) {
  state_.known.session.log = std::make_shared<const SessionLog>(std::move(log));
  scene::follow_log(state_);
  scene::open(state_);
  scene::measure_again(state_);
  scene::open_notes(state_);
  scene::refresh(state_);
  state_.older_choices.clear();
  state_.view.motion.reset();
}

void Page::open_file(const std::string& name, std::string_view text) {
  try {
    name.ends_with(".md") ? open_lesson(name, text) : open_session(name, text);
  } catch (const Error& error) {
    scene::tell(state_, Message::Kind::wrong, error.what());
  }
}

void Page::open_lesson(const std::string& name, std::string_view text) {
  scene::Lesson lesson = scene::read_lesson(text, name, state_.known.catalogue);
  const std::string id = lesson.id;
  scene::use_lesson(state_, std::move(lesson));
  apply({scene::OpenLesson{id}});
}

void Page::open_session(const std::string& name, std::string_view text) {
  SessionLog log = read_session(text, name);
  AppState fresh;
  fresh.known.catalogue = std::move(state_.known.catalogue);
  fresh.known.sources = std::move(state_.known.sources);
  fresh.known.compiled = std::move(state_.known.compiled);
  fresh.known.gpus = std::move(state_.known.gpus);
  fresh.known.lessons = std::move(state_.known.lessons);
  fresh.known.session.compiles = false;
  fresh.known.session.brings_code = state_.known.session.brings_code;
  fresh.settings = state_.settings;
  fresh.now = state_.now;
  state_ = std::move(fresh);
  show(std::move(log));
}

bool Page::news(double now) {
  bool changed = scene::pass_time(state_, now);
  if (state_.derived.shown.landscape.unfinished) {
    scene::refresh_look(state_);
    changed = true;
  }
  return read_code() || changed;
}

void Page::use_code(std::string lines) {
  try {
    code_.emplace(std::move(lines), state_.known.sources);
    state_.known.session.brings_code = true;
  } catch (const Error& error) {
    code_.emplace();
    scene::tell(state_, Message::Kind::wrong, error.what());
  }
}

// The browser draws nothing while a place is read, for 50 to 400 ms: no place is read while a dial moves,
// and what is not shown at once, findings and other places, only while nobody does anything, and a quarter of
// the time.
bool Page::read_code() {
  constexpr double of_dialled = 0.1, of_others = 0.5;  // [s] since the last action
  reads_code_ = false;
  bool answered = false;
  while (const auto question = code_ ? scene::next_to_read(state_) : std::nullopt) {
    reads_code_ = true;
    const bool is_dialled =
        question->place.values == scene::dialled(state_) && question->wanted != scene::CodeWanted::launch;
    if (state_.now - acted_ < (is_dialled ? of_dialled : of_others) ||
        (!is_dialled && state_.now < reads_on_)) {
      break;
    }
    const auto begun = std::chrono::steady_clock::now();
    const auto code = code_->find(question->kernel, question->place.values, question->gpu.cc);
    const std::string& source = state_.known.sources[question->kernel.name];
    if (question->wanted == scene::CodeWanted::steps) {
      scene::use_code(state_, question->place, read_steps(code, *question, source));
    } else {
      scene::use_code(state_, question->place, page::read_code(code, *question, source));
    }
    reads_on_ =
        state_.now + 4 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    answered = true;
    if (code) {
      break;
    }
  }
  if (answered) {
    scene::refresh(state_);
  }
  return answered;
}

bool Page::is_moving() const {
  return state_.view.motion || state_.derived.shown.landscape.unfinished || reads_code_;
}

std::string Page::words() const {
  const scene::Shown& shown = state_.derived.shown;
  std::string words =
      fmt::format("{} on {}: {}.", scene::kernel(state_).title, state_.choice.gpu, dials_in_words(shown.dials));
  if (const auto& subject = shown.subject) {
    words += fmt::format(" {} {}. {}. {}", key(subject->point.evidence()), subject->rate().text,
                         subject->verdict.title, subject->verdict.grounds);
    if (const auto& occupancy = subject->occupancy) {
      words += fmt::format(" {}: occupancy {}.", occupancy->sentence, percent(occupancy->theoretical));
    }
  }
  if (const scene::LessonStep* step = scene::played_step(state_)) {
    words += lesson_in_words(*step, *state_.view.lesson);
  }
  if (scene::is_open(state_.view, scene::Panel::banks)) {
    words += " " + shown.banks.sentence + shown.banks.notice;
  }
  if (scene::is_open(state_.view, scene::Panel::sectors)) {
    words += " " + shown.sectors.sentence + shown.sectors.notice;
  }
  if (scene::is_open(state_.view, scene::Panel::tile)) {
    words += " " + shown.tile.sentence + shown.tile.notice +
             (shown.tile.wrong ? " " + shown.tile.wrong->extent : "");
  }
  if (state_.view.message) {
    words += " " + state_.view.message->text;
  }
  return words;
}

void Page::apply(const scene::Actions& actions) {
  if (actions.empty()) {
    return;
  }
  acted_ = state_.now;
  try {
    for (const scene::Request& request : scene::apply(state_, actions)) {
      std::visit([this](const auto& each) { carry_out(each); }, request);
    }
  } catch (const Error& error) {
    scene::tell(state_, Message::Kind::wrong, error.what());
  }
}

void Page::carry_out(const scene::SaveNote& request) {
  auto log = std::make_shared<SessionLog>(*state_.known.session.log);
  log->add(request.note);
  state_.known.session.log = std::move(log);
  scene::follow_log(state_);
  scene::refresh(state_);
}
void Page::carry_out(const scene::SaveConstants&) {
  download_ = {"rooftile.hpp", constants_header(scene::kernel(state_), *scene::best_launch(state_))};
}
void Page::carry_out(const scene::SaveWinner&) {
  download_ = {"rooftile.json", winner_json(scene::kernel(state_), *scene::best_launch(state_))};
}
void Page::carry_out(const scene::ExportSession&) {
  download_ = {"rooftile.jsonl", session_text(*state_.known.session.log)};
}
void Page::carry_out(const scene::ExportDrawing&) {
  download_ = {"rooftile.svg", scene::picture_page(state_)};
}

template <class OfADevice>
void Page::carry_out(const OfADevice&) {
  scene::tell(state_, Message::Kind::wrong,
              "This page launches nothing and writes no files beside what is downloaded. rooftile on a machine "
              "with an NVIDIA GPU does.");
}

std::optional<Download> Page::take_download() {
  return std::exchange(download_, std::nullopt);
}

bool Page::take_licences_request() {
  return std::exchange(licences_asked_, false);
}

bool Page::take_picture_request() {
  return std::exchange(picture_asked_, false);
}

}  // namespace rooftile::page
