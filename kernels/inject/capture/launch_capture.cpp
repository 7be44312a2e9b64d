#include "kernels/inject/capture/launch_capture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "analysis/exchange/npy.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/record/program/program_points.hpp"
#include "analysis/text/format.hpp"
#include "kernels/inject/loaded_code.hpp"
#include "kernels/worker/cubin/cubin.hpp"
#include "kernels/worker/cubin/line_table.hpp"

namespace rooftile::inject {
namespace {

using State = Facility::State;

constexpr const char* capture_facility = "capture";
constexpr std::size_t piece_bytes = 16 << 20;

std::string size_text(std::uint64_t bytes) {
  return text(Bytes{static_cast<double>(bytes)});
}

// The addresses of user space; most numbers of a program are none of them.
bool may_be_address(CUdeviceptr word) {
  return word >> 32 != 0 && word >> 48 == 0;
}

}  // namespace

LaunchCapture::LaunchCapture(const worker::Driver& driver, std::filesystem::path place, std::uint64_t limit)
    : driver_(&driver), place_(std::move(place)), limit_(limit), memory_(driver) {}

Facility LaunchCapture::facility(bool in_graphs) const {
  if (!is_open()) {
    return state_;
  }
  if (in_graphs) {
    return {capture_facility, State::missing,
            "The kernel to capture was launched by CUDA graphs alone, which run without a stop between their "
            "kernels.",
            "Let the program launch it once without a graph.", ""};
  }
  return {capture_facility, State::missing, "No launch of the kernel to capture was seen, so none is captured.",
          "rooftile-cli profile -- PROGRAM lists the kernels.", ""};
}

void LaunchCapture::fail(const std::string& why) {
  state_ = {capture_facility, State::failed, fmt::format("{} is not captured: {}", launch_.name, why), "", ""};
  folder_.reset();
  cubins_.stop();
}

bool LaunchCapture::begin(const LaunchKey& key, const std::string& kernel, const LaunchCall& call,
                          ComputeCapability cc) {
  launch_.symbol = key.symbol;
  constexpr std::size_t longest_in_a_list = 28;
  launch_.name = kernel;
  launch_.short_name = short_kernel_name(kernel, longest_in_a_list);
  launch_.cc = cc;
  try {
    driver_->check(driver_->cuCtxSynchronize(), "cuCtxSynchronize");
    read(key, call);
    return true;
  } catch (const std::exception& error) {
    fail(error.what());
    return false;
  }
}

void LaunchCapture::read(const LaunchKey& key, const LaunchCall& call) {
  launch_.launch = {key.grid,        key.block, key.dynamic_shared_bytes, call.cluster, call.carveout_percent,
                    call.cooperative};
  const CUmodule module = load_code(*driver_, call.function);
  if (int carveout = -1;
      !call.carveout_percent &&
      driver_->cuFuncGetAttribute(&carveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                  call.function) == CUDA_SUCCESS &&
      carveout >= 0 && carveout <= 100) {
    launch_.launch.carveout_percent = carveout;
  }
  const std::optional<std::string> cubin = cubins_.with_kernel(key.symbol);
  if (!cubin) {
    throw Error("CUPTI did not hand over its compiled code.");
  }
  read_parameters(*cubin, call);
  expect_within_limit();
  folder_ = std::make_unique<platform::PrivateFolder>(place_);
  write_before(*cubin, module);
}

void LaunchCapture::read_parameters(const std::string& cubin, const LaunchCall& call) {
  const auto parameters = worker::parameters_of(cubin, launch_.symbol).value();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto offset = static_cast<std::size_t>(parameters[i].offset);
    const auto bytes = static_cast<std::size_t>(parameters[i].bytes);
    if (call.parameters == nullptr && offset + bytes > call.packed.size()) {
      throw Error(fmt::format("the program hands over {} B of parameters; it takes more.", call.packed.size()));
    }
    const char* const at =
        call.parameters != nullptr ? static_cast<const char*>(call.parameters[i]) : call.packed.data() + offset;
    launch_.parameters.push_back(memory_.read(std::string(at, bytes)));
    note_textures(i);
  }
  constexpr std::size_t most_buffers = 64;  // of a kernel.toml
  if (memory_.allocations().size() > most_buffers) {
    throw Error(fmt::format("its parameters reach {} allocations; at most {} are captured.",
                            memory_.allocations().size(), most_buffers));
  }
}

// A number that happens to be the handle of one is told of, too.
void LaunchCapture::note_textures(std::size_t parameter) {
  const std::string& bytes = launch_.parameters[parameter].bytes;
  CUDA_RESOURCE_DESC description;
  CUtexObject word = 0;
  for (std::size_t at = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (driver_->cuTexObjectGetResourceDesc(&description, word) == CUDA_SUCCESS ||
        driver_->cuSurfObjectGetResourceDesc(&description, word) == CUDA_SUCCESS) {
      launch_.remarks.push_back(fmt::format(
          "Parameter {} holds a texture or a surface of the program at byte {}: if the kernel uses it, a "
          "replay fails.",
          parameter, at));
    }
  }
}

void LaunchCapture::expect_within_limit() const {
  if (memory_.bytes() <= limit_) {
    return;
  }
  const auto largest = std::ranges::max_element(memory_.allocations(), {}, &Allocation::bytes);
  throw Error(fmt::format(
      "its parameters reach {} in {} allocations, the largest of {}, and --capture-limit is {}.",
      size_text(memory_.bytes()), memory_.allocations().size(), size_text(largest->bytes), size_text(limit_)));
}

