// The model of a launch: its shape, its work, its traffic and its bank conflicts, stated by its manifest or
// read from its compiled code (ptx/work/derived_model). It is never measured: it is drawn hollow, and compared
// with the counters afterwards.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/launch.hpp"
#include "analysis/chip/memory_level.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/banks.hpp"
#include "analysis/text/range.hpp"
#include "analysis/text/units.hpp"

namespace rooftile {

struct AccessModel {
  std::string name;
  bool store = false;
  BankPattern pattern;      // of the first warp of a block
  int width_bytes = 4;      // per lane
  double requests = 0;      // warp instructions in the launch
  double wavefronts = 0;    // in the launch
  LaneAddresses addresses;  // of the first warp of a block
};

enum class GlobalAccessKind { load, store, copy };  // copy: to shared memory, past the registers (cp.async)

struct GlobalAccessModel {
  std::string name;
  GlobalAccessKind kind = GlobalAccessKind::load;
  int width_bytes = 4;           // per lane
  LaneAddresses addresses = {};  // of the first warp of a block
  double requests = 0;           // warp instructions in the launch
  double sectors = 0;            // of 32 B that they touch, in the launch
  double lines = 0;              // of 128 B
  double partial_lines = 0;      // with a sector of 32 B that they touch but do not fill
  double cycles = 0;             // of L1's pipe, of all SMs together
};

struct AtomicModel {
  std::string name;
  bool on_other_blocks = false;  // in the shared memory of others of the cluster; else in L2
  double lanes = 0;              // in the launch
  double operations = 0;  // of L2: lanes of one word take turns, those of a sector's other words join them
  double words = 1;       // of 4 bytes, between the first and the last that they mean
  double same = 0;        // 0..1, the share of lanes that mean one word of their warp
};

// Warp instructions of a launch.
struct WarpInstructions {
  double arithmetic = 0;  // on the pipe of the FLOPs
  double others = 0;      // loads, stores, the arithmetic of their addresses, branches
  double count() const { return arithmetic + others; }
};

struct Model {
  Launch launch;
  std::optional<Flops> flops;
  std::string pipe;  // that the FLOPs run on
  double elements = 0;
  Bytes compulsory_dram;
  PerLevel<Bytes> bytes;   // as the counters count them; shared: 128 B x wavefronts
  Bytes between_l2_parts;  // of those at L2: one part of a two-part L2 gives them to the other
  std::vector<AccessModel> accesses;
  std::vector<GlobalAccessModel> global_accesses;
  std::vector<AtomicModel> atomics;
  double rounds = 1;           // of global memory that a warp waits for, one after the other
  double ahead = 0;            // rounds that are under way before their data are needed
  double busiest_warp = 1;     // its instructions, as a multiple of the average
  double block_imbalance = 1;  // instructions of the block that does most, as a multiple of the average
  WarpInstructions instructions;
  std::string origin = "what its kernel.toml states alone";  // of FLOPs, bytes and accesses
  bool states_work = true;     // false: FLOPs and bytes are not known, so there is nothing to predict
  bool is_bound = false;       // not all that it does is known: it takes this time, or longer
  bool dram_is_bound = false;  // it moves the bytes that it must move, or more
  bool by_mma = false;         // its tensor work is issued warp by warp: mma.sync
  bool of_library = false;     // launch and instructions are the library's, and not known

  // Sums over all accesses of the launch, as counters give them; empty where there are none, and sectors where
  // atomics are counted with them.
  std::optional<double> wavefronts() const;           // of shared memory
  std::optional<double> sectors_per_request() const;  // of global memory

  // The bytes that the level above asks for, which its roof limits: the parts of L2 pass bytes to each other
  // beside them. Recorded streams, a third of whose bytes at L2 are such, are as fast as without these.
  std::optional<Bytes> asked_of(MemoryLevel level) const {
    return level == MemoryLevel::l2 && bytes[level] ? *bytes[level] - between_l2_parts : bytes[level];
  }
};

double warps_of(const Launch& launch);

// The parts of a launch that are the same on every GPU. parameters: complete and legal, here and below.
Dim3 block_of(const Manifest& manifest, const Parameters& parameters);
Dim3 cluster_of(const Manifest& manifest, const Parameters& parameters);

// The values that FLOPs, elements and bytes of a launch may have, in records too.
inline constexpr Range an_amount{0, 1e18};

// sm_count: of the GPU to launch on; a grid may depend on it. Throw Error for a launch that is not possible,
// model() also for FLOPs, elements or bytes outside of an_amount.
Launch launch_of(const Manifest& manifest, const Parameters& parameters, int sm_count);
Model model(const Manifest& manifest, const Parameters& parameters, int sm_count);

// Whether its compiled code says what its launches do. Then model() is a bound.
bool is_read_from_code(const Manifest& manifest);

// Gives the model of a place, from the compiled code or from what its manifest states. Throws Error as model()
// does.
using ModelAt = std::function<Model(const Manifest&, const Parameters&, const Gpu&)>;
Model stated_model(const Manifest& manifest, const Parameters& parameters, const Gpu& gpu);

}  // namespace rooftile
