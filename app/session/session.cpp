#include "app/session/session.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;

constexpr int pieces_at_once = 8;    // of a recording, about 50 ms
constexpr auto longest_read = 40ms;  // at a time: frames are drawn between
constexpr const char* compile_only = "--compile-only";

std::vector<std::string> measuring_command(const SessionOptions& options) {
  auto command = worker_command(options.worker, options.kernel_folders);
  if (options.device) {
    command.insert(command.end(), {"--device", std::to_string(*options.device)});
  }
  if (options.compile_only) {
    command.emplace_back(compile_only);
  }
  return command;
}

PrecompilerOptions precompiler_options(const SessionOptions& options, const std::filesystem::path& journal) {
  auto command = worker_command(options.worker, options.kernel_folders);
  command.emplace_back(compile_only);
  return {std::move(command), error_log(journal, ".compile"), static_cast<std::size_t>(Session::compilers()),
          options.launch_limit};
}

}  // namespace

Session::Session(const SessionOptions& options)
    : options_(options),
      kept_(KeptLog::begin(options.journal, options.existing_journal)),
      worker_({measuring_command(options), error_log(journal_file()), options.launch_limit,
               options.restart_limit, options.restart_pause}),
      precompiler_(precompiler_options(options, journal_file())) {
  if (options.recording.empty()) {
    start_worker();
    return;
  }
  kept_.open_recording(options.recording);
  for (const auto& file : options.beside) {
    kept_.open_beside(file);
  }
  for (int pieces = 0; pieces < pieces_at_once && kept_.read_on(); ++pieces) {
  }
  read_on(0ms);
}

void Session::read_recording(const std::filesystem::path& file) {
  kept_.open_recording(file);
  while (kept_.read_on()) {
  }
  number_requests();
}

// Points have ids of their own, beyond those of the recording.
void Session::number_requests() {
  const auto largest = std::ranges::max_element(log().points, {}, &Point::id);
  queue_.number_from(largest != log().points.end() ? largest->id + 1 : 1);
}

void Session::read_on(std::chrono::milliseconds at_most) {
  for (const auto start = Clock::now(); Clock::now() - start < at_most && kept_.read_on();) {
  }
  if (!kept_.reading()) {
    number_requests();
    start_worker();
  }
}

void Session::start_worker() {
  worker_.start();
  tell_if_given_up();
}

void Session::tell_if_given_up() {
  if (auto why = worker_.take_why_given_up()) {
    last_error_ = why->sentence;
    while (!queue_.under_way().empty()) {
      fail_under_way(Job(queue_.under_way().front()), why->sentence);
    }
    queue_.clear();
    device_.reset();
    kept_.replace(std::move(*why));
  }
}

bool Session::poll() {
  if (reading()) {
    read_on(longest_read);
    return true;
  }
  const bool grown = follow_recording();
  precompiler_.poll();
  put_off_slow_compilations();
  const auto messages = worker_.take();
  for (const auto& message : messages) {
    std::visit([this](const auto& it) { receive(it); }, message);
  }
  tell_if_given_up();
  worker_.end_if_hung(!queue_.under_way().empty());
  return grown || !messages.empty();
}

// Another program may still write the session.
bool Session::follow_recording() {
  if (options_.recording.empty() || Clock::now() < next_look_) {
    return false;
  }
  next_look_ = Clock::now() + 500ms;
  const bool grown = kept_.follow();
  if (grown) {
    number_requests();
  }
  return grown;
}

void Session::wait(std::chrono::milliseconds at_most) {
  // A sweep may also wait for what is being compiled.
  const bool compiling = !queue_.empty() && precompiler_.busy();
  worker_.wait(compiling ? std::min(at_most, 2ms) : at_most);
}

std::uint64_t Session::request(const Configuration& configuration) {
  return enqueue(configuration, Work::measure);
}

bool Session::compiles() const {
  return log().header.is_ready("compiler");
}

std::uint64_t Session::compile(const Configuration& configuration, const Gpu& gpu) {
  record_gpu(gpu, datasheet_roofs(gpu));
  return enqueue(configuration, Work::measure, gpu);
}

std::uint64_t Session::profile(const Configuration& configuration) {
  return device() ? enqueue(configuration, Work::profile) : 0;
}

std::uint64_t Session::measure_roofs(Work work) {
  return device() ? enqueue({}, work) : 0;
}

std::uint64_t Session::enqueue(const Configuration& configuration, Work work,
                               const std::optional<Gpu>& target) {
  get_ready();
  return queue_.request(configuration, work, target);
}

