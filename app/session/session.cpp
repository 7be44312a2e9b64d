#include "app/session/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "app/session/worker_client.hpp"
#include "app/session/worker_command.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;

constexpr int pieces_at_once = 8;    // of a recording, about 50 ms
constexpr auto longest_read = 40ms;  // at a time: frames are drawn between
constexpr const char* compile_only = "--compile-only";

std::string text(std::chrono::milliseconds time) {
  return text(Seconds{std::chrono::duration<double>(time).count()});
}

bool is_ready(const Header& header, std::string_view name) {
  return std::ranges::any_of(header.facilities, [&](const Facility& facility) {
    return facility.name == name && facility.state == Facility::State::ready;
  });
}

Request request_for(const Job& job) {
  const auto& [kernel, parameters, caches, returned_bytes] = job.configuration;
  if (job.work == Work::profile) {
    return ProfileRequest{job.id, kernel, parameters, caches};
  }
  if (job.work == Work::roofs || job.work == Work::roofs_again) {
    return RoofsRequest{job.id, job.work == Work::roofs_again};
  }
  if (job.target) {
    return CompileRequest{job.id, kernel, parameters, job.target->cc, job.target->sm_count};
  }
  return MeasureRequest{job.id, kernel, parameters, caches, returned_bytes};
}

}  // namespace

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session::Session(const SessionOptions& options) : options_(options), kept_(KeptLog::begin(options.journal)) {
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
  introduced_ = false;
  why_ended_.reset();
  next_start_.reset();
  excused_ = false;
  last_sign_of_life_ = Clock::now();
  worker_.reset();  // before the next one takes over its log
  try {
    auto command = worker_command(options_.worker, options_.kernel_folders);
    if (options_.compile_only) {
      command.emplace_back(compile_only);
    }
    worker_ = std::make_unique<Worker>(command, error_log(journal_file()));
  } catch (const Error& error) {
    give_up({"worker", Facility::State::missing, error.what(),
             "Build with CUDA switched on, or say which worker to use.", ""});
  }
}

bool Session::poll() {
  if (reading()) {
    read_on(longest_read);
    return true;
  }
  if (precompiler_) {
    precompiler_->poll();
    put_off_slow_compilations();
  }
  if (next_start_ && Clock::now() >= *next_start_) {
    start_worker();
  }
  if (!worker_) {
    return false;
  }
  const auto messages = worker_->take();
  for (const auto& message : messages) {
    std::visit([this](const auto& it) { receive(it); }, message);
  }
  watch_over_worker();
  return !messages.empty();
}

void Session::wait(std::chrono::milliseconds at_most) {
  // A sweep may also wait for what is being compiled.
  const bool compiling = !queue_.empty() && precompiler_ && precompiler_->busy();
  if (worker_) {
    worker_->wait(compiling ? std::min(at_most, std::chrono::milliseconds(2)) : at_most);
  } else if (next_start_) {
    std::this_thread::sleep_for(std::min(at_most, options_.restart_pause));
  }
}

std::uint64_t Session::request(const Configuration& configuration) {
  return enqueue(configuration, Work::measure);
}

bool Session::compiles() const {
  return is_ready(log().header, "compiler");
}

std::uint64_t Session::compile(const Configuration& configuration, const Gpu& gpu) {
  record_gpu(gpu);
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

// Whoever asks for something while a recording is read waits for its end: the ids go on from there.
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
  if (!device()) {
    return;
  }
  if (!precompiler_) {
    auto command = worker_command(options_.worker, options_.kernel_folders);
    command.emplace_back(compile_only);
    precompiler_ = std::make_unique<Precompiler>(
        PrecompilerOptions{std::move(command), error_log(journal_file(), ".compile"),
                           static_cast<std::size_t>(compilers()), options_.launch_limit});
  }
  precompiler_->prepare(configurations, device()->cc);
}

// On every core: workers that compile only let the others go first.
int Session::compilers() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
}

