#include "kernels/worker/compile/files/launching_file.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "analysis/platform/text_file.hpp"
#include "analysis/source/launch/written_launch.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

constexpr int most_files = 2000;  // a second
constexpr std::uintmax_t most_bytes = 1 << 20;

bool is_header(const fs::path& file) {
  constexpr std::array<std::string_view, 4> endings = {".cuh", ".h", ".hpp", ".inl"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

bool may_launch(const fs::path& file) {
  constexpr std::array<std::string_view, 3> endings = {".cu", ".cpp", ".cc"};
  return is_header(file) || std::ranges::find(endings, file.extension().string()) != endings.end();
}

// "tile.cuh" in #include "kernels/tile.cuh".
bool includes(const std::string& code, const std::string& name) {
  for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const char before = at > 0 ? code[at - 1] : ' ', after = code[std::min(at + name.size(), code.size() - 1)];
    if ((before == '"' || before == '/' || before == '<') && (after == '"' || after == '>')) {
      return true;
    }
  }
  return false;
}

class Search {
 public:
  Search(const fs::path& source, std::vector<std::string> kernels)
      : source_(fs::absolute(source).lexically_normal()), kernels_(std::move(kernels)) {}

  // Outwards, so that the nearest file is found first.
  LaunchingFile run() {
    const fs::path root = repository_around(source_.parent_path());
    for (fs::path folder = source_.parent_path();; folder = folder.parent_path()) {
      read_below(folder);
      if (const File* const found = launching()) {
        return {found->path.lexically_relative(source_.parent_path()).generic_string(), found->code};
      }
      if (folder == root || folder == folder.parent_path()) {
        return {};
      }
    }
  }

 private:
  struct File {
    fs::path path;
    std::string code;
    bool includes_source = false;
  };

  void read_below(const fs::path& folder) {
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder, failed), end;
         !failed && at != end && static_cast<int>(files_.size()) < most_files; at.increment(failed)) {
      const bool is_known = at->path() == last_folder_ || at->path().filename().string().starts_with('.');
      std::error_code none;
      if (is_known) {
        at.disable_recursion_pending();
      } else if (may_launch(at->path()) && at->path() != source_ && at->file_size(none) < most_bytes) {
        files_.push_back({at->path(), platform::read_text(at->path()).value_or("")});
      }
    }
    last_folder_ = folder;
  }

  const File* launching() {
    for (bool grown = true; grown;) {
      grown = false;
      for (File& file : files_) {
        if (file.includes_source || !includes_one(file.code)) {
          continue;
        }
        file.includes_source = true;
        if (launches_one(file.code)) {
          return &file;
        }
        grown |= is_header(file.path) && names_.insert(file.path.filename().string()).second;
      }
    }
    return nullptr;
  }

  bool includes_one(const std::string& code) const {
    return std::ranges::any_of(names_, [&](const std::string& name) { return includes(code, name); });
  }

  bool launches_one(const std::string& code) const {
    return code.find("<<<") != code.npos && std::ranges::any_of(kernels_, [&](const std::string& kernel) {
             return code.find(base_name(kernel)) != code.npos && is_launched(code, kernel);
           });
  }

  fs::path source_, last_folder_;
  std::vector<std::string> kernels_;
  std::vector<File> files_;
  std::set<std::string> names_ = {source_.filename().string()};  // the source, and headers that include it
};

}  // namespace

LaunchingFile launching_file(const SourceFiles& files, const std::vector<std::string>& kernels) {
  std::string own = files.code;
  for (const OwnHeader& header : files.headers) {
    own += "\n" + header.code;
  }
  const bool launches_itself =
      std::ranges::any_of(kernels, [&](const std::string& kernel) { return is_launched(own, kernel); });
  return kernels.empty() || launches_itself ? LaunchingFile{} : Search(files.file, kernels).run();
}

}  // namespace rooftile::worker
