// The data of a page: the texts of the files that the window reads, and a session. As text: a line of JSON with
// the sizes of the texts, in bytes, then one text after the other as it is.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rooftile {

struct PageData {
  std::map<std::filesystem::path, std::string> files;  // by their place below the data folder
  std::string session_name, session;                   // its file's name, and its text
  std::string lesson;                                  // that it opens with, by its file; empty: none
};

// The files that every page has beside those of its kernels.
inline const std::filesystem::path page_gpus = "assets/gpus.toml", page_compiled = "assets/compiled.jsonl";

// Every kernel.toml, in the order of the paths.
std::vector<std::filesystem::path> kernel_files(const PageData& data);
// Every Markdown file, in the order of the paths.
std::vector<std::filesystem::path> lesson_files(const PageData& data);

std::string to_text(const PageData& data);
// Throws Error for a text that to_text() did not write.
PageData read_page_data(std::string_view text);

}  // namespace rooftile
