#include "analysis/ptx/text/ptx_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analysis/ptx/program/instruction_name.hpp"
#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/ptx/text/declarations.hpp"
#include "analysis/ptx/text/functions.hpp"
#include "analysis/ptx/text/ptx_cursor.hpp"
#include "analysis/ptx/text/ptx_names.hpp"
#include "analysis/ptx/text/register_scopes.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::size_t most_instructions = 1'000'000, most_calls = 20'000, deepest_call = 64;

// The end of a function's body that stands in place of a call. It is no word, so that no label is named so.
constexpr std::string_view return_label = "(return)";

class Parser {
 public:
  Parser(std::string_view text, std::string_view entry)
      : cursor_(text), wanted_(entry), functions_(functions_of(text)) {}

  Program parse() {
    while (!cursor_.at_end()) {
      parse_of_module();
    }
    if (program_.entry.empty()) {
      throw Error(wanted_.empty() ? "The PTX has no kernel."
                                  : fmt::format("The PTX has no kernel named {}.", wanted_));
    }
    if (program_.instructions.empty()) {
      throw Error(fmt::format("The kernel {} of the PTX has no instructions.", program_.entry));
    }
    return std::move(program_);
  }

 private:
  // A function whose body is read in place of a call.
  struct Frame {
    std::string_view function;
    std::unordered_map<std::string_view, std::uint64_t> names;  // of its parameters and results: where they lie
  };

  void parse_of_module() {
    const std::string_view word = cursor_.word();
    if (word == ".version" || word == ".address_size" || word == ".target") {
      cursor_.rest_of_line();
    } else if (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
      return;  // of what follows
    } else if (word == ".entry") {
      parse_entry();
    } else if (word == ".func") {
      skip_function();
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      declarations_.parse_variables(word);
    } else if (word == ".file") {
      parse_file();
    } else if (word == ".section") {
      cursor_.word();
      cursor_.skip_braces();
    } else if (word == ".pragma" || word == ".alias") {
      cursor_.skip_to(';');
    } else {
      cursor_.fail("a directive");
    }
  }

  void parse_file() {
    const std::int64_t number = cursor_.whole();
    const std::string_view name = cursor_.quoted();
    cursor_.rest_of_line();
    if (number >= 0 && number < 10'000) {
      program_.files.resize(std::max(program_.files.size(), static_cast<std::size_t>(number) + 1));
      program_.files[static_cast<std::size_t>(number)] = name;
    }
  }

  void skip_function() {
    while (cursor_.peek() != '{' && cursor_.peek() != ';') {
      if (cursor_.at_end()) {
        cursor_.fail("a function");
      }
      if (cursor_.take('(')) {
        cursor_.skip_to(')');
      } else if (cursor_.word().empty()) {
        cursor_.expect(',');
      }
    }
    if (!cursor_.take(';')) {
      cursor_.skip_braces();
    }
  }

  void parse_entry() {
    const std::string_view name = cursor_.word();
    const bool meant = program_.entry.empty() && (wanted_.empty() || wanted_ == name);
    if (cursor_.take('(')) {
      meant ? declarations_.parse_parameters() : cursor_.skip_to(')');
    }
    while (cursor_.peek() != '{') {
      if (cursor_.at_end()) {
        cursor_.fail("the body of a kernel");
      }
      cursor_.rest_of_line();
    }
    if (!meant) {
      return cursor_.skip_braces();
    }
    program_.entry = name;
    parse_body();
  }

  void parse_body() {
    cursor_.expect('{');
    scopes_.open();
    while (scopes_.depth() > 0) {
      parse_statement();
    }
    // The largest alignment that a declaration asks for; all dynamic arrays begin at one place.
    program_.static_shared_bytes = (program_.static_shared_bytes + 15) / 16 * 16;
    for (const std::size_t operand : dynamic_uses_) {
      program_.operands[operand].value += static_cast<std::uint64_t>(program_.static_shared_bytes);
    }
    program_.registers = static_cast<int>(scopes_.registers());
  }

  void parse_statement() {
    if (cursor_.take('{')) {
      if (scopes_.depth() > 1000) {
        cursor_.fail("fewer braces in braces");
      }
      scopes_.open();
    } else if (cursor_.take('}')) {
      scopes_.close(program_);
    } else if (cursor_.take(';')) {
      return;
    } else if (cursor_.take('@')) {
      const bool negated = cursor_.take('!');
      const auto guard = register_named(cursor_.word());
      parse_instruction(cursor_.word(), guard, negated);
    } else {
      parse_named_statement(cursor_.word());
    }
  }

