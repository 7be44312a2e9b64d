#include "analysis/ptx/run/memory.hpp"

#include <algorithm>

#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::ptx {
namespace {

constexpr std::uint64_t word_bytes = 8;

std::uint64_t bytes_at(const std::string& data, std::uint64_t offset, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes && offset + static_cast<std::uint64_t>(i) < data.size(); ++i) {
    value |= std::uint64_t{static_cast<std::uint8_t>(data[offset + static_cast<std::uint64_t>(i)])} << (8 * i);
  }
  return value;
}

}  // namespace

bool is_shared_with_others(const Program& program, const ProgramLaunch& launch) {
  return launch.launch.cluster.count() > 1 ||
         std::ranges::any_of(program.instructions, [](const Instruction& x) { return x.op == Op::cp_bulk; });
}

// A symbol of C++ holds the variable's own name.
Memory::Memory(const Program& program, const ProgramLaunch& launch)
    : program_(program), launch_(launch), is_stored_to_(launch.buffers.size()) {
  for (const Variable& variable : program.variables) {
    auto& contents = contents_.emplace_back();
    for (const FilledVariable& filled : launch.variables) {
      if (base_name(filled.name) == base_name(variable.name)) {
        contents = {filled.element_bytes,
                    filled.elements(variable.bytes / static_cast<std::uint64_t>(filled.element_bytes))};
      }
    }
  }
}

const DeviceBuffer* Memory::buffer(std::uint64_t address) const {
  const std::uint64_t index = index_of(address);
  return index < launch_.buffers.size() ? &launch_.buffers[index] : nullptr;
}

bool Memory::may_be_stored(std::uint64_t address) const {
  const std::uint64_t index = index_of(address);
  return index < is_stored_to_.size() ? is_stored_to_[index] : !stored_.empty();
}

bool Memory::holds(std::uint64_t address, int bytes) const {
  const auto within = [&](std::uint64_t begin, std::uint64_t size) {
    return address >= begin && address - begin + static_cast<std::uint64_t>(bytes) <= size;
  };
  if (const DeviceBuffer* found = buffer(address)) {
    return address % window_bytes + static_cast<std::uint64_t>(bytes) <= found->bytes;
  }
  return std::ranges::any_of(
      program_.variables, [&](const Variable& variable) { return within(variable.address, variable.bytes); });
}

std::uint64_t Memory::parameter(std::uint64_t offset, int bytes) const {
  return bytes_at(launch_.arguments, offset, bytes);
}

std::optional<std::uint8_t> Memory::byte(std::uint64_t address) const {
  const auto word = may_be_stored(address) ? stored_.find(address / word_bytes) : stored_.end();
  if (word != stored_.end() && (word->second.stored >> address % word_bytes & 1) != 0) {
    return static_cast<std::uint8_t>(word->second.bits >> (8 * (address % word_bytes)));
  }
  if (address >= param_window && address - param_window < launch_.arguments.size()) {
    return static_cast<std::uint8_t>(launch_.arguments[address - param_window]);
  }
  if (const DeviceBuffer* found = buffer(address); found && found->element) {
    const std::uint64_t offset = address % window_bytes,
                        size = static_cast<std::uint64_t>(found->element_bytes);
    return static_cast<std::uint8_t>(found->element(offset / size) >> (8 * (offset % size)));
  }
  return byte_of_variable(address);
}

std::optional<std::uint8_t> Memory::byte_of_variable(std::uint64_t address) const {
  const auto variable = std::ranges::find_if(program_.variables, [&](const Variable& each) {
    return address >= each.address && address - each.address < each.bytes;
  });
  if (variable == program_.variables.end()) {
    return std::nullopt;
  }
  const std::uint64_t offset = address - variable->address;
  const auto& contents = contents_[static_cast<std::size_t>(variable - program_.variables.begin())];
  if (!contents) {
    return static_cast<std::uint8_t>(bytes_at(variable->data, offset, 1));
  }
  const auto size = static_cast<std::uint64_t>(contents->element_bytes);
  return contents->element ? std::optional(static_cast<std::uint8_t>(contents->element(offset / size) >>
                                                                     (8 * (offset % size))))
                           : std::nullopt;
}

std::optional<std::uint64_t> Memory::read(std::uint64_t address, int bytes) const {
  if (const DeviceBuffer* found = buffer(address); found && found->element && found->element_bytes == bytes &&
                                                   address % static_cast<std::uint64_t>(bytes) == 0 &&
                                                   !may_be_stored(address)) {
    return found->element(address % window_bytes / static_cast<std::uint64_t>(bytes));
  }
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) {
    const auto one = byte(address + static_cast<std::uint64_t>(i));
    if (!one) {
      return std::nullopt;
    }
    value |= std::uint64_t{*one} << (8 * i);
  }
  return value;
}

void Memory::write(std::uint64_t address, int bytes, std::uint64_t value) {
  constexpr std::size_t most_words = 4'000'000;
  if (stored_.size() > most_words) {
    throw Error(
        "The blocks that were looked at store more than 32 MB that may decide an address: that is not "
        "followed.");
  }
  for (int i = 0; i < bytes; ++i) {
    const std::uint64_t at = address + static_cast<std::uint64_t>(i);
    const int shift = static_cast<int>(8 * (at % word_bytes));
    Word& word = stored_[at / word_bytes];
    word.bits = (word.bits & ~(std::uint64_t{0xff} << shift)) | (value >> (8 * i) & 0xff) << shift;
    word.stored |= static_cast<std::uint8_t>(1U << at % word_bytes);
  }
  if (const std::uint64_t index = index_of(address); index < is_stored_to_.size()) {
    is_stored_to_[index] = true;
  }
}

}  // namespace rooftile::ptx
