#include "app/window/kit/style.hpp"

#include <implot.h>

namespace rooftile::window {
namespace {

// The place of a font in the order of loading.
int font_index(TypeFace face) {
  return face.mono ? 2 : face.bold ? 1 : 0;
}

ImVec4 vector(Rgb colour, float alpha = 1) {
  return ImGui::ColorConvertU32ToFloat4(ink(colour, alpha));
}

void set_colours(ImGuiStyle& style, const Palette& token) {
  ImVec4* colour = style.Colors;
  colour[ImGuiCol_Text] = vector(token.text);
  colour[ImGuiCol_TextDisabled] = vector(token.dim);
  colour[ImGuiCol_WindowBg] = vector(token.panel);
  colour[ImGuiCol_ChildBg] = vector(token.panel, 0);
  colour[ImGuiCol_PopupBg] = vector(mix(token.panel, token.background, 0.5));
  colour[ImGuiCol_Border] = vector(token.edge);
  colour[ImGuiCol_BorderShadow] = {};
  colour[ImGuiCol_FrameBg] = vector(token.edge);
  colour[ImGuiCol_Separator] = vector(token.edge);
  colour[ImGuiCol_ScrollbarBg] = vector(token.panel, 0);
  colour[ImGuiCol_ScrollbarGrab] = vector(mix(token.edge, token.faint, 0.4));
  colour[ImGuiCol_ScrollbarGrabHovered] = vector(token.faint);
  colour[ImGuiCol_ScrollbarGrabActive] = vector(token.dim);
  colour[ImGuiCol_TextSelectedBg] = vector(token.accent, 0.35f);
  colour[ImGuiCol_NavCursor] = vector(token.accent);
  colour[ImGuiCol_TableBorderLight] = vector(token.edge);
  colour[ImGuiCol_TableBorderStrong] = vector(token.edge);
}

// The scene draws axes and contents: ImPlot keeps only the frame that takes the pointer.
void set_plot_style(ImPlotStyle& style, const Palette& token) {
  style = ImPlotStyle();
  style.Colors[ImPlotCol_FrameBg] = vector(token.panel, 0);
  style.Colors[ImPlotCol_PlotBg] = vector(token.panel, 0);
  style.PlotPadding = {0, 0};
  style.PlotBorderSize = 0;
  style.PlotMinSize = {1, 1};
}

}  // namespace

void apply_style(const Settings& settings) {
  const Palette& token = palette(settings.theme);
  ImGuiStyle style;
  set_colours(style, token);
  style.WindowRounding = 7;
  style.ChildRounding = style.PopupRounding = 7;
  style.FrameRounding = 5;
  style.ScrollbarRounding = 5;
  style.ScrollbarSize = 8;
  style.WindowBorderSize = style.PopupBorderSize = 1;
  style.WindowPadding = {15, 12};
  style.ItemSpacing = {10, 5};
  style.CellPadding = {5, 5};
  style.WindowMinSize = {10, 10};
  style.DisabledAlpha = 1;
  style.HoverStationaryDelay = 0.1f;
  style.HoverDelayShort = 0.1f;
  style.ScaleAllSizes(settings.scale);
  style.FontScaleMain = settings.scale;
  ImGui::GetStyle() = style;
  set_plot_style(ImPlot::GetStyle(), token);
}

void map_plot_input() {
  ImPlotInputMap& map = ImPlot::GetInputMap();
  map.Fit = ImGuiMouseButton_Middle;
  map.Select = ImGuiMouseButton_Middle;
}

ImU32 ink(Rgb colour, float alpha) {
  return IM_COL32(colour.red, colour.green, colour.blue, static_cast<int>(alpha * 255 + 0.5f));
}

const Palette& colours(const AppState& state) {
  return palette(state.settings.theme);
}

Rgb words(const AppState& state, Rgb colour) {
  return readable(colour, colours(state).panel, colours(state).text);
}

TypeScope::TypeScope(Type type) {
  const TypeFace wanted = face(type);
  ImGui::PushFont(ImGui::GetIO().Fonts->Fonts[font_index(wanted)], wanted.size);
}

TypeScope::~TypeScope() {
  ImGui::PopFont();
}

float px(const AppState& state, float length) {
  return length * state.settings.scale;
}

}  // namespace rooftile::window