  void parse_named_statement(std::string_view word) {
    if (word.empty()) {
      cursor_.fail("an instruction");
    }
    if (word[0] == '.') {
      parse_directive(word);
    } else if (cursor_.take(':')) {
      scopes_.add_label(word, static_cast<std::int32_t>(program_.instructions.size()));
      if (cursor_.peek() == '.') {  // a list of targets or a prototype bears a label
        return;
      }
    } else {
      parse_instruction(word, -1, false);
    }
  }

  void parse_directive(std::string_view word) {
    if (word == ".loc") {
      parse_line();
    } else if (word == ".reg") {
      declare_registers();
    } else if (word == ".shared" || word == ".local" || word == ".param" || word == ".global" ||
               word == ".const") {
      word == ".param" ? declarations_.parse_call_parameter() : declarations_.parse_variables(word);
    } else if (word == ".file") {
      parse_file();
    } else {
      cursor_.skip_to(';');  // .pragma, .branchtargets, .callprototype
    }
  }

  // Code inlined from another file belongs to the line of the kernel's file that calls it:
  // ".loc 2 97 5, function_name $L__info_string1, inlined_at 1 110 8". Line 0 is no line: what the compiler
  // made itself belongs to the line before.
  void parse_line() {
    std::optional<SourceLine> line = parse_place(cursor_);
    const std::string_view more = cursor_.rest_of_line();
    if (!line) {
      return;
    }
    constexpr std::string_view inlined = "inlined_at ";
    if (const auto at = more.find(inlined); at != std::string_view::npos) {
      Cursor place(more.substr(at + inlined.size()));
      if (const auto caller = parse_place(place)) {
        callers_[*line] = *caller;
      }
    } else if (own_file_ < 0) {
      own_file_ = line->file;
    }
    constexpr int deepest = 100;
    for (int depth = 0; depth < deepest && line->file != own_file_ && callers_.contains(*line); ++depth) {
      line = callers_[*line];
    }
    source_ = *line;
  }

  static std::optional<SourceLine> parse_place(Cursor& cursor) {
    const std::int64_t file = cursor.whole(), line = cursor.whole();
    const bool is_place = line > 0 && line < 1 << 30 && file >= 0 && file < 10'000;
    return is_place ? std::optional(SourceLine{static_cast<int>(file), static_cast<int>(line)}) : std::nullopt;
  }

  void declare_registers() {
    bool predicates = false;
    while (cursor_.peek() == '.') {
      predicates = cursor_.word() == ".pred" || predicates;
    }
    do {
      const std::string_view name = cursor_.word();
      if (name.empty()) {
        cursor_.fail("the name of a register");
      }
      const bool numbered = cursor_.take('<');
      const std::int64_t count = numbered ? cursor_.whole() : 0;
      if (numbered) {
        cursor_.expect('>');
      }
      if (!scopes_.declare(name, count, predicates)) {
        cursor_.fail("fewer registers");
      }
    } while (cursor_.take(','));
    cursor_.expect(';');
  }

  std::int32_t register_named(std::string_view name) {
    const auto found = scopes_.find(name);
    if (!found) {
      cursor_.fail(fmt::format("a register that is declared before \"{}\"", name));
    }
    return *found;
  }

  const Instruction& prototype(std::string_view name, int& number) {
    const auto known = names_.find(name);
    if (known == names_.end()) {
      prototypes_.push_back(instruction_named(name));
      program_.names.emplace_back(name);
      number = names_[name] = static_cast<int>(prototypes_.size()) - 1;
    } else {
      number = known->second;
    }
    return prototypes_[static_cast<std::size_t>(number)];
  }

