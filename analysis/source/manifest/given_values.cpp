#include "analysis/source/manifest/given_values.hpp"

#include <fmt/format.h>

#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

class GivenReader {
 public:
  GivenReader(const SourceKernel& kernel, const std::vector<std::string>& names,
              const std::filesystem::path& source, std::string_view code)
      : kernel_(kernel), names_(names), source_(source), code_(code) {}

  std::vector<GivenValue> read() {
    for (std::size_t i = 0; i < kernel_.types.size(); ++i) {
      add_given(i);
    }
    return std::move(given_);
  }

 private:
  void add_given(std::size_t i) {
    const std::string& type = kernel_.types[i];
    if (const auto line = declaration(i);
        line.find("cudaTextureObject_t") != line.npos || line.find("cudaSurfaceObject_t") != line.npos) {
      refuse(i, "a texture or surface, which rooftile does not make: give the kernel a pointer to the data");
    }
    if (type.ends_with('&')) {
      refuse(i, fmt::format("{}, a reference to what the host has: pass it by value, without &", type));
    }
    if (type.ends_with('*') || !needs_layout(type)) {
      expect_fillable(i, type);
      given_.push_back({names_[i], type, i});
      return;
    }
    const StructLayout layout = layout_of(kernel_, i);
    if (type.find("(*)") != type.npos) {
      refuse(i, fmt::format("{}, a function: call it by its name in the kernel", type));
    }
    if (layout.bytes == 0) {
      refuse(i, fmt::format("of the type {}, which cannot be given: pass its numbers one by one", type));
    }
    for (const StructMember& member : layout.members) {
      expect_fillable(i, member.type);
      given_.push_back({member.name.empty() ? names_[i] : names_[i] + "_" + member.name, member.type, i,
                        member.at, member.times});
    }
  }

  // Throws Error for a pointer to what no buffer holds.
  void expect_fillable(std::size_t i, const std::string& type) const {
    const auto pointer = pointer_of(type);
    if (!pointer || pointer->pointee == "void" || element_of(pointer->pointee)) {
      return;
    }
    if (pointer->pointee.ends_with('*')) {
      refuse(i, fmt::format(
                    "{}, a pointer to pointers, which rooftile cannot fill: pass its numbers in one buffer, "
                    "and their offsets",
                    type));
    }
    if (type != kernel_.types[i] || layout_of(kernel_, i).bytes == 0) {
      refuse(i, fmt::format("{}, and rooftile cannot fill a buffer of {}: pass its numbers as float, int, ...",
                            type, pointer->pointee));
    }
  }

  [[noreturn]] void refuse(std::size_t i, const std::string& reason) const {
    const int line = line_of_parameter(code_, kernel_, i);
    throw Error(fmt::format("{}{}: the parameter {} of {} is {}.", source_.filename().string(),
                            line > 0 ? fmt::format("({})", line) : "", names_[i], kernel_.name, reason));
  }

  std::string declaration(std::size_t i) const {
    const auto declared = declared_parameters(code_, kernel_.name, kernel_.types.size());
    return declared.empty() ? "" : declared[i].declaration;
  }

  const SourceKernel& kernel_;
  const std::vector<std::string>& names_;  // of the parameters
  const std::filesystem::path& source_;
  std::string_view code_;
  std::vector<GivenValue> given_;
};

}  // namespace

std::vector<GivenValue> given_values(const SourceKernel& kernel, const std::vector<std::string>& names,
                                     const std::filesystem::path& source, std::string_view code) {
  return GivenReader(kernel, names, source, code).read();
}

StructLayout layout_of(const SourceKernel& kernel, std::size_t parameter) {
  return parameter < kernel.layouts.size() ? kernel.layouts[parameter] : StructLayout{};
}

Elements elements_of_struct(const StructLayout& layout) {
  const auto first = layout.members.empty() ? std::nullopt : element_of(layout.members.front().type);
  int elements = 0;
  for (const StructMember& member : layout.members) {
    elements += first && element_of(member.type) == first ? member.times : layout.bytes;
  }
  const bool alike = first && elements * bytes_of_element_type(first->toml) == layout.bytes;
  return alike ? Elements{{first->toml, elements}} : Elements{{"char", layout.bytes}, true};
}

}  // namespace rooftile
