#include "analysis/ptx/program/instruction_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace rooftile::ptx {
namespace {

constexpr std::pair<std::string_view, Op> operation_names[] = {
    {"abs", Op::abs},
    {"activemask", Op::activemask},
    {"add", Op::add},
    {"and", Op::and_},
    {"atom", Op::atom},
    {"bar", Op::bar},
    {"barrier", Op::bar},
    {"bfe", Op::bfe},
    {"bfi", Op::bfi},
    {"bfind", Op::bfind},
    {"bra", Op::bra},
    {"brev", Op::brev},
    {"brx", Op::brx},
    {"call", Op::call},
    {"clz", Op::clz},
    {"cnot", Op::cnot},
    {"copysign", Op::copysign},
    {"cos", Op::cos},
    {"cvt", Op::cvt},
    {"cvta", Op::cvta},
    {"div", Op::div},
    {"elect", Op::elect},
    {"ex2", Op::ex2},
    {"exit", Op::exit},
    {"fma", Op::fma},
    {"isspacep", Op::isspacep},
    {"ld", Op::ld},
    {"ldmatrix", Op::ldmatrix},
    {"ldu", Op::ld},
    {"lg2", Op::lg2},
    {"lop3", Op::lop3},
    {"mad", Op::mad},
    {"mapa", Op::mapa},
    {"match", Op::match},
    {"max", Op::max},
    {"mbarrier", Op::mbarrier},
    {"min", Op::min},
    {"mma", Op::mma},
    {"mov", Op::mov},
    {"mul", Op::mul},
    {"neg", Op::neg},
    {"not", Op::not_},
    {"or", Op::or_},
    {"popc", Op::popc},
    {"prefetch", Op::prefetch},
    {"prmt", Op::prmt},
    {"rcp", Op::rcp},
    {"red", Op::red},
    {"redux", Op::redux},
    {"rem", Op::rem},
    {"ret", Op::exit},
    {"rsqrt", Op::rsqrt},
    {"sad", Op::sad},
    {"selp", Op::selp},
    {"set", Op::set},
    {"setp", Op::setp},
    {"shf", Op::shf},
    {"shfl", Op::shfl},
    {"shl", Op::shl},
    {"shr", Op::shr},
    {"sin", Op::sin},
    {"sqrt", Op::sqrt},
    {"st", Op::st},
    {"stmatrix", Op::stmatrix},
    {"sub", Op::sub},
    {"tanh", Op::tanh},
    {"trap", Op::trap},
    {"vote", Op::vote},
    {"xor", Op::xor_},
};

const std::unordered_map<std::string_view, Op>& operations() {
  static const std::unordered_map<std::string_view, Op> all(std::begin(operation_names),
                                                            std::end(operation_names));
  return all;
}

std::optional<Space> space_named(std::string_view part) {
  static const std::unordered_map<std::string_view, Space> all = {
      {"global", Space::global},          {"shared", Space::shared}, {"shared::cta", Space::shared},
      {"shared::cluster", Space::shared}, {"local", Space::local},   {"param", Space::param},
      {"param::entry", Space::param},     {"const", Space::constant}};
  const auto found = all.find(part);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

struct NamedComparison {
  Compare compare;
  bool unordered;
};

std::optional<NamedComparison> comparison_named(std::string_view part) {
  static const std::unordered_map<std::string_view, NamedComparison> all = {
      {"eq", {Compare::eq, false}}, {"ne", {Compare::ne, false}},   {"lt", {Compare::lt, false}},
      {"le", {Compare::le, false}}, {"gt", {Compare::gt, false}},   {"ge", {Compare::ge, false}},
      {"lo", {Compare::lt, false}}, {"ls", {Compare::le, false}},   {"hi", {Compare::gt, false}},
      {"hs", {Compare::ge, false}}, {"equ", {Compare::eq, true}},   {"neu", {Compare::ne, true}},
      {"ltu", {Compare::lt, true}}, {"leu", {Compare::le, true}},   {"gtu", {Compare::gt, true}},
      {"geu", {Compare::ge, true}}, {"num", {Compare::num, false}}, {"nan", {Compare::nan, false}}};
  const auto found = all.find(part);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t modifier_named(std::string_view part) {
  static const std::unordered_map<std::string_view, std::uint32_t> all = {
      {"wide", wide},       {"hi", high},          {"to", to_space},         {"wrap", wraps},
      {"l", to_left},       {"rni", to_nearest},   {"rmi", to_lower},        {"rpi", to_upper},
      {"red", reduces},     {"arrive", arrives},   {"arrive_drop", arrives}, {"try_wait", tests},
      {"test_wait", tests}, {"shiftamt", as_shift}};
  const auto found = all.find(part);
  return found == all.end() ? 0 : found->second;
}

bool has_mode(Op op) {
  constexpr std::array with = {Op::shfl, Op::vote, Op::match, Op::redux,
                               Op::atom, Op::red,  Op::prmt,  Op::mbarrier};
  return std::ranges::find(with, op) != with.end();
}

// A letter each where several begin alike: vote.all and .any, atom.min and .max, .add and .and.
std::uint8_t mode_of(std::string_view part) {
  return static_cast<std::uint8_t>(part == "all" ? 'l' : part == "max" ? 'M' : part == "and" ? 'n' : part[0]);
}

bool is_mode(Op op, std::string_view part) {
  static const std::unordered_map<Op, std::string_view> all = {
      {Op::shfl, " up down bfly idx "},
      {Op::vote, " all any uni ballot "},
      {Op::match, " all any "},
      {Op::redux, " add min max and or xor "},
      {Op::atom, " add min max and or xor exch cas inc dec "},
      {Op::red, " add min max and or xor inc dec "},
      {Op::prmt, " f4e b4e rc8 ecl ecr rc16 "},
      {Op::mbarrier, " init inval expect_tx complete_tx "}};
  return has_mode(op) && all.at(op).find(" " + std::string(part) + " ") != std::string_view::npos;
}

void set_part(Instruction& instruction, std::string_view part, int& types) {
  if (const auto type = type_named(part)) {
    instruction.type = types == 0 ? *type : instruction.type;
    instruction.from = types < 2 ? *type : instruction.from;  // of mma: its inputs
    ++types;
  } else if (const auto space = space_named(part)) {
    instruction.space = instruction.space == Space::none ? *space : instruction.space;
  } else if (part == "v2" || part == "v4" || part == "v8") {
    instruction.vector = static_cast<std::uint8_t>(part[1] - '0');
  } else if (is_mode(instruction.op, part)) {
    instruction.mode = mode_of(part);
  } else if (const auto comparison = comparison_named(part);
             comparison && (instruction.op == Op::setp || instruction.op == Op::set)) {
    instruction.compare = comparison->compare;
    instruction.modifiers |= comparison->unordered ? std::uint32_t{unordered} : 0;
  } else if (instruction.op == Op::setp || instruction.op == Op::set) {
    instruction.join = part == "and"   ? Op::and_
                       : part == "or"  ? Op::or_
                       : part == "xor" ? Op::xor_
                                       : instruction.join;
  } else {
    instruction.modifiers |= modifier_named(part);
  }
}

// Not what ends and awaits a group of them.
bool is_bulk_copy(std::string_view name) {
  const bool begins = name.starts_with("cp.async.bulk.") || name.starts_with("cp.reduce.async.bulk.");
  return begins && name.find(".commit_group") == std::string_view::npos &&
         name.find(".wait_group") == std::string_view::npos;
}

Op operation_of(std::string_view name, std::string_view first) {
  if (first == "cp") {
    const auto begins = [&](const char* begin) { return name.starts_with(begin); };
    return is_bulk_copy(name)                                            ? Op::cp_bulk
           : begins("cp.async.ca") || begins("cp.async.cg")              ? Op::cp_async
           : begins("cp.async.commit_group") || begins("cp.async.wait_") ? Op::cp_async_group
                                                                         : Op::other;
  }
  if (first == "wgmma") {
    return name.starts_with("wgmma.mma_async") ? Op::wgmma : Op::other;
  }
  if (first == "wmma") {
    return name.starts_with("wmma.load")    ? Op::ldmatrix
           : name.starts_with("wmma.store") ? Op::stmatrix
                                            : Op::mma;
  }
  if (name.starts_with("barrier.cluster")) {
    return Op::barrier_cluster;
  }
  const auto found = operations().find(first);
  return found == operations().end() ? Op::other : found->second;
}

}  // namespace

std::optional<Type> type_named(std::string_view part) {
  static const std::unordered_map<std::string_view, Type> all = {
      {"pred", {'p', 0}},  {"b8", {'b', 1}},  {"b16", {'b', 2}},  {"b32", {'b', 4}},  {"b64", {'b', 8}},
      {"b128", {'b', 16}}, {"u8", {'u', 1}},  {"u16", {'u', 2}},  {"u32", {'u', 4}},  {"u64", {'u', 8}},
      {"s8", {'s', 1}},    {"s16", {'s', 2}}, {"s32", {'s', 4}},  {"s64", {'s', 8}},  {"f16", {'f', 2}},
      {"f32", {'f', 4}},   {"f64", {'f', 8}}, {"tf32", {'f', 4}}, {"bf16", {'h', 2}}, {"f16x2", {'x', 4}},
      {"bf16x2", {'x', 4}}};
  const auto found = all.find(part);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

Instruction instruction_named(std::string_view name) {
  Instruction instruction;
  const std::string_view first = name.substr(0, name.find('.'));
  instruction.op = operation_of(name, first);
  int types = 0;
  for (std::size_t at = first.size(); at < name.size();) {
    const std::size_t end = std::min(name.find('.', at + 1), name.size());
    set_part(instruction, name.substr(at + 1, end - at - 1), types);
    at = end;
  }
  if (instruction.has(wide)) {
    instruction.type.bytes = static_cast<std::uint8_t>(2 * instruction.from.bytes);
  }
  const bool memory = instruction.op == Op::ld || instruction.op == Op::st || instruction.op == Op::atom ||
                      instruction.op == Op::red || first == "wmma";
  if (memory && instruction.space == Space::none) {
    instruction.space = Space::generic;
  }
  return instruction;
}

int results_of(const Instruction& instruction, std::string_view name) {
  constexpr std::array none = {Op::st,
                               Op::red,
                               Op::bra,
                               Op::brx,
                               Op::exit,
                               Op::trap,
                               Op::call,
                               Op::stmatrix,
                               Op::prefetch,
                               Op::cp_async,
                               Op::cp_async_group,
                               Op::cp_bulk,
                               Op::barrier_cluster};
  if (std::ranges::find(none, instruction.op) != none.end()) {
    return 0;
  }
  if (instruction.op == Op::bar) {
    return instruction.has(reduces) ? 1 : 0;
  }
  if (instruction.op == Op::mbarrier) {
    return instruction.has(arrives) || instruction.has(tests) ? 1 : 0;
  }
  constexpr std::array<std::string_view, 14> without = {
      "membar",    "fence",   "nanosleep",     "griddepcontrol", "setmaxnreg", "cp",  "wgmma",
      "prefetchu", "discard", "applypriority", "pmevent",        "brkpt",      "red", "clusterlaunchcontrol"};
  const std::string_view first = name.substr(0, name.find('.'));
  return instruction.op == Op::other && std::ranges::find(without, first) != without.end() ? 0 : 1;
}

std::array<int, 3> matrix_shape(std::string_view name) {
  for (std::size_t at = name.find(".m"); at != std::string_view::npos; at = name.find(".m", at + 1)) {
    std::array<int, 3> shape{};
    const char* next = name.data() + at + 1;
    const char* const end = name.data() + name.size();
    bool whole = true;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const auto read = next < end && *next == "mnk"[i]
                            ? std::from_chars(next + 1, end, shape[i])
                            : std::from_chars_result{next, std::errc::invalid_argument};
      whole = whole && read.ec == std::errc{};
      next = read.ptr;
    }
    if (whole) {
      return shape;
    }
  }
  return {};
}

double shape_flops(std::string_view name) {
  const auto [m, n, k] = matrix_shape(name);
  return 2.0 * m * n * k;
}

}  // namespace rooftile::ptx
