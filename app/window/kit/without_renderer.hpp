// For tests and benchmarks: Dear ImGui with the window's fonts, and nothing that shows its frames.
#pragma once

#include <imgui.h>
#include <implot.h>

#include "app/window/kit/fonts.hpp"
#include "app/window/kit/style.hpp"

namespace rooftile::window {

class WithoutRenderer {
 public:
  explicit WithoutRenderer(ImVec2 size) {
    ImGui::CreateContext();
    ImPlot::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = size;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
    load_fonts(ROOFTILE_SOURCE_DIR "/assets/fonts");
  }
  ~WithoutRenderer() {
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->SetStatus(ImTextureStatus_Destroyed);  // no renderer has made it
    }
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
  }
  WithoutRenderer(const WithoutRenderer&) = delete;
  WithoutRenderer& operator=(const WithoutRenderer&) = delete;
};

}  // namespace rooftile::window
