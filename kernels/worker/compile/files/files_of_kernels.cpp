#include "kernels/worker/compile/files/files_of_kernels.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/files/source_files.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

fs::path plain(const fs::path& file) {
  return fs::absolute(file).lexically_normal();
}

void add_files_beside(const fs::path& description, std::set<fs::path>& files) {
  for (const auto& each : fs::directory_iterator(description.parent_path())) {
    if (each.is_regular_file()) {
      files.insert(plain(each.path()));
    }
  }
}

void add_with_headers(const fs::path& source, const Manifest& kernel, std::set<fs::path>& files) {
  const SourceFiles with_headers = read_source_files(source, kernel.include_folders);
  std::ranges::transform(with_headers.headers, std::inserter(files, files.end()),
                         [](const OwnHeader& header) { return plain(header.file); });
}

// Adds all that reading a kernel reads, its arrays, and the headers of its sources.
void add_files_of(const fs::path& description, std::set<fs::path>& files) {
  const auto read = [&](const fs::path& file) {
    auto text = platform::read_text(file);
    if (text) {
      files.insert(plain(file));
    }
    return text;
  };
  const Manifest kernel = read_manifest(description, read);
  for (const Buffer& buffer : kernel.buffers) {
    if (!buffer.file.empty()) {
      files.insert(plain(buffer.file));
    }
  }
  if (!kernel.source.empty() && !kernel.is_cubin()) {
    add_with_headers(kernel.source, kernel, files);
  }
  if (kernel.verify && !kernel.verify->source.empty()) {
    add_with_headers(kernel.verify->source, kernel, files);
  }
}

fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path common;
  const auto differ = std::ranges::mismatch(a, b);
  for (auto part = a.begin(); part != differ.in1; ++part) {
    common /= *part;
  }
  return common;
}

}  // namespace

FileTree files_of_kernels(const fs::path& folder) {
  std::set<fs::path> files;
  for (const fs::path& description : platform::kernel_files({folder})) {
    add_files_beside(description, files);
    try {
      add_files_of(description, files);
    } catch (const Error&) {
    }
  }
  FileTree tree{plain(folder / "").parent_path(), {}};
  for (const fs::path& file : files) {
    tree.root = common_folder(tree.root, file.parent_path());
  }
  std::ranges::transform(files, std::back_inserter(tree.files),
                         [&](const fs::path& file) { return file.lexically_relative(tree.root); });
  return tree;
}

}  // namespace rooftile::worker
