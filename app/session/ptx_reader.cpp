#include "app/session/ptx_reader.hpp"

#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

std::vector<std::string> ptx_command(const std::vector<std::string>& worker,
                                     const std::vector<std::filesystem::path>& kernel_folders) {
  std::vector<std::string> command = worker_command(worker, kernel_folders);
  command.emplace_back("--ptx");
  return command;
}

}  // namespace

PtxReader::PtxReader(const std::vector<std::string>& worker,
                     const std::vector<std::filesystem::path>& kernel_folders)
    : worker_(ptx_command(worker, kernel_folders), log()) {}

KernelPtx PtxReader::read(CompileRequest request) {
  request.id = ++asked_;
  worker_.write_line(to_line(Request{request}));
  const auto line = worker_.read_line();
  if (!line) {
    throw Error(
        platform::read_text(log()).value_or("The worker ended before it had compiled " + request.kernel));
  }
  return parse_kernel_ptx(*line);
}

}  // namespace rooftile
