#include "analysis/exchange/tuner_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/record/duration_sample.hpp"
#include "analysis/record/session_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using Json = nlohmann::ordered_json;

constexpr double ms = 1e-3;                     // [s]
constexpr std::size_t most_launches = 200'000;  // of 1 kB each
constexpr std::string_view times_note = "Timed by Kernel Tuner, which leaves the caches warm.";

// The place behind the text in quotes that begins here.
std::size_t end_of_text(std::string_view json, std::size_t begin) {
  std::size_t at = begin + 1;
  while (at < json.size() && json[at] != '"') {
    at += json[at] == '\\' ? 2 : 1;
  }
  return std::min(at + 1, json.size());
}

// Python writes words that JSON does not know.
std::string with_null_for_nan(std::string_view json) {
  std::string all;
  for (std::size_t at = 0; at < json.size();) {
    const auto words = {"NaN", "-Infinity", "Infinity"};
    const auto word =
        std::ranges::find_if(words, [&](std::string_view each) { return json.substr(at).starts_with(each); });
    const std::size_t end = json[at] == '"'       ? end_of_text(json, at)
                            : word != words.end() ? at + std::string_view(*word).size()
                                                  : at + 1;
    all += word != words.end() && json[at] != '"' ? "null" : json.substr(at, end - at);
    at = end;
  }
  return all;
}

void expect_shallow(std::string_view json, const std::filesystem::path& file) {
  constexpr int most = 64;  // Kernel Tuner's own have 4
  int depth = 0;
  for (std::size_t at = 0; at < json.size(); at = json[at] == '"' ? end_of_text(json, at) : at + 1) {
    depth += json[at] == '{' || json[at] == '[' ? 1 : json[at] == '}' || json[at] == ']' ? -1 : 0;
    if (depth > most) {
      throw Error(fmt::format("{}: is nested more than {} levels deep; no file of Kernel Tuner is",
                              file.string(), most));
    }
  }
}

// A cache that Kernel Tuner still writes to ends in a comma instead of the two braces.
Json parsed(std::string text) {
  Json whole = Json::parse(text, nullptr, false);
  if (whole.is_discarded()) {
    const std::size_t last = text.find_last_not_of(" \t\r\n,");
    text.resize(last == std::string::npos ? 0 : last + 1);
    whole = Json::parse(text + "}}", nullptr, false);
  }
  return whole;
}

const Json& member(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? *found : none;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

// Throws Error for a value that no dial of rooftile can have.
double number_of(const std::string& name, const Json& value) {
  if (value.is_boolean()) {
    return value.get<bool>() ? 1 : 0;
  }
  if (!value.is_number()) {
    throw Error(fmt::format("{} must be a number", name));
  }
  return value.get<double>();
}

// Median, fastest and slowest of the runs, or the one time that the file gives for all runs.
std::optional<Timing> timing_of(const Json& runs, const Json& time) {
  DurationSample sample;
  for (const Json& run : runs.is_array() ? runs : Json::array()) {
    sample.add(Seconds{ms * number_of("a run time", run)});
  }
  if (sample.count() > 0) {
    return sample.timing();
  }
  if (!time.is_number()) {
    return {};
  }
  const Seconds only{ms * time.get<double>()};
  return Timing{only, only, only, 1, {}, {}};
}

// Kernel Tuner's own names of the parameters that set the sides of a block.
Dim3 block_of(const Parameters& parameters) {
  const auto side = [&](const char* name) {
    const auto found = parameters.find(name);
    const bool fits = found != parameters.end() && found->second >= 1 && found->second <= 1024;
    return fits ? static_cast<int>(found->second) : 1;
  };
  return {side("block_size_x"), side("block_size_y"), side("block_size_z")};
}

Point launch_with(const Parameters& parameters) {
  Point point;
  point.parameters = parameters;
  point.caches = Caches::warm;
  point.launch.block = block_of(parameters);
  point.modelled.states_work = false;
  point.notes.emplace_back(times_note);
  point.final = true;
  return point;
}

Parameters parameters_in(const Json& object, const std::vector<std::string>& names) {
  Parameters parameters;
  for (const std::string& name : names) {
    parameters[name] = number_of(name, member(object, name.c_str()));
  }
  return parameters;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    keys.push_back(key);
  }
  return keys;
}

Point point_of_cache(const Json& entry, const std::vector<std::string>& names) {
  Point point = launch_with(parameters_in(entry, names));
  const Json& time = member(entry, "time");
  if (time.is_string()) {  // "CompilationFailedConfig"
    point.failure = "Kernel Tuner: " + text_of(time);
  } else {
    point.timing = timing_of(member(entry, "times"), time);
  }
  return point;
}

const Json& measured_time(const Json& result) {
  static const Json none;
  const Json& all = member(result, "measurements");
  const auto found = std::ranges::find_if(
      all.is_array() ? all : none, [](const Json& each) { return text_of(member(each, "name")) == "time"; });
  return all.is_array() && found != all.end() ? member(*found, "value") : none;
}

Point point_of_result(const Json& result) {
  if (!result.is_object()) {
    throw Error("must be an object");
  }
  const Json& configuration = member(result, "configuration");
  Point point = launch_with(parameters_in(configuration, keys_of(configuration)));
  if (const std::string why = text_of(member(result, "invalidity")); why != "correct") {
    point.failure = "Kernel Tuner: " + (why.empty() ? "no word on whether it is correct" : why);
  } else {
    point.timing = timing_of(member(member(result, "times"), "runtimes"), measured_time(result));
  }
  return point;
}

