#include "analysis/source/kernels/thread_use.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "analysis/source/kernels/declared_parameters.hpp"

namespace rooftile {
namespace {

bool divides_grid_index_by_warp(const std::string& body) {
  static const RE2 setting(R"((\w+)\s*=\s*([^;/>]*);)");
  std::string index = R"(blockIdx\.x[^;()]*threadIdx\.x\s*\))", variable, value;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, setting, &variable, &value);) {
    const bool is_index =
        value.find("blockIdx.x") != std::string::npos && value.find("threadIdx.x") != std::string::npos;
    index += is_index ? "|" + variable : "";
  }
  return RE2::PartialMatch(body,
                           fmt::format(R"((?:{})\s*(?:/\s*(?:32|warpSize|WARP_SIZE|WARP)\b|>>\s*5\b))", index));
}

bool is_width(const std::string& name) {
  static const RE2 word("DIM|COL|WIDTH|HIDDEN|LEN|HEAD|ROW");
  return RE2::PartialMatch(name, word);
}

// The index and the variables that are set to it, as alternatives of an expression.
std::string names_of(const std::string& body, const std::string& index) {
  const RE2 setting(fmt::format(R"((\w+)\s*=\s*{}\s*[;,])", index));
  std::string names = index, variable;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, setting, &variable);) {
    names += "|" + variable;
  }
  return names;
}

// The factors of the block's index; empty where the kernel does not use it.
std::optional<std::vector<std::string>> factors_of_block(const std::string& body) {
  if (body.find("blockIdx.x") == std::string::npos) {
    return std::nullopt;
  }
  const RE2 product(
      fmt::format(R"(\b(?:{0})\b\s*(?:\*|<<)\s*([\w.]+)|([\w.]+)\s*\*\s*(?:\([\w ]+\)\s*)?\b(?:{0})\b)",
                  names_of(body, R"(blockIdx\.x)")));
  std::vector<std::string> factors;
  std::string behind_index, before_index;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, product, &behind_index, &before_index);) {
    factors.push_back(behind_index + before_index);  // one of them is empty
  }
  return factors;
}

// The factor of the block's index where the thread's is added; empty: there is none.
std::string block_stride(const std::string& body, const std::string& block, const std::string& thread) {
  const std::string product =
      fmt::format(R"(\(?\b(?:(?:{0})\s*\*\s*([\w.]+)|([\w.]+)\s*\*\s*(?:{0}))\b\)?)", block);
  const RE2 sum(fmt::format(R"({0}\s*\+\s*(?:{1})\b|\b(?:{1})\s*\+\s*{0})", product, thread));
  std::string before[2], behind[2];
  RE2::PartialMatch(body, sum, &before[0], &before[1], &behind[0], &behind[1]);
  return before[0] + before[1] + behind[0] + behind[1];  // one of them is not empty
}

// The step of a loop over the stride whose variable is added to the thread's index.
std::optional<std::string> step_within(const std::string& body, const std::string& stride,
                                       const std::string& thread) {
  const RE2 loop(fmt::format(R"(\b(\w+)\s*=\s*0\s*;\s*\w+\s*<\s*{}\s*;\s*\w+\s*\+=\s*(\w+))", stride));
  std::string variable, step;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, loop, &variable, &step);) {
    if (RE2::PartialMatch(body, fmt::format(R"(\b(?:{})\s*\+\s*{}\b)", thread, variable))) {
      return step;
    }
  }
  return std::nullopt;
}

}  // namespace

ItemUse item_use(std::string_view code, const std::string& kernel) {
  const std::string body = body_of(code, kernel);
  if (divides_grid_index_by_warp(body)) {
    return {ItemOwner::warp};
  }
  const std::vector<DeclaredParameter> parameters = declared_parameters(code, kernel);
  const auto factors = factors_of_block(body);
  ItemUse use{factors ? ItemOwner::block : ItemOwner::thread};
  for (const std::string& factor : factors.value_or(std::vector<std::string>{})) {
    const bool is_parameter =
        std::ranges::find(parameters, factor, &DeclaredParameter::name) != parameters.end();
    if (!is_parameter && !is_width(factor)) {
      return {};
    }
    use.width = is_parameter ? use.width : factor;
  }
  return use;
}

std::array<std::string, 3> block_sides(std::string_view code, const std::string& kernel) {
  const std::string body = body_of(code, kernel);
  std::array<std::string, 3> sides;
  for (std::size_t axis = 0; axis < sides.size(); ++axis) {
    const std::string threads = names_of(body, fmt::format(R"(threadIdx\.{})", "xyz"[axis]));
    const std::string stride =
        block_stride(body, names_of(body, fmt::format(R"(blockIdx\.{})", "xyz"[axis])), threads);
    sides[axis] = stride.empty() ? "" : step_within(body, stride, threads).value_or(stride);
  }
  return sides;
}

int dimensions_named(std::string_view code, const std::string& kernel) {
  static const RE2 axis(R"(\b(?:threadIdx|blockIdx|blockDim|gridDim)\.([xyz]))");
  const std::string body = body_of(code, kernel);
  int dimensions = 1;
  char side = 'x';
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, axis, &side);) {
    dimensions = std::max(dimensions, 1 + side - 'x');
  }
  return dimensions;
}

bool looks_tuned(std::string_view code, const std::string& kernel, const std::string& number) {
  static const RE2 called(
      "(?i)tile|block|thread|warp|unroll|pad|stage|coarsen|chunk|vector|per_?|^[btw][mnk]$|ntpb|tpb");
  const std::string body = body_of(code, kernel);
  return RE2::PartialMatch(number, called) ||
         RE2::PartialMatch(body, fmt::format(R"(\b__shared__\b[^;]*\b{}\b[^;]*\])", number));
}

bool waits_for_grid(std::string_view code, const std::string& kernel) {
  static const RE2 grid(R"(\bthis_grid\s*\(|\bgrid_group\b)");
  return RE2::PartialMatch(body_of(code, kernel), grid);
}

}  // namespace rooftile
