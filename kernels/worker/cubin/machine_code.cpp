#include "kernels/worker/cubin/machine_code.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "kernels/worker/cubin/elf.hpp"
#include "kernels/worker/cubin/line_table.hpp"

namespace rooftile::worker {
namespace {

constexpr std::uint64_t instruction_bytes = 16;

struct Word {
  std::uint64_t low = 0, high = 0;
  // An opcode has 9 bits; the three above tell which of its inputs are registers, constants or of constant
  // memory. NVIDIA does not document the numbers: all but those of generic accesses (ld, st, atom) were
  // seen in words that NVRTC makes of known PTX, for 8.0, 9.0 and 12.0.
  std::uint64_t opcode() const { return low & 0x1ff; }
  // A bit for each of six scoreboards: those that must be free before it is issued, and the one that it holds
  // until its result is there. Source: Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
  // Microbenchmarking" (arXiv 1804.06826), 2.1; that it holds up to 12.0 is tested.
  std::uint64_t awaited() const { return high >> 52 & 0x3f; }
  std::uint64_t held() const {
    constexpr std::uint64_t none = 7;
    const std::uint64_t number = high >> 46 & 7;
    return number == none ? 0 : std::uint64_t{1} << number;
  }
};

enum Opcode : std::uint64_t {
  fmul = 0x20,
  fadd = 0x21,
  ffma = 0x23,
  dmul = 0x28,
  dadd = 0x29,
  dfma = 0x2b,
  ldsm = 0x3b,
  stsm = 0x44,
  nop = 0x118,
  bar = 0x11d,
  call = 0x144,
  bra = 0x147,
  brx = 0x149,
  exit_ = 0x14d,
  ret = 0x150,
  ld = 0x180,
  ldg = 0x181,
  ldl = 0x183,
  lds = 0x184,
  st = 0x185,
  stg = 0x186,
  stl = 0x187,
  sts = 0x188,
  shfl = 0x189,
  atom = 0x18a,
  atoms = 0x18c,
  atoms_cas = 0x18d,
  red = 0x18e,
  atomg_float = 0x1a3,  // of floats since 9.0
  red_float = 0x1a6,
  atomg = 0x1a8,
  atomg_cas = 0x1a9,
  ldgsts = 0x1ae
};

bool is_kept(const Word& word) {
  constexpr std::array all = {fmul, fadd,  ffma,      dmul, dadd,      dfma,  ldsm,        stsm,      bar,
                              ld,   ldg,   ldl,       lds,  st,        stg,   stl,         sts,       shfl,
                              atom, atoms, atoms_cas, red,  red_float, atomg, atomg_float, atomg_cas, ldgsts};
  return std::ranges::find(all, word.opcode()) != all.end();
}

bool loads_global(const Word& word) {
  constexpr std::array all = {ld, ldg, atom, atomg, atomg_float, atomg_cas};
  return std::ranges::find(all, word.opcode()) != all.end();
}

bool ends_block(const Word& word) {
  return word.opcode() == bra || word.opcode() == brx || word.opcode() == exit_ || word.opcode() == ret;
}

// 48 bits from bit 34 on, of words of 4 bytes behind the instruction; since 9.0 eight lower ones from bit 16
// on.
std::uint64_t target_of(const Word& word, std::uint64_t address, ComputeCapability cc) {
  const std::uint64_t bits = word.low >> 34 | (word.high & 0x3ffff) << 30;
  const std::uint64_t distance = bits | ((bits >> 47 & 1) != 0 ? ~std::uint64_t{0} << 48 : 0);
  return address + instruction_bytes +
         (cc.major >= 9 ? (distance << 8 | (word.low >> 16 & 0xff)) : distance) * 4;
}

class Cutter {
 public:
  Cutter(std::string_view cubin, std::size_t section, ComputeCapability cc)
      : code_(content(cubin, section_header(cubin, section))),
        rows_(line_rows(cubin, ".nv_debug_line_sass", section)),
        cc_(cc) {
    find_functions(cubin, section);
  }

  std::vector<MachineBlock> blocks() {
    if (rows_.empty()) {
      return {};
    }
    find_leaders();
    cut();
    return cut();  // now it is known which loads are under way where a loop begins again
  }