  void parse_instruction(std::string_view name, std::int32_t guard, bool negated) {
    if (name.empty() || std::islower(static_cast<unsigned char>(name[0])) == 0) {
      cursor_.fail("an instruction");
    }
    int number = 0;
    Instruction instruction = prototype(name, number);
    instruction.name = number;
    instruction.guard = guard;
    instruction.guard_negated = negated;
    instruction.source = source_;
    instruction.text_line = cursor_.line();
    instruction.first = static_cast<std::uint32_t>(program_.operands.size());
    if (program_.instructions.size() >= most_instructions) {
      cursor_.fail("fewer instructions");
    }
    if (!frames_.empty() && instruction.op == Op::exit && name.starts_with("ret")) {
      instruction.op = Op::bra;
      scopes_.add_branch(static_cast<std::int32_t>(program_.instructions.size()), return_label);
      cursor_.skip_to(';');
    } else if (instruction.op == Op::bra) {
      scopes_.add_branch(static_cast<std::int32_t>(program_.instructions.size()), cursor_.word());
      cursor_.expect(';');
    } else if (instruction.op == Op::call) {
      if (parse_call(instruction)) {
        return;
      }
    } else if (instruction.op == Op::brx) {
      cursor_.skip_to(';');
    } else {
      parse_operands(instruction, name);
      if (std::exchange(names_call_parameter_, false) && instruction.space == Space::param) {
        instruction.space = Space::local;
        instruction.modifiers |= of_call;
      }
    }
    program_.instructions.push_back(instruction);
  }

  // True if the function's body stands in place of the call. A failed assertion ends its lanes, and what is
  // printed decides nothing. Calls of functions that call themselves, and through pointers, are not followed.
  bool parse_call(Instruction& instruction) {
    const std::vector<std::string_view> results = names_in_parentheses(cursor_);
    cursor_.take(',');
    const std::string_view callee = cursor_.word();
    cursor_.take(',');
    const std::vector<std::string_view> parameters = names_in_parentheses(cursor_);
    instruction.op = callee == "__assertfail" ? Op::exit : callee == "vprintf" ? Op::other : Op::call;
    cursor_.skip_to(';');
    const auto function = functions_.find(callee);
    const bool is_followed = instruction.op == Op::call && function != functions_.end() &&
                             instruction.guard < 0 && frames_.size() < deepest_call &&
                             std::ranges::find(frames_, callee, &Frame::function) == frames_.end();
    if (is_followed && ++calls_ > most_calls) {
      cursor_.fail("fewer calls");
    }
    if (is_followed) {
      Frame frame{callee, {}};
      add_names(frame, function->second.results, results);
      add_names(frame, function->second.parameters, parameters);
      parse_function(function->second, std::move(frame));
    }
    return is_followed;
  }

  // A function's own names of its parameters mean the places that the caller has filled.
  void add_names(Frame& frame, const std::vector<std::string_view>& own,
                 const std::vector<std::string_view>& given) {
    for (std::size_t i = 0; i < std::min(own.size(), given.size()); ++i) {
      const auto place = declarations_.of_calls().find(given[i]);
      if (place == declarations_.of_calls().end()) {
        cursor_.fail(fmt::format("a parameter that is declared before \"{}\"", given[i]));
      }
      frame.names[own[i]] = place->second;
    }
  }

  void parse_function(const Function& function, Frame frame) {
    const Cursor behind = cursor_;
    const SourceLine line = source_;
    auto of_calls = std::exchange(declarations_.of_calls(), {});
    frames_.push_back(std::move(frame));
    cursor_ = function.body;
    cursor_.expect('{');
    scopes_.open();
    const std::size_t depth = scopes_.depth();
    while (scopes_.depth() > depth || cursor_.peek() != '}') {
      parse_statement();
    }
    scopes_.add_label(return_label, static_cast<std::int32_t>(program_.instructions.size()));
    scopes_.close(program_);
    frames_.pop_back();
    declarations_.of_calls() = std::move(of_calls);
    cursor_ = behind;
    source_ = line;
  }

  void parse_operands(Instruction& instruction, std::string_view name) {
    if (cursor_.take(';')) {
      return;
    }
    const bool has_result = results_of(instruction, name) > 0;
    for (bool first = true;; first = false) {
      parse_operand(instruction);
      const std::size_t count = program_.operands.size() - instruction.first;
      if (count > 255) {
        cursor_.fail("fewer operands");
      }
      (first && has_result ? instruction.destinations : instruction.sources) =
          static_cast<std::uint8_t>(count - (first && has_result ? 0 : instruction.destinations));
      if (!cursor_.take(',')) {
        break;
      }
    }
    cursor_.expect(';');
    const Operand& last = program_.operands.back();
    if (instruction.op == Op::cp_async && last.kind == Operand::Kind::reg && scopes_.is_predicate(last.index)) {
      instruction.modifiers |= ignores;
    }
  }

