#include "analysis/ptx/program/ptx_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "analysis/ptx/program/instruction_name.hpp"
#include "analysis/ptx/program/program_analysis.hpp"
#include "analysis/ptx/program/ptx_cursor.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::int64_t most_registers = 1'000'000, most_bytes = std::int64_t{1} << 40,
                       most_instructions = 1'000'000;
constexpr std::int64_t most_data = 1 << 20;  // that a variable begins with

const std::unordered_map<std::string_view, Special>& specials() {
  static const std::unordered_map<std::string_view, Special> all = [] {
    std::unordered_map<std::string_view, Special> names = {{"%laneid", Special::laneid},
                                                           {"%warpid", Special::warpid},
                                                           {"%nwarpid", Special::nwarpid},
                                                           {"%lanemask_eq", Special::lanemask_eq},
                                                           {"%lanemask_le", Special::lanemask_le},
                                                           {"%lanemask_lt", Special::lanemask_lt},
                                                           {"%lanemask_ge", Special::lanemask_ge},
                                                           {"%lanemask_gt", Special::lanemask_gt},
                                                           {"%cluster_ctarank", Special::cluster_ctarank},
                                                           {"%cluster_nctarank", Special::cluster_nctarank},
                                                           {"%dynamic_smem_size", Special::dynamic_smem_size}};
    for (const auto* name :
         {"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%smid",
          "%nsmid", "%gridid", "%is_explicit_cluster", "%total_smem_size", "%aggr_smem_size"}) {
      names[name] = Special::zero;
    }
    constexpr std::pair<const char*, Special> of_axes[] = {{"%tid", Special::tid_x},
                                                           {"%ntid", Special::ntid_x},
                                                           {"%ctaid", Special::ctaid_x},
                                                           {"%nctaid", Special::nctaid_x},
                                                           {"%cluster_ctaid", Special::cluster_ctaid_x},
                                                           {"%cluster_nctaid", Special::cluster_nctaid_x},
                                                           {"%clusterid", Special::clusterid_x},
                                                           {"%nclusterid", Special::nclusterid_x}};
    static std::vector<std::string> texts;
    texts.reserve(3 * std::size(of_axes));
    for (const auto& [name, first] : of_axes) {
      for (int axis = 0; axis < 3; ++axis) {
        texts.push_back(fmt::format("{}.{}", name, "xyz"[axis]));
        names[texts.back()] = static_cast<Special>(static_cast<int>(first) + axis);
      }
    }
    return names;
  }();
  return all;
}

// A register, or as many as stand in angle brackets behind the name that they share.
struct Registers {
  std::string_view name;
  std::int64_t first = 0, count = 0;  // count 0: one of exactly this name
};

// Braces enclose registers and labels of their own.
struct Scope {
  std::vector<Registers> registers;
  std::unordered_map<std::string_view, std::int32_t> labels;
  std::vector<std::pair<std::int32_t, std::string_view>> branches;  // whose labels are not known yet
};