// A request that comes while a recording is read waits for its end: the ids go on from there.
void Session::get_ready() {
  if (reading()) {
    read_on(24h);
  }
  last_error_.reset();
  start_again();
}

std::vector<std::uint64_t> Session::sweep(const std::vector<Configuration>& configurations, Ahead ahead) {
  get_ready();
  auto ids = queue_.sweep(configurations);
  if (ahead == Ahead::yes && !configurations.empty()) {
    prepare({configurations.begin() + 1, configurations.end()});  // the first is launched at once
  }
  return ids;
}

void Session::prepare(const std::vector<Configuration>& configurations) {
  if (const Gpu* gpu = device()) {
    prepare(configurations, gpu->cc);
  }
}

// One per core, at most 16: workers that only compile let the others go first.
int Session::compilers() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
}

// A launch is not to blame for a worker that never gets ready. Launches that are sent together are counted
// together.
bool Session::has_to_send() const {
  return worker_.ready() && queue_.under_way().empty() && queue_.next() != nullptr &&
         !is_being_compiled(*queue_.next());
}

void Session::send() {
  if (given_up()) {
    queue_.clear();
  }
  if (!has_to_send()) {
    return;
  }
  std::vector<Request> requests;
  while (queue_.next() != nullptr && !is_being_compiled(*queue_.next())) {
    if (const auto why = why_not_compiled(*queue_.next())) {
      fail(queue_.drop_next_of_sweep(), *why);
      continue;
    }
    const Job* job = queue_.start_next();
    if (job == nullptr) {
      break;
    }
    launching_ = job->work != Work::measure;
    requests.push_back(request_for(*job, seconds(options_.launch_limit)));
  }
  if (!requests.empty()) {
    launched_.reset();
    worker_.send(requests);
  }
}

// The device's worker then does other work instead of compiling the job a second time.
bool Session::is_being_compiled(const Job& job) const {
  return job.of_sweep && precompiler_.has_yet_to(job.configuration);
}

// A compilation that never ends does not hold up the rest of its sweep.
void Session::put_off_slow_compilations() {
  const auto is_slow = [this](const Job& job) { return precompiler_.is_slow(job.configuration); };
  if (const Job* next = queue_.next(); next != nullptr && next->of_sweep && is_slow(*next)) {
    queue_.put_last(is_slow);
  }
}

// Asked for jobs of a sweep only: the source of a single request may have been mended since.
std::optional<std::string> Session::why_not_compiled(const Job& job) const {
  return job.of_sweep ? precompiler_.why_not(job.configuration) : std::nullopt;
}

void Session::stop_launch() {
  if (!queue_.under_way().empty()) {
    worker_.end("The launch was stopped");
  }
}

void Session::start_again() {
  if (given_up()) {
    last_error_.reset();
    start_worker();
  }
}

void Session::start_again_with(RequestQueue::Again again) {
  queue_.put_back(again);
  start_worker();
}

void Session::use_kernels(const std::vector<std::filesystem::path>& folders) {
  options_.kernel_folders = folders;
  worker_.use(measuring_command(options_));
  precompiler_ = Precompiler(precompiler_options(options_, journal_file()));
  start_again_with(RequestQueue::Again::as_before);
}

void Session::use_device(int index) {
  options_.device = index;
  worker_.use(measuring_command(options_));
  device_.reset();
  start_again_with(RequestQueue::Again::as_before);
}

void Session::leave_device(bool leave) {
  options_.compile_only = leave;
  worker_.use(measuring_command(options_));
  device_.reset();
  start_again_with(RequestQueue::Again::as_before);
}

void Session::store(const Record& record) {
  kept_.add(record);
}

void Session::record_gpu(const Gpu& gpu, const Roofs& roofs) {
  if (log().gpu(gpu.name) == nullptr) {
    store(DeviceRecord{gpu, ""});
  }
  if (log().roofs_of(gpu.name) == nullptr) {
    store(RoofsRecord{roofs});
  }
}

bool Session::launching() const {
  const auto& jobs = queue_.under_way();
  return device_ && launching_ && !jobs.empty() && !jobs.front().target;
}

bool Session::starting() const {
  return reading() || worker_.starts();
}

const Gpu* Session::device() const {
  return device_ ? log().gpu(*device_) : nullptr;
}

std::optional<Progress> Session::progress() const {
  for (const auto& progress : {kept_.reading(), queue_.progress()}) {
    if (progress) {
      return progress;
    }
  }
  return worker_progress_;
}

}  // namespace rooftile
