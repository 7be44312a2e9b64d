// A GLFW window with an OpenGL 3 context, Dear ImGui and ImPlot in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/window/kit/style.hpp"

struct GLFWwindow;

namespace rooftile::window {

// Rows of red, green, blue, alpha, the top one first.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

// Throws Error naming the file when it cannot be written.
void write_png(const Picture& picture, const std::filesystem::path& file);

class Window {
 public:
  enum class Visible { no, yes };

  // Throws Error saying what to run instead where there is no display.
  // size: width and height; a visible window is no larger than the screen.
  Window(std::pair<int, int> size, Visible visible, const std::filesystem::path& fonts);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  bool closing() const;
  void hide();
  float content_scale() const;  // of the monitor it is on
  int width() const;            // in screen coordinates
  int height() const;

  // Waits for input, at most so long; zero takes what is there.
  void take_input(double at_most_seconds);
  bool has_input() const;      // for the next frame
  bool needs_drawing() const;  // there is input, a key or button is held, or the system has lost the last frame
  std::vector<std::filesystem::path> take_dropped();  // files dropped on it since the last call
  void begin_frame(const Settings& settings);
  void end_frame();
  void present(const Settings& settings);  // the last frame, on the screen
  void finish_frames();                    // waits until the GPU has drawn them
  // The last frame, drawn apart from the screen.
  Picture picture(const Settings& settings);
  GLFWwindow* handle() const { return window_; }

 private:
  void framebuffer_size(int& width, int& height) const;

  GLFWwindow* window_ = nullptr;
  std::vector<std::filesystem::path> dropped_;
  bool lost_ = false;  // the last frame has to be drawn again
};

}  // namespace rooftile::window