class TunerReader {
 public:
  TunerReader(const std::filesystem::path& file) : file_(file) {}

  void add_cache(const Json& whole) {
    std::vector<std::string> names = keys_of(member(whole, "tune_params"));
    for (const auto& [key, entry] : member(whole, "cache").items()) {
      add("cache." + key, [&] {
        Point point = point_of_cache(entry, names);
        point.kernel = text_of(member(whole, "kernel_name"));
        point.gpu = text_of(member(whole, "device_name"));
        return point;
      });
    }
  }
  void add_results(const Json& results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      add(fmt::format("results[{}]", i), [&] { return point_of_result(results[i]); });
    }
  }
  TunedLaunches take() { return std::move(launches_); }

 private:
  template <class Read>
  void add(const std::string& place, Read read) {
    if (has_enough_) {
      return;
    }
    try {
      Point point = read();
      if (!point.timing && !point.failure) {
        throw Error("has no time");
      }
      point.id = launches_.points.size() + 1;
      parse_record(to_line(point));  // refuses what no session may hold
      launches_.points.push_back(std::move(point));
    } catch (const Error& error) {
      launches_.left_out.push_back(fmt::format("{}: {}: {}", file_.string(), place, error.what()));
    }
    const bool is_odd = launches_.left_out.size() >= most_left_out;
    has_enough_ = is_odd || launches_.points.size() >= most_launches;
    if (has_enough_) {
      launches_.left_out.push_back(
          fmt::format("{}: {}; the rest of the file is left out", file_.string(),
                      is_odd ? "so many entries cannot be read" : "it has so many launches"));
    }
  }

  const std::filesystem::path& file_;
  TunedLaunches launches_;
  bool has_enough_ = false;  // of entries that cannot be read
};

// One of T4's words.
std::string_view invalidity_of(const Point& point) {
  if (point.wrong()) {
    return "correctness";
  }
  return !point.failure ? "correct" : point.compiled ? "runtime" : "compile";
}

Json times_of(const Point& point) {
  Json times = Json::object();
  for (const Phase& phase : point.phases) {
    if (phase.name == "compile") {
      times["compilation_time"] = phase.duration.value / ms;
    } else if (phase.name == "verify") {
      times["validation"] = phase.duration.value / ms;
    }
  }
  times["runtimes"] = Json::array();
  if (point.timing) {
    for (const Seconds run : {point.timing->fastest, point.timing->median, point.timing->slowest}) {
      times["runtimes"].push_back(run.value / ms);
    }
  }
  return times;
}

Json measurements_of(const Point& point) {
  Json all = Json::array();
  const auto add = [&](const char* name, const std::optional<double>& value, const char* unit) {
    if (value) {
      all.push_back({{"name", name}, {"value", *value}, {"unit", unit}});
    }
  };
  const auto time = point.timing ? std::optional(point.timing->median.value) : std::nullopt;
  const auto flops = point.counted_flops() ? point.counted_flops() : point.modelled.flops;
  add("time", time ? std::optional(*time / ms) : std::nullopt, "ms");
  add("GFLOP/s", time && flops && *time > 0 ? std::optional(1e-9 * flops->value / *time) : std::nullopt,
      "GFLOP/s");
  add("registers_per_thread", point.compiled ? std::optional<double>(point.compiled->registers) : std::nullopt,
      "");
  if (point.counters) {
    const auto dram = point.counters->bytes(MemoryLevel::dram);
    add("dram_bytes", dram ? std::optional(dram->value) : std::nullopt, "B");
    add("achieved_occupancy", point.counters->achieved_occupancy, "");
  }
  return all;
}

// Values are doubles here; a reader expects 8, not 8.0.
Json configuration_of(const Parameters& values) {
  Json configuration = Json::object();
  for (const auto& [name, value] : values) {
    const auto whole = static_cast<std::int64_t>(value);
    configuration[name] = static_cast<double>(whole) == value ? Json(whole) : Json(value);
  }
  return configuration;
}

Json result_of(const Point& point, const std::string& date) {
  const std::string_view invalidity = invalidity_of(point);
  return {{"timestamp", date},
          {"configuration", configuration_of(point.parameters)},
          {"objectives", {"time"}},
          {"times", times_of(point)},
          {"invalidity", invalidity},
          {"correctness", invalidity == "correct" ? 1 : 0},
          {"measurements", measurements_of(point)}};
}

}  // namespace

TunedLaunches read_tuner_file(std::string_view text, const std::filesystem::path& file) {
  expect_shallow(text, file);
  const Json whole = parsed(with_null_for_nan(text));
  TunerReader reader(file);
  if (member(whole, "cache").is_object() && member(whole, "tune_params").is_object()) {
    reader.add_cache(whole);
  } else if (member(whole, "results").is_array()) {
    reader.add_results(member(whole, "results"));
  } else {
    throw Error(
        fmt::format("{}: is neither a cache of Kernel Tuner nor its results: expected an object with "
                    "\"cache\" and \"tune_params\", or with \"results\"",
                    file.string()));
  }
  return reader.take();
}

std::string tuner_results(const std::vector<Point>& launches, const std::string& date) {
  Json all = {{"schema_version", "1.0.0"}, {"results", Json::array()}};
  for (const Point& point : launches) {
    all["results"].push_back(result_of(point, date));
  }
  return all.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace rooftile
