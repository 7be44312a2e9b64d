#include "kernels/worker/cubin/line_table.hpp"

#include <algorithm>
#include <map>

#include "kernels/worker/cubin/elf.hpp"

namespace rooftile::worker {
namespace {

// The section that the address at each offset of a table lies in: the cubin leaves it to the loader.
std::map<std::uint64_t, std::size_t> sections_named_by(std::string_view cubin, const std::string& table) {
  const SymbolTable symbols(cubin);
  std::map<std::uint64_t, std::size_t> sections;
  const auto note = [&](const auto& relocation) {
    sections[relocation.r_offset] = symbols.at(ELF64_R_SYM(relocation.r_info)).st_shndx;
  };
  const std::string_view plain = section(cubin, ".rel" + table).value_or(""),
                         with_addend = section(cubin, ".rela" + table).value_or("");
  for (std::size_t at = 0; at + sizeof(Elf64_Rel) <= plain.size(); at += sizeof(Elf64_Rel)) {
    note(read<Elf64_Rel>(plain, at));
  }
  for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= with_addend.size(); at += sizeof(Elf64_Rela)) {
    note(read<Elf64_Rela>(with_addend, at));
  }
  return sections;
}

// The opcodes of a line program, as DWARF names them (DW_LNS_*, DW_LNE_*).
enum Standard : std::uint8_t { extended, copy, advance_pc, advance_line, add_constant = 8, fixed_advance = 9 };
enum Extended : std::uint8_t { end_sequence = 1, set_address = 2 };

// Runs the units of a table one after the other.
class LineProgram {
 public:
  LineProgram(std::string_view table, const std::map<std::uint64_t, std::size_t>& sections, std::size_t wanted)
      : table_(table), sections_(sections), wanted_(wanted) {}

  std::vector<LineRow> rows() {
    while (at_ < table_.size()) {
      run_unit();
    }
    std::ranges::stable_sort(rows_, {}, &LineRow::address);
    return std::move(rows_);
  }

  // The files of the first unit.
  std::vector<std::string> files() {
    read_header();
    at_ += operands_.size();
    std::vector<std::string> folders = {""}, files;
    for (std::string folder = text(); !folder.empty(); folder = text()) {
      folders.push_back(folder + "/");
    }
    for (std::string file = text(); !file.empty(); file = text()) {
      const std::uint64_t folder = unsigned_number();
      unsigned_number();  // when it was saved
      unsigned_number();  // its bytes
      files.push_back(file.front() != '/' && folder < folders.size() ? folders[folder] + file : file);
    }
    return files;
  }

 private:
  struct Unit {
    std::size_t program, end;  // where they begin
  };

  Unit read_header() {
    const std::size_t begin = at_, end = begin + 4 + number<std::uint32_t>();
    const auto version = number<std::uint16_t>();
    const std::size_t program = begin + 10 + number<std::uint32_t>();
    step_bytes_ = number<std::uint8_t>();
    at_ += version >= 4 ? 2 : 1;
    line_base_ = number<std::int8_t>();
    line_range_ = std::max<int>(number<std::uint8_t>(), 1);
    first_special_ = std::max<int>(number<std::uint8_t>(), 1);
    operands_ = part(table_, at_, static_cast<std::size_t>(first_special_) - 1);
    return {program, end};
  }

  void run_unit() {
    const auto [program, end] = read_header();
    at_ = std::max(program, at_);
    restart();
    while (at_ < std::min(end, table_.size())) {
      step();
    }
    at_ = std::max(end, at_);
  }

  void step() {
    const int opcode = number<std::uint8_t>();
    if (opcode >= first_special_) {
      advance(opcode - first_special_);
      line_ += static_cast<std::uint32_t>(line_base_ + (opcode - first_special_) % line_range_);
      add_row();
      return;
    }
    switch (opcode) {
      case extended:
        return step_extended();
      case copy:
        return add_row();
      case advance_pc:
        address_ += unsigned_number() * step_bytes_;
        return;
      case advance_line:
        line_ += static_cast<std::uint32_t>(signed_number());
        return;
      case add_constant:
        return advance(255 - first_special_);
      case fixed_advance:
        address_ += number<std::uint16_t>();
        return;
      default:
        for (int i = 0; i < read<std::uint8_t>(operands_, static_cast<std::size_t>(opcode) - 1); ++i) {
          unsigned_number();
        }
    }
  }

  void step_extended() {
    const std::uint64_t bytes = unsigned_number();
    const std::size_t next = at_ + std::min<std::uint64_t>(bytes, table_.size());
    switch (number<std::uint8_t>()) {
      case end_sequence:
        restart();
        break;
      case set_address: {
        const auto section = sections_.find(at_);
        is_wanted_ = section != sections_.end() && section->second == wanted_;
        address_ = number<std::uint64_t>();
        break;
      }
      default:
        break;
    }
    at_ = std::max(next, at_);
  }

  void advance(int special) { address_ += static_cast<std::uint64_t>(special / line_range_) * step_bytes_; }
  void add_row() {
    if (is_wanted_) {
      rows_.push_back({address_, static_cast<int>(line_)});
    }
  }
  void restart() {
    address_ = 0;
    line_ = 1;
    is_wanted_ = false;
  }

  template <class T>
  T number() {
    const T value = read<T>(table_, at_);
    at_ += sizeof(T);
    return value;
  }

  // The text up to the next zero.
  std::string text() {
    const std::string_view rest = table_.substr(std::min(at_, table_.size()));
    const std::string_view found = rest.substr(0, rest.find('\0'));
    at_ += found.size() + 1;
    return std::string(found);
  }

  // LEB128: seven bits a byte, the lowest first.
  std::uint64_t unsigned_number() {
    std::uint64_t value = 0;
    int shift = 0;
    for (std::uint8_t byte = 0x80; (byte & 0x80) != 0 && at_ < table_.size(); shift = std::min(shift + 7, 70)) {
      byte = number<std::uint8_t>();
      value |= shift < 64 ? std::uint64_t{byte & 0x7fU} << shift : 0;
    }
    bits_ = shift;
    return value;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = unsigned_number();
    const bool is_negative = bits_ > 0 && bits_ < 64 && (value >> (bits_ - 1) & 1) != 0;
    return static_cast<std::int64_t>(is_negative ? value | ~std::uint64_t{0} << bits_ : value);
  }

  std::string_view table_;
  const std::map<std::uint64_t, std::size_t>& sections_;
  std::size_t wanted_, at_ = 0;
  std::uint64_t step_bytes_ = 1, address_ = 0;
  int line_base_ = 0, line_range_ = 1, first_special_ = 1, bits_ = 0;
  std::uint32_t line_ = 1;     // a table may say anything: it wraps
  std::string_view operands_;  // how many numbers follow each standard opcode
  bool is_wanted_ = false;
  std::vector<LineRow> rows_;
};

}  // namespace

std::vector<LineRow> line_rows(std::string_view cubin, const std::string& table, std::size_t code_section) {
  const std::string_view bytes = section(cubin, table).value_or("");
  return LineProgram(bytes, sections_named_by(cubin, table), code_section).rows();
}

std::vector<std::string> source_files(std::string_view cubin) {
  return LineProgram(section(cubin, ".debug_line").value_or(""), {}, 0).files();
}

}  // namespace rooftile::worker