// A launch is not to blame for a worker that never gets ready; what is sent together is counted together.
bool Session::has_to_send() const {
  return worker_ && introduced_ && queue_.under_way().empty() && queue_.next() != nullptr &&
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
    requests.push_back(request_for(*job));
  }
  if (!requests.empty()) {
    last_sign_of_life_ = Clock::now();
    worker_->send(requests);  // a worker that is gone says so by its last message
  }
}

// Then the device's worker has better things to do than to compile it a second time.
bool Session::is_being_compiled(const Job& job) const {
  return job.of_sweep && precompiler_ && precompiler_->has_yet_to(job.configuration);
}

// One that never ends does not hold up the rest of its sweep.
void Session::put_off_slow_compilations() {
  const auto is_slow = [this](const Job& job) { return precompiler_->is_slow(job.configuration); };
  if (const Job* next = queue_.next(); next != nullptr && next->of_sweep && is_slow(*next)) {
    queue_.put_last(is_slow);
  }
}

// Of a sweep: what is asked for alone may have been mended since.
std::optional<std::string> Session::why_not_compiled(const Job& job) const {
  return job.of_sweep && precompiler_ ? precompiler_->why_not(job.configuration) : std::nullopt;
}

void Session::receive(const Record& record) {
  last_sign_of_life_ = Clock::now();
  if (const auto* progress = std::get_if<Progress>(&record)) {
    worker_progress_ = progress->done < progress->total ? std::optional(*progress) : std::nullopt;
  } else if (std::holds_alternative<Farewell>(record)) {
    excused_ = true;
  } else if (const auto* header = std::get_if<Header>(&record)) {
    take_header(*header);
  } else if (const auto* point = std::get_if<Point>(&record)) {
    take_point(*point);
  } else if (const auto* profile = std::get_if<SourceProfile>(&record)) {
    take_profile(*profile);
  } else if (const auto* roofs = std::get_if<RoofsRecord>(&record)) {
    take_roofs(*roofs);
  } else {
    if (const auto* device = std::get_if<DeviceRecord>(&record)) {
      device_ = device->gpu.name;
    }
    store(record);
  }
}

void Session::take_header(const Header& header) {
  introduced_ = true;
  device_expected_ = is_ready(header, "device");
  if (!device_expected_) {
    device_.reset();
  }
  if (header.version > record_version) {
    last_error_ =
        fmt::format("The worker speaks version {} of the records, this program version {}: use a newer one.",
                    header.version, record_version);
  }
  store(header);
}

void Session::take_point(Point point) {
  if (point.gpu.empty()) {  // the answer to a compile request knows an architecture alone
    point.gpu = gpu_of(point.id);
  }
  if (point.final) {
    finish_job(point.id);
  }
  launching_ = true;
  if (point.failure) {
    last_error_ = point.failure;
  }
  store(point);
}

// One that failed is not kept: an older profile of the launch stays good.
void Session::take_profile(const SourceProfile& profile) {
  finish_job(profile.id);
  if (profile.failure) {
    last_error_ = profile.failure;
  } else {
    store(profile);
  }
}

void Session::take_roofs(const RoofsRecord& record) {
  if (record.id) {
    finish_job(*record.id);
  }
  store(record);
}

void Session::finish_job(std::uint64_t id) {
  queue_.finish(id);
  worker_progress_.reset();
  ended_in_a_row_ = 0;
}

void Session::receive(const BadLine& bad) {
  last_error_ =
      fmt::format("The worker wrote a line that is no record, which was skipped: {} ({})", bad.line, bad.why);
}

void Session::receive(const WorkerEnded& ended) {
  std::string sentence = why_ended_.value_or("The worker " + ended.how);
  if (excused_) {
    return start_again_with(RequestQueue::Again::as_before);
  }
  if (introduced_ && queue_.under_way().size() > 1) {
    return start_again_with(RequestQueue::Again::one_by_one);
  }
  if (!queue_.under_way().empty()) {
    sentence += " while measuring " + text(queue_.under_way().front());
  }
  const bool again = ++ended_in_a_row_ < options_.restart_limit;
  if (introduced_ && again) {
    fail_job(sentence + "; the worker was started again.");
    start_worker();
    return;
  }
  if (again) {
    return try_later(sentence);
  }
  sentence += introduced_ ? "" : fmt::format(" before it was ready, {} times", ended_in_a_row_);
  sentence += "; the next request starts it again.";
  const auto log = error_log(journal_file());
  const std::string words = last_line(log);
  give_up({"worker", Facility::State::failed, words.empty() ? sentence : sentence + " Its last words: " + words,
           "Read " + log.string() + ".", ""});
}

