#include "app/window/shell/window.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>  // its queue of input
#include <implot.h>

#include <algorithm>

#include "analysis/text/error.hpp"
#include "app/window/kit/fonts.hpp"
#include "app/window/shell/offscreen.hpp"

namespace rooftile::window {
namespace {

constexpr int smallest_width = 640, smallest_height = 400;  // the folded layout at its smallest scale

// No more than the screen offers beside its bars, so that nothing of the window is out of reach.
std::pair<int, int> fitted_to_screen(std::pair<int, int> size) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* screen = glfwGetPrimaryMonitor()) {
    glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
  }
  return width > 0 && height > 0 ? std::pair(std::min(size.first, width), std::min(size.second, height)) : size;
}

GLFWwindow* open_window(std::pair<int, int> size, Window::Visible visible) {
  if (!glfwInit()) {
    throw Error(
        "There is no display to open a window on. Run rooftile-cli for the same job on the terminal, or "
        "xvfb-run rooftile --screenshot FILE for a picture.");
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, visible == Window::Visible::yes ? GLFW_TRUE : GLFW_FALSE);
  const auto [width, height] = visible == Window::Visible::yes ? fitted_to_screen(size) : size;
  GLFWwindow* window = glfwCreateWindow(width, height, "rooftile", nullptr, nullptr);
  if (!window) {
    glfwTerminate();
    throw Error("The display offers no OpenGL 3.2, which the window needs. Run rooftile-cli instead.");
  }
  glfwSetWindowSizeLimits(window, smallest_width, smallest_height, GLFW_DONT_CARE, GLFW_DONT_CARE);
  return window;
}

}  // namespace

Window::Window(std::pair<int, int> size, Visible visible, const std::filesystem::path& fonts)
    : window_(open_window(size, visible)) {
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(visible == Visible::yes ? 1 : 0);
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  map_plot_input();
  glfwSetWindowUserPointer(window_, this);
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* handle) {
    static_cast<Window*>(glfwGetWindowUserPointer(handle))->lost_ = true;
  });
  glfwSetDropCallback(window_, [](GLFWwindow* handle, int count, const char** files) {
    auto& dropped = static_cast<Window*>(glfwGetWindowUserPointer(handle))->dropped_;
    dropped.insert(dropped.end(), files, files + count);
  });
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 150");
  load_fonts(fonts);
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const {
  return glfwWindowShouldClose(window_);
}

void Window::hide() {
  glfwHideWindow(window_);
  glfwPollEvents();
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x;
}

int Window::width() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return width;
}

int Window::height() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return height;
}

void Window::framebuffer_size(int& width, int& height) const {
  glfwGetFramebufferSize(window_, &width, &height);
}

void Window::take_input(double at_most_seconds) {
  if (at_most_seconds > 0) {
    glfwWaitEventsTimeout(at_most_seconds);
  } else {
    glfwPollEvents();
  }
}

std::vector<std::filesystem::path> Window::take_dropped() {
  return std::exchange(dropped_, {});
}

bool Window::has_input() const {
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
}

bool Window::needs_drawing() const {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const auto held = [](const ImGuiKeyData& key) { return key.Down; };
  return lost_ || has_input() || context.ActiveId != 0 || std::ranges::any_of(context.IO.KeysData, held);
}

void Window::begin_frame(const Settings& settings) {
  lost_ = false;
  apply_style(settings);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void Window::end_frame() {
  ImGui::Render();
}

void Window::present(const Settings& settings) {
  int width = 0, height = 0;
  framebuffer_size(width, height);
  draw_cleared(width, height, palette(settings.theme).background);
  glfwSwapBuffers(window_);
}

void Window::finish_frames() {
  wait_until_drawn();
}

Picture Window::picture(const Settings& settings) {
  int width = 0, height = 0;
  framebuffer_size(width, height);
  return draw_offscreen(width, height, palette(settings.theme).background);
}

}  // namespace rooftile::window
