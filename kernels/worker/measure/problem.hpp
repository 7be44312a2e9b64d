// The buffers of one problem: its inputs, its outputs, and what the outputs should be.
// A dial moves, the problem stays: inputs are made once for each set of sizes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/worker/measure/helper_kernels.hpp"

namespace rooftile::worker {

// A driver call that failed in the launch of the reference.
class ReferenceFault : public DriverError {
 public:
  ReferenceFault(std::string reference, const DriverError& error)
      : DriverError(error.code(), error.what()), reference_(std::move(reference)) {}
  const std::string& reference() const { return reference_; }  // "naive in v1.cu"

 private:
  std::string reference_;
};

// Writes an array of NumPy. Throws Error if it is not there or does not fit the buffer.
void write_array(const DeviceMemory& memory, const std::filesystem::path& file, const Buffer& buffer,
                 std::int64_t count);

class Problem {
 public:
  // Fills the inputs. Throws Error if a file does not fit its buffer.
  Problem(const Device& device, const Compiler& compiler, HelperKernels& helpers, const Manifest& manifest,
          const Parameters& parameters, Room room);

  // Finds what the outputs should be, if the manifest says so: runs the reference kernel or reads the files,
  // unless neither has changed since the last time. Throws Error, or ReferenceFault if the reference's launch
  // fails.
  void expect(const Manifest& manifest, const Parameters& parameters);

  // Two launches with the same identity share their buffers.
  static std::string identity(const Manifest& manifest, const Parameters& parameters);
  const std::string& identity() const { return identity_; }

  Arguments arguments(const Manifest& manifest, const Parameters& parameters) const;
  CUdeviceptr pointer(const std::string& buffer) const { return slot(buffer).memory.pointer(); }
  // Fills the buffers again that are both input and output, so that the next launch finds the same input;
  // queued. Random numbers are drawn again: that is faster than a copy, and leaves nothing else in the caches.
  void restore_inputs() const;
  // Restores the inputs and poisons the outputs; queued.
  void reset_outputs() const;
  // Compares every output with what is expected. Empty if nothing is expected.
  std::optional<Verification> verify(const Manifest& manifest, const Parameters& parameters) const;

 private:
  struct Slot {
    Buffer buffer;
    std::int64_t count = 0, row_length = 0;  // elements
    Filling filling;
    DeviceMemory memory;     // used by launches
    DeviceMemory reference;  // of outputs
    DeviceMemory from_file;  // a file's content, for a buffer that is read and written
  };
  // The origin of the references in the slots: a compiled kernel, its launch and its arguments, or files.
  struct Source {
    std::string contents;
    Launch launch = {};
    std::string arguments = {};
    bool operator==(const Source&) const = default;
  };
  Verification verify(const Slot& slot, const VerifyRule& rule, const Parameters& parameters) const;
  void set_input(const Device& device, Slot& slot) const;
  void read_reference(const Manifest& manifest);
  void run_reference(const Manifest& manifest, const Parameters& parameters);
  void make_reference(Source source, const std::function<void()>& make);
  Arguments arguments(const Manifest& manifest, const std::vector<Argument>& arguments,
                      const Parameters& parameters, bool reference) const;
  void fill(const Slot& slot, const DeviceMemory& memory) const;
  Tolerance tolerance(const Slot& slot, const VerifyRule& rule, const Parameters& parameters) const;
  const Slot& slot(const std::string& name) const;

  std::string identity_;
  const Device* device_;
  const Compiler* compiler_;
  HelperKernels* helpers_;
  std::vector<Slot> slots_;
  std::optional<Source> expected_;  // empty: nothing is
};

}  // namespace rooftile::worker