void Session::try_later(const std::string& sentence) {
  last_error_ = fmt::format("{} before it was ready; it is started again, {} of {}.", sentence,
                            ended_in_a_row_ + 1, options_.restart_limit);
  worker_.reset();
  next_start_ = Clock::now() + options_.restart_pause;
}

void Session::start_again_with(RequestQueue::Again again) {
  queue_.put_back(again);
  start_worker();
}

// As far as it is known.
Point Session::point_of(const Job& job) const {
  if (const Point* known = log().point(job.id)) {
    return *known;
  }
  Point point;
  point.id = job.id;
  point.kernel = job.configuration.kernel;
  point.parameters = job.configuration.parameters;
  point.caches = job.configuration.caches;
  point.gpu = gpu_of(job.id);
  return point;
}

void Session::fail(const Job& job, const std::string& sentence) {
  last_error_ = sentence;
  Point point = point_of(job);
  point.failure = sentence;
  point.final = true;
  store(point);
}

void Session::fail_job(const std::string& sentence) {
  last_error_ = sentence;
  worker_progress_.reset();
  while (!queue_.under_way().empty()) {
    const Job job = queue_.under_way().front();
    queue_.finish(job.id);
    if (job.work == Work::measure) {
      fail(job, sentence);
    }
  }
}

void Session::give_up(Facility why) {
  fail_job(why.sentence);
  queue_.clear();
  worker_.reset();
  device_.reset();
  ended_in_a_row_ = 0;
  kept_.replace(std::move(why));
}

std::optional<Session::Silence> Session::silence() const {
  const bool expected = !queue_.under_way().empty() || !introduced_;
  if (!worker_ || !expected) {
    return std::nullopt;
  }
  const std::chrono::duration<double> so_far = Clock::now() - last_sign_of_life_, limit = options_.launch_limit;
  return Silence{{so_far.count()}, {(limit - so_far).count()}};
}

void Session::watch_over_worker() {
  const auto silent = silence();
  if (silent && silent->left.value <= 0) {
    end_worker("The worker was silent for " + text(options_.launch_limit) +
               ", the limit of one launch, and was ended");
  }
}

void Session::stop_launch() {
  if (!queue_.under_way().empty()) {
    end_worker("The launch was stopped");
  }
}

// Its end is met when its last records have been read.
void Session::end_worker(std::string why) {
  if (worker_ && !why_ended_) {
    why_ended_ = std::move(why);
    worker_->kill();
  }
}

void Session::start_again() {
  if (given_up()) {
    last_error_.reset();
    start_worker();
  }
}

void Session::use_kernels(const std::vector<std::filesystem::path>& folders) {
  options_.kernel_folders = folders;
  precompiler_.reset();  // its workers know the old ones
  start_again_with(RequestQueue::Again::as_before);
}

void Session::store(const Record& record) {
  kept_.add(record);
}

void Session::record_gpu(const Gpu& gpu) {
  if (log().gpu(gpu.name) == nullptr) {
    store(DeviceRecord{gpu, ""});
  }
  if (log().roofs_of(gpu.name) == nullptr) {
    store(RoofsRecord{datasheet_roofs(gpu)});
  }
}

// The GPU that a point under way is for: the device may be another by the time of the answer.
std::string Session::gpu_of(std::uint64_t id) const {
  const auto& jobs = queue_.under_way();
  const auto job = std::ranges::find(jobs, id, &Job::id);
  return job != jobs.end() && job->target ? job->target->name : device_.value_or("");
}

bool Session::launching() const {
  const auto& jobs = queue_.under_way();
  return device_ && launching_ && !jobs.empty() && !jobs.front().target;
}

bool Session::starting() const {
  return reading() || next_start_ || (worker_ && (!introduced_ || (device_expected_ && !device_)));
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
