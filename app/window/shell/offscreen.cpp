#include "app/window/shell/offscreen.hpp"

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <stb_image_write.h>

#include <algorithm>

#include "analysis/platform/write_file.hpp"

namespace rooftile::window {
namespace {

// Asked for by name, so that a machine without OpenGL is told so by us and not by the loader.
template <class Function>
Function gl(const char* name) {
  return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

// A framebuffer of its own, bound while it lives.
class Buffer {
 public:
  Buffer(int width, int height) {
    gl<PFNGLGENFRAMEBUFFERSPROC>("glGenFramebuffers")(1, &frame_);
    gl<PFNGLGENRENDERBUFFERSPROC>("glGenRenderbuffers")(1, &colour_);
    gl<PFNGLBINDRENDERBUFFERPROC>("glBindRenderbuffer")(GL_RENDERBUFFER, colour_);
    gl<PFNGLRENDERBUFFERSTORAGEPROC>("glRenderbufferStorage")(GL_RENDERBUFFER, GL_RGBA8, width, height);
    gl<PFNGLBINDFRAMEBUFFERPROC>("glBindFramebuffer")(GL_FRAMEBUFFER, frame_);
    gl<PFNGLFRAMEBUFFERRENDERBUFFERPROC>("glFramebufferRenderbuffer")(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                                                      GL_RENDERBUFFER, colour_);
  }
  ~Buffer() {
    gl<PFNGLBINDFRAMEBUFFERPROC>("glBindFramebuffer")(GL_FRAMEBUFFER, 0);
    gl<PFNGLDELETEFRAMEBUFFERSPROC>("glDeleteFramebuffers")(1, &frame_);
    gl<PFNGLDELETERENDERBUFFERSPROC>("glDeleteRenderbuffers")(1, &colour_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

 private:
  GLuint frame_ = 0, colour_ = 0;
};

void flip(Picture& picture) {
  const auto row = static_cast<std::ptrdiff_t>(picture.width) * 4;
  for (std::ptrdiff_t top = 0, bottom = picture.height - 1; top < bottom; ++top, --bottom) {
    const auto first = picture.pixels.begin() + top * row;
    std::swap_ranges(first, first + row, picture.pixels.begin() + bottom * row);
  }
}

const platform::FileKind png_kind = {"a PNG picture",
                                     [](std::string_view text) { return text.starts_with("\x89PNG"); }};

void append(void* all, void* bytes, int size) {
  static_cast<std::string*>(all)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace

void draw_cleared(int width, int height, Rgb background) {
  gl<decltype(&glViewport)>("glViewport")(0, 0, width, height);
  gl<decltype(&glClearColor)>("glClearColor")(static_cast<float>(background.red) / 255,
                                              static_cast<float>(background.green) / 255,
                                              static_cast<float>(background.blue) / 255, 1);
  gl<decltype(&glClear)>("glClear")(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Picture draw_offscreen(int width, int height, Rgb background) {
  Picture picture{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 4)};
  const Buffer buffer(width, height);
  draw_cleared(width, height, background);
  gl<decltype(&glPixelStorei)>("glPixelStorei")(GL_PACK_ALIGNMENT, 1);
  gl<decltype(&glReadPixels)>("glReadPixels")(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                                              picture.pixels.data());
  flip(picture);
  return picture;
}

void wait_until_drawn() {
  gl<decltype(&glFinish)>("glFinish")();
}

void write_png(const Picture& picture, const std::filesystem::path& file) {
  std::string bytes;
  stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.pixels.data(),
                         picture.width * 4);
  platform::write_file(file, bytes, png_kind);
}

}  // namespace rooftile::window
