// The browser as the window's platform: functions of backend.js. Pixels are of the canvas unless they are
// called points.
#pragma once

#define FROM_PAGE(name) extern "C" __attribute__((import_module("page"), import_name(#name)))

FROM_PAGE(texture)
void page_texture(int id, int create, int x, int y, int width, int height, int row_length, const void* pixels);
FROM_PAGE(forget) void page_forget(int texture);
FROM_PAGE(begin) void page_begin(float width, float height, float red, float green, float blue);  // in points
FROM_PAGE(list) void page_list(const void* vertices, int vertex_bytes, const void* indices, int index_bytes);
// The corners of the clip rectangle are the upper left and the lower right one.
FROM_PAGE(draw)
void page_draw(int texture, int count, int index_offset, int vertex_offset, float x0, float y0, float x1,
               float y1);
FROM_PAGE(clipboard) void page_clipboard(const char* text, int length);
FROM_PAGE(save) void page_save(const char* name, int name_length, const char* text, int length);
FROM_PAGE(picture) void page_picture();                            // downloads what was drawn last
FROM_PAGE(licences) void page_licences();                          // shows them
FROM_PAGE(fail) void page_fail(const char* sentence, int length);  // shown instead of the window