 private:
  std::vector<MachineBlock> cut() {
    std::vector<MachineBlock> all;
    std::map<std::uint64_t, int> numbers;
    loading_ = 0;
    std::vector<std::uint64_t> targets;
    for (std::uint64_t at = 0; at < code_.size();) {
      numbers.emplace(at, static_cast<int>(all.size()));
      targets.push_back(code_.size());
      all.push_back(block(at, targets.back()));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto target = numbers.find(targets[i]);
      all[i].target = target != numbers.end() ? target->second : -1;
    }
    return all;
  }

  Word word_at(std::uint64_t address) const { return read<Word>(code_, address); }

  // A function that ptxas brings itself, as of a division: its lines tell nothing, that of its call does.
  struct Function {
    std::uint64_t end = 0;
    bool is_left_out = false;
    std::optional<int> call = {};
  };

  void find_functions(std::string_view cubin, std::size_t section) {
    const SymbolTable symbols(cubin);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Elf64_Sym symbol = symbols.at(i);
      const std::string_view name = symbols.name(i);
      if (symbol.st_shndx == section && name.starts_with("$__internal_")) {
        functions_[symbol.st_value] = {symbol.st_value + symbol.st_size,
                                       name.find("slowpath") != std::string_view::npos};
      }
    }
  }
  Function* function_at(std::uint64_t address) {
    auto after = functions_.upper_bound(address);
    return after != functions_.begin() && address < (--after)->second.end ? &after->second : nullptr;
  }
  bool is_left_out(std::uint64_t address) {
    const Function* function = function_at(address);
    return function && function->is_left_out;
  }

  void find_leaders() {
    for (std::uint64_t at = 0; at < code_.size(); at += instruction_bytes) {
      const Word word = word_at(at);
      if (ends_block(word)) {
        leaders_.insert(at + instruction_bytes);
      }
      if (word.opcode() == bra) {
        leaders_.insert(target_of(word, at, cc_));
      }
      Function* called = word.opcode() == call ? function_at(target_of(word, at, cc_)) : nullptr;
      if (called && !called->call) {
        called->call = line_at(at);
      }
    }
  }

  // Code ends with a branch to itself and with filling, which no warp reaches.
  MachineBlock block(std::uint64_t& at, std::uint64_t& target) {
    MachineBlock made;
    bool leads_to_slow_path = false;
    loading_ |= loading_at_[at];
    for (bool first = true; at < code_.size() && (first || !leaders_.contains(at)); first = false) {
      const Word word = word_at(at);
      const bool is_filling = word.opcode() == nop || (word.opcode() == bra && target_of(word, at, cc_) == at);
      const std::optional<int> line = is_filling || is_left_out(at) ? std::nullopt : line_at(at);
      if (line) {
        made.lines.push_back(*line);
      }
      if (line && is_kept(word)) {
        made.kept.push_back(*line);
      }
      made.waits += line ? waits(word) : 0;
      if (line && word.opcode() == bra) {
        target = target_of(word, at, cc_);
        loading_at_[target] |= loading_;
      }
      leads_to_slow_path =
          leads_to_slow_path || (word.opcode() == call && is_left_out(target_of(word, at, cc_)));
      at += instruction_bytes;
    }
    return leads_to_slow_path ? MachineBlock{} : made;
  }

  // All loads that are under way arrive at about the same time.
  bool waits(const Word& word) {
    const bool met = (word.awaited() & loading_) != 0;
    loading_ = (met ? 0 : loading_) | (loads_global(word) ? word.held() : 0);
    return met;
  }

  std::optional<int> line_at(std::uint64_t address) {
    if (const Function* function = function_at(address)) {
      return function->call;
    }
    const auto next = std::ranges::upper_bound(rows_, address, {}, &LineRow::address);
    return next != rows_.begin() ? std::optional(std::prev(next)->line) : std::nullopt;
  }

  std::string_view code_;
  std::vector<LineRow> rows_;
  ComputeCapability cc_;
  std::set<std::uint64_t> leaders_;                    // addresses at which a block begins
  std::map<std::uint64_t, Function> functions_;        // by their first address
  std::uint64_t loading_ = 0;                          // scoreboards that loads hold
  std::map<std::uint64_t, std::uint64_t> loading_at_;  // the same where a branch leads to, by address
};

}  // namespace

std::vector<MachineBlock> machine_code(std::string_view cubin, const std::string& symbol,
                                       ComputeCapability cc) {
  const std::string wanted = ".text." + symbol;
  for (std::size_t i = 0; cc.major >= 7 && i < section_count(cubin); ++i) {
    if (section_name(cubin, i) == wanted) {
      return Cutter(cubin, i, cc).blocks();
    }
  }
  return {};
}

}  // namespace rooftile::worker
