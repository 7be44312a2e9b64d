#include "app/cli/verbs/sweep/slurm_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "app/cli/verbs/sweep/slurm_array.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of_parts(const fs::path& file) {
  return fs::absolute(file).string() + ".parts";
}

// The command that each task runs, but for its shard.
std::vector<std::string> command_of(const Options& options, const SweepQuestion& asked) {
  std::vector<std::string> words = {(platform::executable_directory() / "rooftile-cli").string(),
                                    "--launch-limit", fmt::format("{}", options.launch_limit_s)};
  if (!options.worker.empty()) {
    words.insert(words.end(), {"--worker", options.worker});
  }
  for (const fs::path& folder : options.kernel_folders) {
    words.insert(words.end(), {"--kernels", fs::absolute(folder).string()});
  }
  words.insert(words.end(), {"sweep", asked.kernel});
  words.insert(words.end(), asked.words.begin(), asked.words.end());
  words.insert(words.end(), {"--caches", asked.caches == Caches::warm ? "warm" : "cold", "--continue"});
  return words;
}

// Writes the launches of the tasks into the file as they come, so that a window can follow them.
class ArrivingPoints {
 public:
  // Removes what an ended sweep left in the file: its launches come again.
  explicit ArrivingPoints(const fs::path& file) : journal_(emptied(file)) {}

  // A launch that was timed comes again once it is counted.
  void add(std::size_t task, const SessionLog& part) {
    std::vector<Point>& known = known_[task];
    if (next_id_ == 1 && !part.points.empty()) {
      add_beginning(part);
    }
    for (std::size_t i = 0; i < part.points.size(); ++i) {
      Point point = part.points[i];
      point.id = i < known.size() ? known[i].id : next_id_++;
      if (i == known.size()) {
        known.emplace_back();
      }
      if (!(known[i] == point)) {
        journal_.append(point);
        known[i] = std::move(point);
      }
    }
  }

 private:
  static const fs::path& emptied(const fs::path& file) {
    fs::remove(file);
    return file;
  }

  void add_beginning(const SessionLog& part) {
    journal_.append(part.header);
    for (const DeviceRecord& device : part.devices) {
      journal_.append(device);
    }
    for (const Roofs& roofs : part.roofs) {
      journal_.append(RoofsRecord{roofs});
    }
  }

  platform::Journal journal_;
  std::map<std::size_t, std::vector<Point>> known_;  // by task, as they stand in the file
  std::uint64_t next_id_ = 1;
};

class SlurmSweep {
 public:
  SlurmSweep(const Options& options, const SweepQuestion& asked, const LegalCombinations& plan)
      : array_{folder_of_parts(asked.file), *asked.slurm, command_of(options, asked), asked.tasks},
        file_(asked.file) {
    for (std::size_t task = 1; task <= array_.tasks; ++task) {
      shards_.push_back(configurations(part_of(plan, {task, array_.tasks}), asked));
    }
    total_ = plan.configurations.size();
  }

  SessionLog measured() {
    expect_own_folder();
    platform::make_folder(array_.folder);
    if (const auto tasks = tasks_with_work(); !tasks.empty()) {
      run(tasks);
    }
    expect_all_measured();
    SessionLog all = joined();
    fs::remove_all(array_.folder);
    return all;
  }

 private:
  // An array that was refused leaves nothing behind.
  void run(const std::vector<std::size_t>& tasks) const {
    try {
      ArrivingPoints arriving(file_);
      run_array(array_, tasks, [&] {
        add_what_came(arriving);
        return fmt::format("{}/{}", total_ - left(), total_);
      });
      add_what_came(arriving);
    } catch (const Error&) {
      if (left() == total_) {
        fs::remove_all(array_.folder);
      }
      throw;
    }
  }

  void add_what_came(ArrivingPoints& arriving) const {
    for (std::size_t task = 1; task <= array_.tasks; ++task) {
      arriving.add(task, session_of(task));
    }
  }

  // Its script says what the folder's tasks measure.
  void expect_own_folder() const {
    const auto script = platform::read_text(array_.folder / "job.sh");
    if (script && *script != script_of(array_)) {
      throw Error(fmt::format("{} holds the parts of another sweep: name another file, or remove the folder.",
                              array_.folder.string()));
    }
  }

  // A task that runs may be about to write.
  SessionLog session_of(std::size_t task) const {
    try {
      const fs::path file = session_of_task(array_, task);
      return fs::exists(file) ? platform::load_session(file) : SessionLog{};
    } catch (const Error&) {
      return {};
    }
  }

  std::size_t left_in(std::size_t task) const { return left_of(shards_[task - 1], session_of(task)).size(); }

  std::vector<std::size_t> tasks_with_work() const {
    std::vector<std::size_t> tasks;
    for (std::size_t task = 1; task <= array_.tasks; ++task) {
      if (left_in(task) > 0) {
        tasks.push_back(task);
      }
    }
    return tasks;
  }

  std::size_t left() const {
    std::size_t all = 0;
    for (std::size_t task = 1; task <= array_.tasks; ++task) {
      all += left_in(task);
    }
    return all;
  }

  void expect_all_measured() const {
    const auto unfinished = tasks_with_work();
    if (unfinished.empty()) {
      return;
    }
    const fs::path log = log_of_task(array_, unfinished.front());
    const std::string last = last_line(log);
    throw Error(fmt::format(
        "{} of {} combinations are measured. Task {} ended before its part was: {} ({}). The "
        "same command measures the rest.",
        total_ - left(), total_, unfinished.front(), last.empty() ? "it said nothing" : last, log.string()));
  }

  SessionLog joined() const {
    SessionLog all;
    for (std::size_t task = 1; task <= array_.tasks; ++task) {
      const SessionLog part = session_of(task);
      all.header = task == 1 ? part.header : all.header;
      all.append(part);
    }
    return all;
  }

  SlurmArray array_;
  fs::path file_;
  std::vector<std::vector<Configuration>> shards_;  // of the tasks, the first first
  std::size_t total_ = 0;
};

}  // namespace

bool goes_on_by_slurm(const fs::path& file) {
  return fs::exists(folder_of_parts(file) / "job.sh");
}

SessionLog measured_by_slurm(const Options& options, const SweepQuestion& asked,
                             const LegalCombinations& plan) {
  return SlurmSweep(options, asked, plan).measured();
}

}  // namespace rooftile::cli