void LaunchCapture::each_piece(const Allocation& memory, const auto& call) const {
  std::string piece(std::min<std::uint64_t>(piece_bytes, memory.bytes), '\0');
  for (std::uint64_t at = 0; at < memory.bytes; at += piece.size()) {
    piece.resize(std::min<std::uint64_t>(piece.size(), memory.bytes - at));
    driver_->check(driver_->cuMemcpyDtoH(piece.data(), memory.begin + at, piece.size()), "cuMemcpyDtoH");
    call(at, std::string_view(piece));
  }
}

void LaunchCapture::write_before(const std::string& cubin, CUmodule module) {
  platform::NewFile(folder_->path() / captured_code).append(cubin);
  const std::vector<std::string> files = worker::source_files(cubin);
  const auto source = std::ranges::find_if(files, [](const std::string& file) {
    return file.ends_with(".cu") &&
           std::ranges::all_of(file, [](char c) { return std::isprint(static_cast<unsigned char>(c)) != 0; });
  });
  launch_.source = source != files.end() ? *source : "";
  for (std::size_t i = 0; i < memory_.allocations().size(); ++i) {
    const Allocation& memory = memory_.allocations()[i];
    platform::NewFile file(folder_->path() / contents_before(i));
    file.append(npy_header(memory.bytes));
    each_piece(memory, [&](std::uint64_t at, std::string_view piece) {
      file.append(piece);
      note_addresses(i, at, piece);
    });
  }
  write_globals(cubin, module);
}

// Constants and variables hold what the program has put there.
void LaunchCapture::write_globals(const std::string& cubin, CUmodule module) {
  const std::vector<worker::CubinVariable> variables = worker::variables_in(cubin);
  if (module == nullptr && !variables.empty()) {
    launch_.remarks.emplace_back(
        "The variables of its module begin as the code has them: the driver does not tell where they are.");
    return;
  }
  for (const worker::CubinVariable& variable : variables) {
    Allocation memory;
    std::size_t bytes = 0;
    if (driver_->cuModuleGetGlobal(&memory.begin, &bytes, module, variable.symbol.c_str()) != CUDA_SUCCESS) {
      continue;
    }
    memory.bytes = bytes;
    platform::NewFile file(folder_->path() / contents_of_global(launch_.globals.size()));
    file.append(npy_header(bytes));
    each_piece(memory, [&](std::uint64_t, std::string_view piece) { file.append(piece); });
    launch_.globals.push_back(variable.name);
  }
}

// An address within a buffer is not turned into one of the replay. Each buffer is told of once.
void LaunchCapture::note_addresses(std::size_t buffer, std::uint64_t at, std::string_view piece) {
  constexpr std::size_t most_words = 1 << 16;  // the driver takes some 0.2 us for one
  const std::string told = fmt::format("b{} holds", buffer);
  const auto is_told = [&] { return !launch_.remarks.empty() && launch_.remarks.back().starts_with(told); };
  CUdeviceptr word = 0;
  for (std::size_t i = 0; i + sizeof word <= piece.size() && words_asked_about_ < most_words && !is_told();
       i += sizeof word) {
    std::memcpy(&word, piece.data() + i, sizeof word);
    if (may_be_address(word) && (++words_asked_about_, memory_.is_address(word))) {
      launch_.remarks.push_back(fmt::format(
          "{} an address of the program's memory at byte {}: if the kernel follows it, a replay fails.", told,
          at + i));
    }
  }
}

// True if the launch has changed the buffer.
bool LaunchCapture::write_after(std::size_t buffer) const {
  const Allocation& memory = memory_.allocations()[buffer];
  const std::filesystem::path place = folder_->path() / contents_after(buffer);
  std::ifstream before(folder_->path() / contents_before(buffer), std::ios::binary);
  const std::string header = npy_header(memory.bytes);
  before.seekg(static_cast<std::streamoff>(header.size()));
  platform::NewFile file(place);
  file.append(header);
  bool differs = false;
  std::string old;
  each_piece(memory, [&](std::uint64_t, std::string_view piece) {
    old.resize(piece.size());
    before.read(old.data(), static_cast<std::streamsize>(old.size()));
    differs = differs || old != piece;
    file.append(piece);
  });
  if (!differs) {
    std::filesystem::remove(place);
  }
  return differs;
}

void LaunchCapture::write_after() {
  for (std::size_t i = 0; i < memory_.allocations().size(); ++i) {
    launch_.buffers.push_back({memory_.allocations()[i].bytes, write_after(i)});
  }
  platform::NewFile(folder_->path() / "kernel.toml").append(captured_manifest(launch_));
}

void LaunchCapture::end(bool launched) {
  try {
    if (!launched) {
      throw Error("the driver refused the launch.");
    }
    driver_->check(driver_->cuCtxSynchronize(), "cuCtxSynchronize");
    write_after();
    platform::rename_new(folder_->path(), place_);
    state_ = {capture_facility, State::ready, fmt::format("{} is captured.", launch_.name), "",
              fmt::format("{}", fmt::join(launch_.remarks, "\n"))};
    cubins_.stop();
  } catch (const platform::NameTaken&) {
    fail("another process of the program has captured a launch.");
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

}  // namespace rooftile::inject
