// One launch line by line: what each line of the kernel's source executed, moved and waited for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analysis/ptx/work/kernel_work.hpp"
#include "analysis/record/point.hpp"

namespace rooftile {

// Sums over all instructions that come from one line. An empty value was not counted on this chip.
struct LineProfile {
  int line = 0;                                                      // from 1; 0: of no line of this source
  std::optional<double> executed;                                    // warp instructions
  std::optional<double> thread_executed;                             // threads switched off left out
  std::optional<double> global_sectors, ideal_global_sectors;        // of 32 B
  std::optional<double> shared_wavefronts, ideal_shared_wavefronts;  // the excess is bank conflicts
  std::map<std::string, double> stalls;                              // samples of warps, by reason
  double samples() const;
  bool operator==(const LineProfile&) const = default;
};

// Lines of the kernel's own file as its compiled code says: computed, not counted.
std::vector<LineProfile> computed_lines(const std::vector<ptx::LineWork>& lines);

// Adds what another instruction or line did; the line number stays.
void add(LineProfile& sum, const LineProfile& more);

// One instruction of the compiled kernel.
struct MachineInstruction {
  std::uint64_t offset = 0;  // [B] from the kernel's first one
  std::string label;         // ".L_x_0:" where others jump to; else empty
  std::string text;          // "FFMA R4, R2, R3, R4"
  LineProfile counts;        // and the line that it comes from
  bool operator==(const MachineInstruction&) const = default;
};

struct SourceProfile {
  std::uint64_t id = 0;  // of the request
  std::string kernel;
  Parameters parameters;  // complete
  Caches caches = Caches::cold;
  std::string gpu;
  std::string file;                              // "transpose_tiled.cu"
  std::string source;                            // its text at that time
  std::vector<LineProfile> lines;                // only those that do something, in order
  std::vector<MachineInstruction> instructions;  // all of them, in order; empty where nothing could tell them
  double dropped_samples = 0;
  int sampling_period = 0;  // [cycles of an SM]
  std::vector<Phase> phases;
  std::vector<std::string> notes;      // what could not be gathered, and why
  std::optional<std::string> failure;  // why nothing could be gathered
  bool operator==(const SourceProfile&) const = default;
};

LineProfile total(const SourceProfile& profile);
// With a point or another profile: of the same kernel, parameters, caches and GPU.
bool same_launch(const SourceProfile& profile, const auto& other) {
  return profile.kernel == other.kernel && profile.parameters == other.parameters &&
         profile.caches == other.caches && profile.gpu == other.gpu;
}

// Profiles of a session, the newest of each launch.
class ProfileList {
 public:
  // Replaces the older one of its launch.
  void add(const SourceProfile& profile);
  // Null for a launch that was not looked at. Valid until the next add.
  const SourceProfile* find(const Point& point) const;

  auto begin() const { return profiles_.begin(); }
  auto end() const { return profiles_.end(); }
  std::size_t size() const { return profiles_.size(); }
  bool empty() const { return profiles_.empty(); }
  const SourceProfile& front() const { return profiles_.front(); }
  bool operator==(const ProfileList&) const = default;

 private:
  using Launch = std::tuple<std::string, Parameters, Caches, std::string>;  // kernel and GPU around
  static Launch launch_of(const auto& it) { return {it.kernel, it.parameters, it.caches, it.gpu}; }

  std::vector<SourceProfile> profiles_;
  std::map<Launch, std::size_t> positions_;
};

// A reason for which warps were seen waiting, as NVIDIA's tools name it: "long_scoreboard".
struct Stall {
  std::string reason;
  double samples = 0;
  bool operator==(const Stall&) const = default;
};
// Largest first, without those of warps that were issuing.
std::vector<Stall> stalls(const LineProfile& line);
// The meaning of a reason: "waiting for global or local memory". The reason itself where it is not known.
std::string meaning(const std::string& reason);

// The cost of a profile beyond the work itself, before it is paid.
struct ProfileCost {
  int launches = 0;
  Seconds about;
};
ProfileCost profile_cost(Seconds launch, const Architecture& chip);
// "3 launches, one of them instrumented: about 0.4 s"
std::string text(const ProfileCost& cost);

}  // namespace rooftile
