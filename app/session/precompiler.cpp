#include "app/session/precompiler.hpp"

#include "analysis/error.hpp"
#include "app/session/worker_client.hpp"

namespace rooftile {

Precompiler::Precompiler(std::vector<std::string> command, std::filesystem::path error_log)
    : command_(std::move(command)), error_log_(std::move(error_log)) {}

Precompiler::~Precompiler() = default;

void Precompiler::prepare(const std::vector<Configuration>& configurations, ComputeCapability cc) {
  waiting_.clear();
  std::set<std::string> asked = done_;
  for (const Configuration& configuration : configurations) {
    if (asked.insert(text(configuration)).second) {
      waiting_.push_back({next_id_++, configuration.kernel, configuration.parameters, cc});
    }
  }
  poll();
}

void Precompiler::poll() {
  if (worker_) {
    for (const WorkerMessage& message : worker_->take()) {
      const auto* record = std::get_if<Record>(&message);
      const auto* point = record ? std::get_if<Point>(record) : nullptr;
      if (point && under_way_ == point->id) {
        under_way_.reset();
      } else if (std::holds_alternative<WorkerEnded>(message)) {
        gave_up_ = true;
      }
    }
  }
  if (gave_up_) {
    worker_.reset();
    under_way_.reset();
    waiting_.clear();
  }
  send_next();
}

void Precompiler::send_next() {
  if (under_way_ || waiting_.empty()) {
    return;
  }
  try {
    if (!worker_) {
      worker_ = std::make_unique<Worker>(command_, error_log_);
    }
  } catch (const Error&) {
    gave_up_ = true;  // the session's own worker says why, to those who ask
    waiting_.clear();
    return;
  }
  const CompileRequest request = std::move(waiting_.front());
  waiting_.pop_front();
  under_way_ = request.id;
  done_.insert(text(Configuration{request.kernel, request.parameters, Caches::cold}));
  worker_->send(request);
}

}  // namespace rooftile
