#include <fmt/format.h>
#include <imgui_internal.h>  // BringWindowToDisplayFront

#include <algorithm>
#include <cmath>

#include "analysis/text/format.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/program/program_words.hpp"
#include "app/window/kit/marks.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/panels/panels.hpp"

namespace rooftile::window {
namespace {

constexpr const char* keys_hint = "arrow keys move the dial    S sweep    F fit    ? keys";

// "compile 9.4 ms   verify 2.1 ms   =  47 ms"
std::string phases_text(const Point& point) {
  std::string words;
  Seconds sum;
  for (const Phase& phase : point.phases) {
    words += fmt::format("{} {}   ", phase.name, text(phase.duration));
    sum += phase.duration;
  }
  return words.empty() ? words : words + "=  " + text(sum);
}

// The first thing that the measuring device lacks. Without a device the mode says so.
const Facility* first_trouble(const AppState& state) {
  if (state.known.session.device.empty()) {
    return nullptr;
  }
  const auto& facilities = state.known.session.log->header.facilities;
  const auto trouble = std::ranges::find_if(
      facilities, [](const Facility& each) { return each.state != Facility::State::ready; });
  return trouble != facilities.end() ? &*trouble : nullptr;
}

void draw_progress(const AppState& state, Actions& actions) {
  const Progress& progress = *state.known.session.progress;
  write(Type::figure_small, colours(state).text,
        fmt::format("{}  {} of {}", progress.what, count(progress.done), count(progress.total)));
  ImGui::SameLine(0, px(state, 12));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = px(state, 160), height = px(state, 6), y = at.y + px(state, 5);
  const float share =
      progress.total > 0 ? static_cast<float>(progress.done) / static_cast<float>(progress.total) : 0;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({at.x, y}, {at.x + width, y + height}, ink(colours(state).edge), height / 2);
  draw.AddRectFilled({at.x, y}, {at.x + width * share, y + height}, ink(colours(state).accent), height / 2);
  ImGui::Dummy({width, px(state, 16)});
  ImGui::SameLine(0, px(state, 12));
  if (state.known.session.time_left) {
    write(Type::figure_small, colours(state).dim, text(*state.known.session.time_left) + " left");
    ImGui::SameLine(0, px(state, 12));
  }
  if (state.known.session.starting) {
    return;
  }
  if (chip(state, state.known.session.sweep_paused ? "go on" : "pause", colours(state).accent, true)) {
    actions.push_back(PauseSweep{});
  }
  ImGui::SameLine(0, px(state, 6));
  if (chip(state, "cancel", colours(state).accent, true)) {
    actions.push_back(CancelSweep{});
  }
}

bool waits_long(const AppState& state) {
  return state.known.session.waited && state.known.session.waited->value >= long_wait.value;
}

std::string whole_seconds(Seconds time) {
  return fmt::format("{:.0f} s", std::floor(time.value));
}

void draw_wait(const AppState& state, Actions& actions) {
  write(
      Type::figure_small, colours(state).text,
      fmt::format("Waiting for the launch: {}. The launch will be stopped in {}.",
                  whole_seconds(*state.known.session.waited), whole_seconds(*state.known.session.gives_up_in)));
  ImGui::SameLine(0, px(state, 12));
  if (chip(state, "wait longer", colours(state).accent, true)) {
    actions.push_back(WaitLonger{});
  }
  ImGui::SameLine(0, px(state, 8));
  if (chip(state, "stop", colours(state).accent, true)) {
    actions.push_back(StopLaunch{});
  }
}

void draw_given_up(const AppState& state, Actions& actions) {
  write(Type::small, words(state, colours(state).warn), "The worker is not running.");
  ImGui::SameLine(0, px(state, 12));
  if (chip(state, "start it again", colours(state).accent, true)) {
    actions.push_back(StartWorker{});
  }
}

// Writes as much of the first line as the window holds; the whole is told on hover.
void write_elided(const AppState& state, Rgb colour, const std::string& sentences) {
  const std::string sentence = sentences.substr(0, sentences.find('\n'));
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - px(state, 18);
  write(Type::small, colour, elided(Type::small, sentence, end - ImGui::GetCursorScreenPos().x));
}

// Until it is clicked away.
void draw_message(const AppState& state, const Message& message, Actions& actions) {
  const bool wrong = message.kind == Message::Kind::wrong;
  write_elided(state, wrong ? colours(state).bad : colours(state).text, message.text);
  if (ImGui::IsItemHovered()) {
    hint(state, message.text);
  }
  if (ImGui::IsItemClicked()) {
    actions.push_back(Dismiss{});
  }
}

void draw_trouble(const AppState& state, const Facility& facility) {
  write_elided(state, words(state, colours(state).warn), facility.sentence);
  if (ImGui::IsItemHovered()) {
    const std::vector<std::string> lines{facility.sentence, facility.fix, facility.detail};
    hint(state, lines);
  }
}

// While it runs, and afterwards beside its kernels.
bool tells_of_program(const AppState& state) {
  return state.known.session.program && (!state.known.session.program->end || is_of_program(kernel(state)));
}

void draw_program(const AppState& state, Actions& actions) {
  if (state.known.session.program->end) {
    if (chip(state, "run again", colours(state).accent, true)) {
      actions.push_back(RunProgram{});
    }
    ImGui::SameLine(0, px(state, 12));
  } else if (state.known.session.program->capture) {
    if (chip(state, "end it", colours(state).accent, true)) {
      actions.push_back(EndProgram{});
    }
    ImGui::SameLine(0, px(state, 12));
  }
  const std::string line = program_line(*state.known.session.program);
  write_elided(state, colours(state).text, line);
  if (ImGui::IsItemHovered()) {
    hint(state, line);
  }
}

// Tells what has to be told; false where there is nothing.
bool draw_news(const AppState& state, Actions& actions) {
  if (waits_long(state)) {
    draw_wait(state, actions);
  } else if (state.known.session.progress) {
    draw_progress(state, actions);
  } else if (state.view.message) {
    draw_message(state, *state.view.message, actions);
  } else if (tells_of_program(state)) {
    draw_program(state, actions);
  } else if (state.known.session.worker_given_up) {
    draw_given_up(state, actions);
  } else if (const Facility* trouble = first_trouble(state)) {
    draw_trouble(state, *trouble);
  } else {
    return false;
  }
  return true;
}

// Drawn where the words before it leave room.
void draw_keys(const AppState& state, const Rect& place) {
  const float right = place.right() - px(state, 18);
  if (ImGui::GetItemRectMax().x + px(state, 18) <= right - text_size(Type::small, keys_hint).x) {
    draw_text_right(*ImGui::GetWindowDrawList(), {right, place.y + px(state, 9)}, Type::small,
                    ink(colours(state).dim), keys_hint);
  }
}

bool has_news(const AppState& state) {
  return state.known.session.progress || state.view.message || waits_long(state) ||
         state.known.session.worker_given_up || tells_of_program(state);
}

}  // namespace

void draw_status_line(const AppState& state, const Rect& place, Actions& actions) {
  const PanelFrame frame("Status", place, PanelFrame::Style::bare);
  ImGui::SetCursorScreenPos({place.x + px(state, 18), place.y + px(state, 9)});
  ImGui::Dummy({});  // the line may stay empty
  ImGui::SameLine(0, 0);
  if (!draw_news(state, actions) && state.derived.shown.subject) {
    write(Type::figure_small, colours(state).dim, phases_text(state.derived.shown.subject->point));
  }
  draw_keys(state, place);
}

// Above the lower edge of the chart, as a compiler wrote them.
void draw_message_lines(const AppState& state, const Rect& chart, Actions& actions) {
  constexpr float most_of_chart = 0.8f;
  if (!state.view.message || state.view.message->text.find('\n') == std::string::npos) {
    return;
  }
  const Message& message = *state.view.message;
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const TypeScope scope(Type::figure_small);
  const float needed =
      ImGui::CalcTextSize(message.text.c_str(), nullptr, false, chart.width - 2 * padding.x).y + 2 * padding.y;
  const float height = std::min(needed, most_of_chart * chart.height);
  const PanelFrame frame("Message", {chart.x, chart.bottom() - height, chart.width, height},
                         PanelFrame::Style::floating);
  write_wrapped(Type::figure_small,
                message.kind == Message::Kind::wrong ? colours(state).bad : colours(state).text, message.text);
  if (ImGui::IsItemClicked()) {
    actions.push_back(Dismiss{});
  }
}

void draw_message(const AppState& state, const Rect& place, Actions& actions) {
  if (!has_news(state)) {
    return;
  }
  const PanelFrame frame("Status", place, PanelFrame::Style::snug);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ImGui::SetCursorScreenPos({place.x + px(state, 12), place.y + px(state, 8)});
  draw_news(state, actions);
}

}  // namespace rooftile::window
