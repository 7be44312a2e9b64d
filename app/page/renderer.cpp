#include "app/page/renderer.hpp"

#include "app/page/browser.hpp"

namespace rooftile::page {
namespace {

void update(ImTextureData& texture) {
  static int next = 1;
  if (texture.Status == ImTextureStatus_WantCreate) {
    page_texture(next, 1, 0, 0, texture.Width, texture.Height, texture.Width, texture.GetPixels());
    texture.SetTexID(static_cast<ImTextureID>(next++));
    texture.SetStatus(ImTextureStatus_OK);
  } else if (texture.Status == ImTextureStatus_WantUpdates) {
    for (const ImTextureRect& part : texture.Updates) {
      page_texture(static_cast<int>(texture.TexID), 0, part.x, part.y, part.w, part.h, texture.Width,
                   texture.GetPixelsAt(part.x, part.y));
    }
    texture.SetStatus(ImTextureStatus_OK);
  } else if (texture.Status == ImTextureStatus_WantDestroy && texture.UnusedFrames > 0) {
    page_forget(static_cast<int>(texture.TexID));
    texture.SetTexID(ImTextureID_Invalid);
    texture.SetStatus(ImTextureStatus_Destroyed);
  }
}

void draw(const ImDrawCmd& command, ImVec2 scale) {
  page_draw(static_cast<int>(command.GetTexID()), static_cast<int>(command.ElemCount),
            static_cast<int>(command.IdxOffset * sizeof(ImDrawIdx)),
            static_cast<int>(command.VtxOffset * sizeof(ImDrawVert)), command.ClipRect.x * scale.x,
            command.ClipRect.y * scale.y, command.ClipRect.z * scale.x, command.ClipRect.w * scale.y);
}

}  // namespace

void render(const ImDrawData& data, scene::Rgb background) {
  for (ImTextureData* texture : *data.Textures) {
    update(*texture);
  }
  page_begin(data.DisplaySize.x, data.DisplaySize.y, static_cast<float>(background.red) / 255,
             static_cast<float>(background.green) / 255, static_cast<float>(background.blue) / 255);
  for (const ImDrawList* list : data.CmdLists) {
    page_list(list->VtxBuffer.Data, list->VtxBuffer.size_in_bytes(), list->IdxBuffer.Data,
              list->IdxBuffer.size_in_bytes());
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (!command.UserCallback) {
        draw(command, data.FramebufferScale);
      }
    }
  }
}

}  // namespace rooftile::page
