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

// The factors of the block's index; empty where the kernel does not use it.
std::optional<std::vector<std::string>> factors_of_block(const std::string& body) {
  if (body.find("blockIdx.x") == std::string::npos) {
    return std::nullopt;
  }
  static const RE2 setting(R"((\w+)\s*=\s*blockIdx\.x\s*[;,])");
  std::string index = R"(blockIdx\.x)", variable;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, setting, &variable);) {
    index += "|" + variable;
  }
  const RE2 product(fmt::format(
      R"(\b(?:{0})\b\s*(?:\*|<<)\s*([\w.]+)|([\w.]+)\s*\*\s*(?:\([\w ]+\)\s*)?\b(?:{0})\b)", index));
  std::vector<std::string> factors;
  std::string behind_index, before_index;
  for (re2::StringPiece rest = body; RE2::FindAndConsume(&rest, product, &behind_index, &before_index);) {
    factors.push_back(behind_index + before_index);  // one of them is empty
  }
  return factors;
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
