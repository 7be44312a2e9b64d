#include "app/cli/verbs/sweep/slurm_array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "analysis/text/shell_word.hpp"
#include "app/cli/shared/live/progress_line.hpp"
#include "app/cli/shared/output.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds longest_pause{2000};  // between questions: squeue's server serves a cluster
constexpr auto long_in_queue = 60s;

struct Answer {
  std::vector<std::string> lines;
  std::string errors;
  bool succeeded = false;
};

Answer asked(const std::vector<std::string>& command, const std::filesystem::path& errors) {
  platform::write_file(errors, "", platform::any_kind);
  Answer answer;
  try {
    platform::ChildProcess child(command, errors);
    child.close_input();
    while (auto line = child.read_line()) {
      answer.lines.push_back(std::move(*line));
    }
    while (child.running()) {
      std::this_thread::sleep_for(1ms);
    }
    answer.succeeded = child.how_it_ended() == "ended with status 0";
  } catch (const Error&) {
    throw Error(
        fmt::format("{} is not found: --slurm needs the commands of Slurm on this machine.", command.front()));
  }
  answer.errors = platform::read_text(errors).value_or("");
  return answer;
}

std::string trimmed_text(std::string text) {
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

// The tasks of an array that is not over.
struct Queue {
  std::size_t running = 0, waiting = 0;
  std::string reason;  // why one waits, in Slurm's word: "Resources"
};

class Follower {
 public:
  Follower(const SlurmArray& array, std::string job)
      : errors_(array.folder / "slurm.log"), job_(std::move(job)) {}

  // Empty once it is over: Slurm forgets a job some minutes later.
  std::optional<Queue> queue() {
    const Answer answer =
        asked({"squeue", "--noheader", "--array", "--jobs", job_, "--format", "%T %r"}, errors_);
    if (!answer.succeeded && answer.errors.find("Invalid job id") == std::string::npos) {
      return without_answer(answer.errors);
    }
    silent_since_.reset();
    Queue queue;
    for (const std::string& line : answer.lines) {
      const bool waits = line.starts_with("PENDING");
      ++(waits ? queue.waiting : queue.running);
      queue.reason = waits ? line.substr(line.find(' ') + 1) : queue.reason;
    }
    return answer.lines.empty() ? std::nullopt : std::optional(queue);
  }

 private:
  // Its server may be started anew meanwhile.
  Queue without_answer(const std::string& errors) {
    constexpr auto longest_silence = 120s;
    silent_since_ = silent_since_.value_or(Clock::now());
    if (Clock::now() - *silent_since_ > longest_silence) {
      throw Error(fmt::format("Slurm does not answer: {}. The same command follows job {} again.",
                              trimmed_text(errors), job_));
    }
    return {};
  }

  std::filesystem::path errors_;
  std::string job_;
  std::optional<Clock::time_point> silent_since_;
};

std::filesystem::path job_file(const SlurmArray& array) {
  return array.folder / "job";
}

std::string submitted(const SlurmArray& array, const std::vector<std::size_t>& tasks) {
  const std::filesystem::path script = array.folder / "job.sh";
  platform::write_file(script, script_of(array), platform::any_kind);
  std::vector<std::string> command = {"sbatch", "--parsable", fmt::format("--array={}", fmt::join(tasks, ",")),
                                      "--output=" + (array.folder / "%a.log").string(), "--job-name=rooftile"};
  const std::vector<std::string> options = split_command(array.options);
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script.string());
  const Answer answer = asked(command, array.folder / "slurm.log");
  if (!answer.succeeded || answer.lines.empty()) {
    throw Error("Slurm refuses the array: " + trimmed_text(answer.errors));
  }
  const std::string job = answer.lines.front().substr(0, answer.lines.front().find(';'));
  platform::write_file(job_file(array), job, platform::any_kind);
  return job;
}

std::string unfinished_job(const SlurmArray& array) {
  const std::string job = platform::read_text(job_file(array)).value_or("");
  return !job.empty() && Follower(array, job).queue() ? job : "";
}

void tell_why_it_waits(const Queue& queue, const std::string& job) {
  remark(
      "rooftile-cli: job {} has waited for a minute ({}). Ctrl-C leaves it in the queue; the same command "
      "follows it again.\n",
      job, queue.reason);
}

}  // namespace

std::filesystem::path session_of_task(const SlurmArray& array, std::size_t task) {
  return array.folder / fmt::format("{}.jsonl", task);
}

std::filesystem::path log_of_task(const SlurmArray& array, std::size_t task) {
  return array.folder / fmt::format("{}.log", task);
}

std::string script_of(const SlurmArray& array) {
  std::string line;
  for (const std::string& word : array.command) {
    line += shell_word(word) + " ";
  }
  return fmt::format(
      "#!/bin/sh\nexec {}--shard \"$SLURM_ARRAY_TASK_ID/{}\" -o {}/\"$SLURM_ARRAY_TASK_ID\".jsonl\n", line,
      array.tasks, shell_word(array.folder.string()));
}

void run_array(const SlurmArray& array, const std::vector<std::size_t>& tasks,
               const std::function<std::string()>& how_far) {
  std::string job = unfinished_job(array);
  if (job.empty()) {
    job = submitted(array, tasks);
  }
  remark("rooftile-cli: job {}, {}\n", job, counted(static_cast<double>(tasks.size()), "task"));
  Follower follower(array, job);
  std::optional<Clock::time_point> waits_since = Clock::now();
  ProgressLine line;
  std::chrono::milliseconds pause{100};
  while (const auto queue = follower.queue()) {
    line.show(fmt::format("{}  {} run, {} wait", how_far(), queue->running, queue->waiting));
    if (queue->running > 0) {
      waits_since.reset();
    }
    if (waits_since && Clock::now() - *waits_since > long_in_queue) {
      tell_why_it_waits(*queue, job);
      waits_since.reset();
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest_pause);
  }
}

}  // namespace rooftile::cli
