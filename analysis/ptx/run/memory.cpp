#include "analysis/ptx/run/memory.hpp"

#include <algorithm>

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

const DeviceBuffer* Memory::buffer(std::uint64_t address) const {
  const std::uint64_t index = address / window_bytes - 1;
  return index < launch_.buffers.size() ? &launch_.buffers[index] : nullptr;
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
  const auto which = which_.find(address / word_bytes);
  if (which != which_.end() && (which->second >> address % word_bytes & 1) != 0) {
    return static_cast<std::uint8_t>(stored_.at(address / word_bytes) >> (8 * (address % word_bytes)));
  }
  if (address >= param_window && address - param_window < launch_.arguments.size()) {
    return static_cast<std::uint8_t>(launch_.arguments[address - param_window]);
  }
  if (const DeviceBuffer* found = buffer(address); found && found->element) {
    const std::uint64_t offset = address % window_bytes,
                        size = static_cast<std::uint64_t>(found->element_bytes);
    return static_cast<std::uint8_t>(found->element(offset / size) >> (8 * (offset % size)));
  }
  const auto variable = std::ranges::find_if(program_.variables, [&](const Variable& each) {
    return address >= each.address && address - each.address < each.bytes;
  });
  return variable == program_.variables.end() ? std::nullopt
                                              : std::optional(static_cast<std::uint8_t>(
                                                    bytes_at(variable->data, address - variable->address, 1)));
}

std::optional<std::uint64_t> Memory::read(std::uint64_t address, int bytes) const {
  if (const DeviceBuffer* found = buffer(address); found && found->element && found->element_bytes == bytes &&
                                                   address % static_cast<std::uint64_t>(bytes) == 0 &&
                                                   which_.empty()) {
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
    std::uint64_t& word = stored_[at / word_bytes];
    word = (word & ~(std::uint64_t{0xff} << shift)) | (value >> (8 * i) & 0xff) << shift;
    which_[at / word_bytes] |= static_cast<std::uint8_t>(1U << at % word_bytes);
  }
}

}  // namespace rooftile::ptx
