#include "kernels/worker/compile/ptx_text.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analysis/chip/pipe.hpp"

namespace rooftile::worker {
namespace {

// "fma.rn.bf16x2", of which `at` is any character.
std::string_view instruction_around(std::string_view text, std::size_t at) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_.:";
  const std::size_t before = text.find_last_not_of(letters, at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, text.find_first_not_of(letters, at) - begin);
}

// add.f32.f16 takes FP16 and computes in FP32.
bool is_half_arithmetic(std::string_view instruction) {
  constexpr std::array<std::string_view, 4> operations = {"add", "sub", "mul", "fma"};
  return std::ranges::find(operations, instruction.substr(0, instruction.find('.'))) != operations.end() &&
         instruction.find(".f32") == std::string_view::npos;
}

// Whether any instruction with this word in it is one.
template <class IsOne>
bool any_instruction(std::string_view text, std::string_view word, const IsOne& is_one) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (is_one(instruction_around(text, at))) {
      return true;
    }
  }
  return false;
}

bool has_half_arithmetic(std::string_view text) {
  return any_instruction(text, ".f16", is_half_arithmetic) ||
         any_instruction(text, ".bf16", is_half_arithmetic);
}

// Blocks that signal each other by barriers, or that TMA writes for, access none themselves.
bool reaches_other_blocks(std::string_view text) {
  static constexpr std::array<std::string_view, 4> accesses = {"ld.", "st.", "atom.", "red."};
  const auto is_access = [](std::string_view instruction) {
    return std::ranges::any_of(accesses,
                               [&](std::string_view access) { return instruction.starts_with(access); });
  };
  return text.find("mapa.u") != std::string_view::npos ||  // to a generic address
         text.find("cvta.shared::cluster") != std::string_view::npos ||
         any_instruction(text, "shared::cluster", is_access);
}

// wmma.mma of FP16 names the types of its sums alone. tcgen05.mma is told some types as it runs.
std::optional<std::set<std::string>> tensor_pipes_in(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 11> types = {
      {{".e4m3", fp8_tensor_pipe},
       {".e5m2", fp8_tensor_pipe},
       {".tf32", tf32_tensor_pipe},
       {".bf16", bf16_tensor_pipe},
       {".f16", fp16_tensor_pipe},
       {".f64", fp64_tensor_pipe},
       {".s8", int8_tensor_pipe},
       {".u8", int8_tensor_pipe},
       {".s4", int8_tensor_pipe},
       {".u4", int8_tensor_pipe},
       {".b1", int8_tensor_pipe}}};
  std::set<std::string> pipes;
  static constexpr std::array<std::string_view, 5> products = {"mma.sync.", "mma.sp", "wmma.mma.",
                                                               "wgmma.mma_async.", "tcgen05.mma."};
  const bool unknown = any_instruction(text, "mma.", [&](std::string_view instruction) {
    if (std::ranges::none_of(products, [&](auto product) { return instruction.starts_with(product); })) {
      return false;
    }
    std::set<std::string> named;
    for (const auto& [type, pipe] : types) {
      if (instruction.find(type) != std::string_view::npos) {
        named.insert(pipe);
      }
    }
    if (named.empty() && instruction.starts_with("wmma.")) {
      named.insert(fp16_tensor_pipe);
    }
    pipes.insert(named.begin(), named.end());
    return named.empty();
  });
  return unknown ? std::nullopt : std::optional(std::move(pipes));
}

// The kernel's body, or all of the PTX if the body calls functions.
std::string_view text_of(std::string_view ptx, std::string_view symbol) {
  const std::vector<PtxEntry> entries = entries_of(ptx);
  const auto entry = std::ranges::find(entries, symbol, &PtxEntry::symbol);
  const bool alone = entry != entries.end() && entry->body.find("call") == std::string_view::npos;
  return alone ? entry->body : ptx;
}

}  // namespace

std::vector<PtxEntry> entries_of(std::string_view ptx) {
  constexpr std::string_view word = ".entry ";
  std::vector<PtxEntry> entries;
  for (std::size_t at = ptx.find(word); at != std::string_view::npos; at = ptx.find(word, at + 1)) {
    const std::string_view rest = ptx.substr(at + word.size());
    const std::size_t end_of_head = rest.find_first_of("{;");
    if (end_of_head != rest.npos && rest[end_of_head] == ';') {
      continue;  // nvcc declares a kernel whose address is taken before its definition
    }
    const std::string_view body = rest.substr(0, std::min(rest.find(word), rest.find(".func ")));
    entries.push_back({std::string(body.substr(0, body.find_first_of("( \n"))), body});
  }
  return entries;
}

std::string lasting_symbol(std::string symbol) {
  static const RE2 segment("[0-9]+_(?:GLOBAL__N|INTERNAL)_");
  re2::StringPiece found;
  std::size_t length = 0;
  if (segment.Match(symbol, 0, symbol.size(), RE2::UNANCHORED, &found, 1)) {
    const auto at = static_cast<std::size_t>(found.data() - symbol.data());
    const auto [digits_end, failed] = std::from_chars(found.data(), found.data() + found.size(), length);
    if (failed == std::errc{}) {
      symbol.replace(at, static_cast<std::size_t>(digits_end - found.data()) + length, "12_GLOBAL__N_1");
    }
  }
  return symbol;
}

std::string symbol_in(std::string_view ptx, const std::string& lasting) {
  for (const PtxEntry& entry : entries_of(ptx)) {
    if (lasting_symbol(entry.symbol) == lasting) {
      return entry.symbol;
    }
  }
  return lasting;
}

std::vector<SourceVariable> variables_of(std::string_view ptx) {
  static const RE2 declared(
      R"((?m)^\s*(?:\.visible |\.weak )?\.(const|global)\s+\.align \d+\s+\.[a-z]+(\d+)\s+(\w+)(?:\[(\d+)\])?;)");
  std::vector<SourceVariable> variables;
  std::string space, symbol, length;
  int bits = 0;
  for (re2::StringPiece rest(ptx.data(), ptx.size());
       RE2::FindAndConsume(&rest, declared, &space, &bits, &symbol, &length);) {
    int elements = 1;
    std::from_chars(length.data(), length.data() + length.size(), elements);
    variables.push_back({symbol, bits / 8 * elements, space == "const"});
  }
  return variables;
}

Instructions instructions_in_ptx(std::string_view ptx, std::string_view symbol) {
  const std::string_view text = text_of(ptx, symbol);
  return {has_half_arithmetic(text), reaches_other_blocks(text), tensor_pipes_in(text)};
}

}  // namespace rooftile::worker
