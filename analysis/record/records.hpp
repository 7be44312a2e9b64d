// One JSON object per line: on the worker's pipe, in the journal, in session files. Keys carry their units.
// A version stands in the first record. Unknown keys and records are skipped, so older readers survive newer
// files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/chip/roofs.hpp"
#include "analysis/record/note.hpp"
#include "analysis/record/point.hpp"
#include "analysis/record/source_profile.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {

inline constexpr int record_version = 1;
// [B] A source profile with its text takes less than 1 MB.
inline constexpr std::size_t longest_line = 64 << 20;

// Something a measurement needs: the driver, a device, NVRTC, CUPTI, the right to read counters.
struct Facility {
  enum class State { ready, missing, refused, busy, failed };
  std::string name;  // "driver", "device", "compiler", "profiler", "counters"
  State state = State::ready;
  std::string sentence;  // "Counters are not permitted for this user."
  std::string fix;       // what a user can do; empty when ready
  std::string detail;    // version and file taken
  bool operator==(const Facility&) const = default;
};

// First record of a session file or worker: who wrote it, where.
struct Header {
  int version = record_version;
  std::string made_by;  // "rooftile 0.1.0"
  std::string host;     // empty in published sessions
  std::string date;     // ISO 8601, UTC
  std::vector<Facility> facilities;
  bool is_ready(std::string_view facility) const;  // false too for a facility that the header does not name
  bool operator==(const Header&) const = default;
};

struct DeviceRecord {
  Gpu gpu;
  std::string driver;                     // "580.159"
  std::optional<int> index = {};          // among the machine's GPUs, where it has several
  std::vector<std::string> machine = {};  // the names of these, as the driver counts them
  bool operator==(const DeviceRecord&) const = default;
};

struct RoofsRecord {
  Roofs roofs;
  std::optional<std::uint64_t> id = {};  // of the request it answers
  bool operator==(const RoofsRecord&) const = default;
};

// Worker to client: how far long work has come.
struct Progress {
  std::string what;
  int done = 0, total = 0;
  bool operator==(const Progress&) const = default;
};

// Worker to client, its last record: a launch made the device unusable, and that launch has been answered. What
// else was asked for is not to blame.
struct Farewell {
  bool operator==(const Farewell&) const = default;
};

using Record = std::variant<Header, DeviceRecord, RoofsRecord, Point, Progress, SourceProfile, Farewell, Note>;

struct OtherVersion : Error {  // of the records, as their header says
  using Error::Error;
};

std::string to_line(const Record& record);  // without the newline
// Empty for a record kind this version does not know. Throws Error saying what was expected, OtherVersion for a
// header of records that this version cannot read.
std::optional<Record> parse_record(std::string_view line);

// A key of a record: its place in it, "timing.median_s" or "phases[].name", and what its value may be.
struct RecordField {
  std::string path;
  std::string type;  // "number from 0 to 1e+07"
  bool required = false;
};
// Every key that a kind of record has, by kind; to_line() and parse_record() go by the same description.
std::map<std::string, std::vector<RecordField>> record_fields();

// Client to worker.
struct MeasureRequest {
  std::uint64_t id = 0;
  std::string kernel;
  Parameters parameters;
  Caches caches = Caches::cold;
  bool returned_bytes = false;  // count bytes by Nsight Compute's definition too, which takes one more pass
  bool operator==(const MeasureRequest&) const = default;
};
// Compile for any architecture; no device is needed. Answered by a point with `compiled`.
struct CompileRequest {
  std::uint64_t id = 0;
  std::string kernel;
  Parameters parameters;
  ComputeCapability cc;
  std::optional<int> sm_count = {};  // of the GPU it is for: then the point has its launch and its model too
  bool operator==(const CompileRequest&) const = default;
};
// One launch line by line: costly, so only when it is asked for. Answered by one source profile.
struct ProfileRequest {
  std::uint64_t id = 0;
  std::string kernel;
  Parameters parameters;
  Caches caches = Caches::cold;
  std::optional<Seconds> launch_limit = {};  // of the client; a profile that would take longer is not begun
  bool operator==(const ProfileRequest&) const = default;
};
// Measure the roofs that were not measured yet, or all of them again. Answered by the roofs.
struct RoofsRequest {
  std::uint64_t id = 0;
  bool again = false;
  bool operator==(const RoofsRequest&) const = default;
};
using Request = std::variant<MeasureRequest, CompileRequest, ProfileRequest, RoofsRequest>;

std::string to_line(const Request& request);
Request parse_request(std::string_view line);  // throws Error

}  // namespace rooftile