struct Declaration {
  std::string_view name;
  std::int64_t bytes = 0;
  int alignment = 1;
  bool dynamic = false;  // its size stands in the launch
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view entry) : cursor_(text), wanted_(entry) {}

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
      parse_variables(word);
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
      meant ? parse_parameters() : cursor_.skip_to(')');
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

  void parse_parameters() {
    while (!cursor_.take(')')) {
      if (cursor_.word() != ".param") {
        cursor_.fail("a parameter");
      }
      const Declaration declared = declaration();
      int& end = program_.parameter_bytes;
      end = (end + declared.alignment - 1) / declared.alignment * declared.alignment;
      program_.parameters.push_back({std::string(declared.name), end, static_cast<int>(declared.bytes)});
      symbols_[declared.name] = static_cast<std::uint64_t>(end);
      end += static_cast<int>(declared.bytes);
      if (end > 1 << 16) {
        cursor_.fail("at most 64 KiB of parameters");
      }
      cursor_.take(',');
    }
  }

  // ".align 16 .b8 name[4][8]", behind the word for its space.
  Declaration declaration() {
    Declaration declared;
    Type type;
    bool of_what_it_points_to = false;
    std::string_view word;
    while ((word = cursor_.word()).starts_with('.')) {
      if (word == ".align") {
        const auto alignment = static_cast<int>(std::clamp<std::int64_t>(cursor_.whole(), 1, 1 << 16));
        declared.alignment = of_what_it_points_to ? declared.alignment : alignment;
      }
      of_what_it_points_to = of_what_it_points_to || word == ".ptr";
      type = type_named(word.substr(1)).value_or(type);
    }
    if (word.empty()) {
      cursor_.fail("a name");
    }
    declared.name = word;
    declared.bytes = type.bytes;
    declared.alignment = std::max<int>(declared.alignment, type.bytes);
    while (cursor_.take('[')) {
      declared.dynamic = declared.dynamic || cursor_.peek() == ']';
      const std::int64_t count = declared.dynamic ? 0 : cursor_.whole();
      if (count < 0 || (count > 0 && declared.bytes > most_bytes / count)) {
        cursor_.fail("a smaller array");
      }
      declared.bytes *= count;
      cursor_.expect(']');
    }
    element_ = type;
    return declared;
  }

  void parse_variables(std::string_view space) {
    do {
      const Declaration declared = declaration();
      if (space == ".shared") {
        declare_shared(declared);
      } else if (space == ".local") {
        program_.local_bytes = aligned(program_.local_bytes, declared);
        symbols_[declared.name] = static_cast<std::uint64_t>(program_.local_bytes);
        program_.local_bytes = limited(program_.local_bytes + declared.bytes, 1 << 19, "less local memory");
      } else {
        declare_variable(declared);
      }
    } while (cursor_.take(','));
    cursor_.expect(';');
  }

  static int aligned(int end, const Declaration& declared) {
    return (end + declared.alignment - 1) / declared.alignment * declared.alignment;
  }

  int limited(std::int64_t bytes, int most, const char* wanted) {
    if (bytes > most) {
      cursor_.fail(wanted);
    }
    return static_cast<int>(bytes);
  }

  void declare_shared(const Declaration& declared) {
    if (declared.dynamic) {
      dynamic_.push_back(declared.name);
      symbols_[declared.name] = 0;
      return;
    }
    program_.static_shared_bytes = aligned(program_.static_shared_bytes, declared);
    symbols_[declared.name] = static_cast<std::uint64_t>(program_.static_shared_bytes);
    program_.static_shared_bytes =
        limited(program_.static_shared_bytes + declared.bytes, 1 << 20, "less shared memory");
  }

  void declare_variable(const Declaration& declared) {
    Variable variable{
        std::string(declared.name), static_cast<std::uint64_t>(declared.bytes), next_variable_, {}};
    symbols_[declared.name] = next_variable_;
    next_variable_ += (variable.bytes + 511) / 256 * 256;
    if (cursor_.take('=')) {
      const bool list = cursor_.take('{');
      do {
        if (!list || cursor_.peek() != '}') {
          append(variable.data, number_or_zero(), element_.bytes);
        }
      } while (list && cursor_.take(','));
      if (list && !cursor_.take('}')) {
        cursor_.fail("\"}\" of a list of numbers");
      }
    }
    program_.variables.push_back(std::move(variable));
  }

  // Addresses of others among them are taken as zeros.
  std::uint64_t number_or_zero() {
    const bool negative = cursor_.take('-');
    const std::string_view word = cursor_.word();
    if (cursor_.take('(')) {
      cursor_.skip_to(')');
    }
    const auto value = number(word);
    return value ? (negative ? 0 - *value : *value) : 0;
  }

  void append(std::string& data, std::uint64_t value, int bytes) {
    if (static_cast<std::int64_t>(data.size()) >= most_data) {
      cursor_.fail("fewer numbers");
    }
    for (int i = 0; i < bytes; ++i) {
      data.push_back(static_cast<char>(i < 8 ? value >> (8 * i) : 0));
    }
  }

  void parse_body() {
    cursor_.expect('{');
    scopes_.emplace_back();
    while (!scopes_.empty()) {
      parse_statement();
    }
    // The largest alignment that a declaration asks for; all dynamic arrays begin at one place.
    program_.static_shared_bytes = (program_.static_shared_bytes + 15) / 16 * 16;
    for (const auto& [operand, name] : dynamic_uses_) {
      program_.operands[operand].value += static_cast<std::uint64_t>(program_.static_shared_bytes);
    }
    program_.registers = static_cast<int>(next_register_);
  }

  void parse_statement() {
    if (cursor_.take('{')) {
      if (scopes_.size() > 1000) {
        cursor_.fail("fewer braces in braces");
      }
      scopes_.emplace_back();
    } else if (cursor_.take('}')) {
      close_scope();
    } else if (cursor_.take(';')) {
      return;
    } else if (cursor_.take('@')) {
      const bool negated = cursor_.take('!');
      const auto guard = static_cast<std::int32_t>(register_named(cursor_.word()));
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
      scopes_.back().labels[word] = static_cast<std::int32_t>(program_.instructions.size());
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
      word == ".param" ? parse_call_parameter() : parse_variables(word);
    } else if (word == ".file") {
      parse_file();
    } else {
      cursor_.skip_to(';');  // .pragma, .branchtargets, .callprototype
    }
  }

  void parse_call_parameter() {
    symbols_[declaration().name] = 0;
    cursor_.expect(';');
  }

  // Line 0 is no line: what the compiler made itself belongs to the line before.
  void parse_line() {
    const std::int64_t file = cursor_.whole(), line = cursor_.whole();
    cursor_.rest_of_line();
    if (line > 0 && line < 1 << 30 && file >= 0 && file < 10'000) {
      source_ = {static_cast<int>(file), static_cast<int>(line)};
    }
  }

  void declare_registers() {
    while (cursor_.peek() == '.') {
      cursor_.word();
    }
    do {
      Registers declared{cursor_.word(), next_register_, 0};
      if (declared.name.empty()) {
        cursor_.fail("the name of a register");
      }
      if (cursor_.take('<')) {
        declared.count = cursor_.whole();
        cursor_.expect('>');
      }
      next_register_ += std::max<std::int64_t>(declared.count, 1);
      if (declared.count < 0 || declared.count > most_registers || next_register_ > most_registers) {
        cursor_.fail("fewer registers");
      }
      scopes_.back().registers.push_back(declared);
    } while (cursor_.take(','));
    cursor_.expect(';');
  }

  std::optional<std::int64_t> find_register(std::string_view name) const {
    const std::size_t stem = name.find_last_not_of("0123456789") + 1;
    std::int64_t number = 0;
    std::from_chars(name.data() + stem, name.data() + name.size(), number);
    const bool numbered = stem < name.size();
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      for (const Registers& declared : scope->registers) {
        if (declared.count == 0
                ? declared.name == name
                : numbered && number < declared.count && declared.name == name.substr(0, stem)) {
          return declared.first + number * (declared.count > 0 ? 1 : 0);
        }
      }
    }
    return std::nullopt;
  }

  std::int64_t register_named(std::string_view name) {
    const auto found = find_register(name);
    if (!found) {
      cursor_.fail(fmt::format("a register that is declared before \"{}\"", name));
    }
    return *found;
  }

  void close_scope() {
    Scope closed = std::move(scopes_.back());
    scopes_.pop_back();
    for (const auto& [instruction, label] : closed.branches) {
      if (const auto found = closed.labels.find(label); found != closed.labels.end()) {
        program_.instructions[instruction].target = found->second;
      } else if (!scopes_.empty()) {
        scopes_.back().branches.emplace_back(instruction, label);
      } else {
        throw Error(fmt::format("Line {} of the PTX: there is no label {}.",
                                program_.instructions[instruction].text_line, label));
      }
    }
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
    if (instruction.op == Op::bra) {
      scopes_.back().branches.emplace_back(static_cast<std::int32_t>(program_.instructions.size()),
                                           cursor_.word());
      cursor_.expect(';');
    } else if (instruction.op == Op::call) {
      parse_call(instruction);
    } else if (instruction.op == Op::brx) {
      cursor_.skip_to(';');
    } else {
      parse_operands(instruction, name);
    }
    program_.instructions.push_back(instruction);
  }

  // A failed assertion ends its lanes, and what is printed decides nothing. Other calls are not followed.
  void parse_call(Instruction& instruction) {
    if (cursor_.take('(')) {
      cursor_.skip_to(')');
      cursor_.take(',');
    }
    const std::string_view callee = cursor_.word();
    instruction.op = callee == "__assertfail" ? Op::exit : callee == "vprintf" ? Op::other : Op::call;
    cursor_.skip_to(';');
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
    while (cursor_.peek() == '+' || cursor_.peek() == '-') {
      const bool plus = cursor_.take('+');
      const bool minus = cursor_.take('-');
      const auto offset = number(cursor_.word());
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
    if (const auto special = specials().find(word); special != specials().end()) {
      return {Operand::Kind::special, false, static_cast<std::int32_t>(special->second), 0};
    }
    if (const auto reg = find_register(word)) {
      return {Operand::Kind::reg, false, static_cast<std::int32_t>(*reg), 0};
    }
    if (const auto value = number(word, type)) {
      return {Operand::Kind::immediate, false, -1, *value};
    }
    return symbol(word);
  }

  Operand symbol(std::string_view word) {
    const auto known = symbols_.find(word);
    if (known == symbols_.end()) {
      cursor_.fail(fmt::format("a name that is declared before \"{}\"", word));
    }
    if (std::ranges::find(dynamic_, word) != dynamic_.end()) {
      dynamic_uses_.emplace_back(program_.operands.size(), word);
    }
    return {Operand::Kind::immediate, false, -1, known->second};
  }

  // 12, 0x1F, 0f3F800000, 0d..., WARP_SZ; 1.5 as the type has it.
  static std::optional<std::uint64_t> number(std::string_view word, Type type = {}) {
    if (word == "WARP_SZ") {
      return 32;
    }
    if (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) == 0) {
      return std::nullopt;
    }
    if (word.ends_with('U')) {
      word.remove_suffix(1);
    }
    const char letter = word.size() > 2 && word[0] == '0' ? static_cast<char>(std::tolower(word[1])) : '0';
    const int base = letter == 'x' || letter == 'f' || letter == 'd' ? 16 : letter == 'b' ? 2 : 10;
    const std::string_view digits = base == 10 ? word : word.substr(2);
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    if (const auto read = std::from_chars(digits.data(), end, value, base);
        read.ec == std::errc{} && read.ptr == end) {
      return value;
    }
    double decimal = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), decimal).ec != std::errc{}) {
      return std::nullopt;
    }
    return type.bytes == 8 ? std::bit_cast<std::uint64_t>(decimal)
                           : std::bit_cast<std::uint32_t>(static_cast<float>(decimal));
  }

  Cursor cursor_;
  std::string_view wanted_;
  Program program_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::uint64_t> symbols_;
  std::vector<std::string_view> dynamic_;  // arrays of shared memory whose size stands in the launch
  std::vector<std::pair<std::size_t, std::string_view>> dynamic_uses_;
  std::unordered_map<std::string_view, int> names_;
  std::vector<Instruction> prototypes_;
  std::int64_t next_register_ = 0;
  std::uint64_t next_variable_ = variable_window;
  Type element_;
  SourceLine source_;
};

}  // namespace

Program parse_ptx(std::string_view ptx, std::string_view entry) {
  constexpr std::size_t most = 64 << 20;
  if (ptx.size() > most) {
    throw Error(fmt::format("The PTX has {} bytes; at most {} are read.", ptx.size(), most));
  }
  Program program = Parser(ptx, entry).parse();
  analyse(program);
  return program;
}

}  // namespace rooftile::ptx
