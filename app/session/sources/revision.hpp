// A source as a revision of its git repository has it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/session/own_kernel.hpp"

namespace rooftile {

struct SourceRevision {
  std::filesystem::path source;
  std::string revision;  // as git names it: "HEAD~1"
};

// "mine.cu@HEAD~1"; empty for anything else, and for a file of that name.
std::optional<SourceRevision> source_revision(const std::string& word);

// Writes all files of the revision to the folder, since the source may include others of them, and returns the
// source there. Throws Error if git does not know the revision, or has no such file in it.
std::filesystem::path checked_out(const SourceRevision& wanted, const std::filesystem::path& folder);

// Gives a kernel of such a source the revision's name, "mine@HEAD~1", so that it is told from today's.
OwnKernel named_by_revision(const OwnKernel& kernel, const SourceRevision& wanted);

}  // namespace rooftile
