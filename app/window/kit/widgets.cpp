#include "app/window/kit/widgets.hpp"

#include <algorithm>

#include "analysis/text/safe_text.hpp"
#include "app/window/kit/marks.hpp"

namespace rooftile::window {
namespace {

constexpr ImVec2 chip_pad{7, 3};

constexpr ImGuiWindowFlags fixed_window = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                          ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                          ImGuiWindowFlags_NoDocking;
constexpr ImGuiWindowFlags bare_window =
    ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

ImGuiWindowFlags window_flags(PanelFrame::Style style) {
  switch (style) {
    case PanelFrame::Style::card:
    case PanelFrame::Style::snug:
      return fixed_window | ImGuiWindowFlags_NoBringToFrontOnFocus;
    case PanelFrame::Style::bare:
      return fixed_window | ImGuiWindowFlags_NoBringToFrontOnFocus | bare_window;
    case PanelFrame::Style::fitted:
      return fixed_window | ImGuiWindowFlags_AlwaysAutoResize;
    case PanelFrame::Style::floating:
      break;
  }
  return fixed_window;
}

struct ButtonInk {
  Rgb face, edge, text;
};

ButtonInk button_ink(const AppState& state, Press press, bool enabled, bool hovered) {
  const Palette& token = colours(state);
  if (!enabled) {
    return {token.panel, token.edge, token.faint};
  }
  if (press == Press::primary) {
    const Rgb face = hovered ? mix(token.accent, token.text, 0.15) : token.accent;
    return {face, face, token.on_accent};
  }
  return {hovered ? token.edge : token.panel, hovered ? token.faint : token.edge, token.text};
}

// A figure and its % stay on one line.
std::string unbroken(std::string text) {
  constexpr std::string_view joint = "\u00a0%";
  for (std::size_t at = 0; (at = text.find(" %", at)) != text.npos; at += joint.size()) {
    text.replace(at, 2, joint);
  }
  return text;
}

constexpr float button_padding = 13, button_height = 30;

// In bytes of UTF-8; the text is not empty.
std::size_t last_letter_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (text[text.size() - length] & 0xc0) == 0x80) {
    ++length;
  }
  return length;
}

// Gives the text as much room as was typed.
int make_room(ImGuiInputTextCallbackData* data) {
  auto& typed = *static_cast<std::string*>(data->UserData);
  typed.resize(static_cast<std::size_t>(data->BufTextLen));
  data->Buf = typed.data();
  return 0;
}

}  // namespace

PanelFrame::PanelFrame(const char* name, const Rect& place, Style style) {
  ImGui::SetNextWindowPos({place.x, place.y});
  if (style == Style::fitted) {
    ImGui::SetNextWindowSizeConstraints({place.width, 0}, {place.width, place.height});
  } else {
    ImGui::SetNextWindowSize({place.width, place.height});
  }
  const ImVec2 usual = ImGui::GetStyle().WindowPadding;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, style == Style::bare ? 0.0f : 1.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      style == Style::snug ? ImVec2(usual.x * 0.8f, usual.y * 0.6f) : usual);
  ImGui::Begin(name, nullptr, window_flags(style));
  ImGui::PopStyleVar(2);
}

PanelFrame::~PanelFrame() {
  ImGui::End();
}

void write(Type type, Rgb colour, std::string_view text) {
  const TypeScope scope(type);
  ImGui::PushStyleColor(ImGuiCol_Text, ink(colour));
  const std::string safe = unbroken(visible_text(text));
  ImGui::TextUnformatted(safe.data(), safe.data() + safe.size());
  ImGui::PopStyleColor();
}

void write_wrapped(Type type, Rgb colour, std::string_view text) {
  ImGui::PushTextWrapPos(0);
  write(type, colour, text);
  ImGui::PopTextWrapPos();
}

void write_lines(Type type, Rgb colour, std::string_view text, int most_lines) {
  const TypeScope scope(type);
  const std::string whole = unbroken(std::string(text));
  const float width = ImGui::GetContentRegionAvail().x;
  const char* at = whole.data();
  const char* const end = at + whole.size();
  for (int line = 1; at < end && line <= most_lines; ++line) {
    const char* stop = ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), at, end, width);
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    write(type, colour,
          line == most_lines ? elided(type, rest, width) : rest.substr(0, static_cast<std::size_t>(stop - at)));
    at = std::find_if(stop, end, [](char each) { return each != ' '; });
  }
}

std::string elided(Type type, std::string_view text, float width) {
  constexpr const char* ellipsis = "\u2026";
  if (text_size(type, text).x <= width) {
    return std::string(text);
  }
  while (!text.empty() && text_size(type, std::string(text) + ellipsis).x > width) {
    text.remove_suffix(last_letter_length(text));
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return std::string(text) + ellipsis;
}

bool text_field(const char* id, const char* when_empty, std::string& typed, ImGuiInputTextFlags flags) {
  return ImGui::InputTextWithHint(id, when_empty, typed.data(), typed.capacity() + 1,
                                  flags | ImGuiInputTextFlags_CallbackResize, make_room, &typed);
}

bool text_area(const char* id, std::string& typed, ImVec2 size) {
  return ImGui::InputTextMultiline(id, typed.data(), typed.capacity() + 1, size,
                                   ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_WordWrap, make_room,
                                   &typed);
}

Type fitting(std::initializer_list<Type> types, std::string_view text, float width) {
  const auto fits = std::ranges::find_if(types, [&](Type type) { return text_size(type, text).x <= width; });
  return fits != types.end() ? *fits : *(types.end() - 1);
}

void write_right(Type type, Rgb colour, std::string_view text) {
  const float free = ImGui::GetContentRegionAvail().x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + free - text_size(type, text).x);
  write(type, colour, text);
}