  void parse_operand(const Instruction& instruction) {
    if (cursor_.take('{')) {
      do {
        parse_operand(instruction);
      } while (cursor_.take(','));
      return cursor_.expect('}');
    }
    if (cursor_.take('[')) {
      parse_address(instruction);
      if (cursor_.take(',')) {
        parse_operand(instruction);  // where in a tensor
      }
      return cursor_.expect(']');
    }
    const bool negated = cursor_.take('!'), minus = cursor_.take('-');
    Operand operand = simple_operand(cursor_.word(), instruction.type);
    operand.negated = negated;
    operand.value = minus ? 0 - operand.value : operand.value;
    add(operand);
    if (cursor_.take('|')) {
      add(simple_operand(cursor_.word(), instruction.type));
    }
  }

  void add(const Operand& operand) { program_.operands.push_back(operand); }

  void parse_address(const Instruction& instruction) {
    const bool minus_base = cursor_.take('-');
    Operand operand = simple_operand(cursor_.word(), instruction.type);
    if (operand.kind == Operand::Kind::special) {
      cursor_.fail("an address");
    }
    operand.value = minus_base ? 0 - operand.value : operand.value;
    operand.kind = Operand::Kind::address;
    operand.index = std::max(operand.index, -1);
    while (cursor_.peek() == '+' || cursor_.peek() == '-') {
      const bool plus = cursor_.take('+');
      const bool minus = cursor_.take('-');
      const auto offset = number_named(cursor_.word());
      if (!offset || (!plus && !minus)) {
        cursor_.fail("a number");
      }
      operand.value += minus ? 0 - *offset : *offset;
    }
    add(operand);
  }

  Operand simple_operand(std::string_view word, Type type) {
    if (word.empty()) {
      cursor_.fail("an operand");
    }
    if (word == "_") {
      return {};
    }
    if (const auto special = special_named(word)) {
      add_grid_workspace(*special);
      return {Operand::Kind::special, false, static_cast<std::int32_t>(*special), 0};
    }
    if (const auto reg = scopes_.find(word)) {
      return {Operand::Kind::reg, false, *reg, 0};
    }
    if (const auto value = number_named(word, type)) {
      return {Operand::Kind::immediate, false, -1, *value};
    }
    return symbol(word);
  }

  void add_grid_workspace(Special special) {
    if (special == Special::half_of_grid_workspace && !std::exchange(has_grid_workspace_, true)) {
      program_.variables.push_back({"", grid_workspace_bytes, grid_workspace, {}});
    }
  }

  // The place of a parameter or result of a call, or of the function that is read in its stead.
  std::optional<std::uint64_t> call_parameter(std::string_view word) {
    const auto& of_calls = declarations_.of_calls();
    if (const auto found = of_calls.find(word); found != of_calls.end()) {
      return found->second;
    }
    if (frames_.empty() || !frames_.back().names.contains(word)) {
      return {};
    }
    return frames_.back().names.at(word);
  }

  Operand symbol(std::string_view word) {
    if (const auto place = call_parameter(word)) {
      names_call_parameter_ = true;
      return {Operand::Kind::immediate, false, Operand::symbol, *place};
    }
    const auto known = declarations_.address(word);
    if (!known) {
      cursor_.fail(fmt::format("a name that is declared before \"{}\"", word));
    }
    if (declarations_.is_dynamic(word)) {
      dynamic_uses_.push_back(program_.operands.size());
    }
    return {Operand::Kind::immediate, false, Operand::symbol, *known};
  }

  Cursor cursor_;
  std::string_view wanted_;
  Program program_;
  Declarations declarations_{cursor_, program_};
  RegisterScopes scopes_;
  std::vector<std::size_t> dynamic_uses_;  // operands that name dynamic shared memory
  std::unordered_map<std::string_view, int> names_;
  std::vector<Instruction> prototypes_;
  SourceLine source_;
  Functions functions_;
  std::size_t calls_ = 0;              // that a body stands in place of
  std::vector<Frame> frames_;          // the innermost last
  bool names_call_parameter_ = false;  // an operand of the instruction that is read
  bool has_grid_workspace_ = false;
  int own_file_ = -1;                         // of the kernel
  std::map<SourceLine, SourceLine> callers_;  // of lines that are inlined, the last one met
};

}  // namespace

Program parse_ptx(std::string_view ptx, std::string_view entry, std::vector<MachineBlock> machine_code) {
  constexpr std::size_t most = 64 << 20;
  if (ptx.size() > most) {
    throw Error(fmt::format("The PTX has {} bytes; at most {} are read.", ptx.size(), most));
  }
  Program program = Parser(ptx, entry).parse();
  analyse(program);
  program.machine_code = std::move(machine_code);
  return program;
}

}  // namespace rooftile::ptx