void write_heading(const AppState& state, std::string_view text) {
  write(Type::heading, colours(state).text, text);
  gap(state, 2);
}

void rule(const AppState& state) {
  gap(state, 3);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y},
                                      ink(colours(state).edge));
  gap(state, 8);
}

void gap(const AppState& state, float height) {
  ImGui::Dummy({1, px(state, height)});
}

void hint(const AppState& state, std::span<const std::string> lines) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(state, 12), px(state, 9)));
  if (ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(px(state, 380));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      write(i == 0 ? Type::body : Type::small, i == 0 ? colours(state).text : colours(state).dim, lines[i]);
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar();
}

void hint(const AppState& state, const std::string& line) {
  hint(state, std::span(&line, 1));
}

float button_width(const AppState& state, const char* label) {
  return text_size(Type::figure_strong, label).x + 2 * px(state, button_padding);
}

bool button(const AppState& state, const char* label, Press press, const std::optional<std::string>& why_not) {
  const ImVec2 size{button_width(state, label), px(state, button_height)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(label, size) && !why_not;
  const bool hovered = ImGui::IsItemHovered();
  const ButtonInk inks = button_ink(state, press, !why_not, hovered);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + size.x, at.y + size.y};
  draw.AddRectFilled(at, end, ink(inks.face), px(state, 5));
  draw.AddRect(at, end, ink(inks.edge), px(state, 5));
  const ImVec2 words = text_size(Type::figure_strong, label);
  draw_text(draw, {at.x + (size.x - words.x) / 2, at.y + (size.y - words.y) / 2}, Type::figure_strong,
            ink(inks.text), label);
  if (hovered && why_not) {
    hint(state, *why_not);
  }
  return pressed;
}

namespace {

// Under the last item, above it in the lower half of the window, and ending where it ends at the right.
void place_menu(const AppState& state) {
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax(),
               window = ImGui::GetIO().DisplaySize;
  const bool at_the_right = to.x > window.x / 2, above = from.y > window.y / 2;
  const float gap = px(state, 5), room = above ? from.y : window.y - to.y;
  ImGui::SetNextWindowPos({at_the_right ? to.x : from.x, above ? from.y - gap : to.y + gap}, ImGuiCond_Always,
                          {at_the_right ? 1.0f : 0.0f, above ? 1.0f : 0.0f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, room - 2 * gap});
}

}  // namespace

bool begin_menu(const AppState& state, const char* name) {
  place_menu(state);
  if (!ImGui::BeginPopup(name)) {
    return false;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    ImGui::CloseCurrentPopup();
  }
  return true;
}

void end_menu() {
  ImGui::EndPopup();
}

bool menu_open() {
  return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
}

bool menu_row(const char* label, bool selected) {
  return ImGui::Selectable(label, selected);
}

bool wrapped_row(std::string_view label, bool selected) {
  const float width = ImGui::GetContentRegionAvail().x;
  std::string lines;
  for (const char *at = label.data(), *end = at + label.size(); at < end;) {
    const char* stop = ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), at, end, width);
    lines += (lines.empty() ? "" : "\n") + std::string(at, stop);
    at = std::find_if(stop, end, [](char each) { return each != ' '; });
  }
  return menu_row(lines.c_str(), selected);
}

ImVec2 chip_size(const AppState& state, std::string_view label) {
  const ImVec2 words = text_size(Type::small, label);
  return {words.x + 2 * px(state, chip_pad.x), words.y + 2 * px(state, chip_pad.y)};
}

bool chip(const AppState& state, const char* label, Rgb colour, bool selected) {
  const Palette& token = colours(state);
  const ImVec2 pad{px(state, chip_pad.x), px(state, chip_pad.y)};
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = chip_size(state, label);
  const ImVec2 end{at.x + size.x, at.y + size.y};
  const bool pressed = ImGui::InvisibleButton(label, {end.x - at.x, end.y - at.y});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (selected || hovered) {
    draw.AddRectFilled(at, end, ink(colour, selected ? 0.18f : 0.08f), px(state, 5));
  }
  draw_text(draw, {at.x + pad.x, at.y + pad.y}, Type::small,
            ink(selected ? readable(colour, token.panel, token.text) : token.dim), label);
  return pressed;
}

void draw_arrow(ImDrawList& draw, ImVec2 centre, float arm, ArrowHead head, ImU32 colour) {
  const ImVec2 along = head == ArrowHead::right  ? ImVec2{arm, 0}
                       : head == ArrowHead::down ? ImVec2{0, arm}
                                                 : ImVec2{0, -arm};
  const ImVec2 back{centre.x - along.x / 2, centre.y - along.y / 2};
  draw.AddTriangleFilled({back.x - along.y, back.y + along.x}, {back.x + along.y, back.y - along.x},
                         {centre.x + along.x, centre.y + along.y}, colour);
}

void share_bar(const AppState& state, double share, Rgb colour, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float tall = px(state, height), round = tall / 2;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(at, {at.x + width, at.y + tall}, ink(colours(state).edge), round);
  if (share > 0) {
    const float filled = std::max(tall * 0.6f, width * static_cast<float>(std::min(share, 1.0)));
    draw.AddRectFilled(at, {at.x + filled, at.y + tall}, ink(colour), round);
  }
  ImGui::Dummy({width, tall});
}

}  // namespace rooftile::window
