// A line that a worker is sent: it is read, and what does not need a compiler is worked out for its kernel. A
// request that can be read is written as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/model/model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/record/records.hpp"
#include "analysis/text/error.hpp"

namespace {

using namespace rooftile;

const Catalogue& catalogue() {
  static const Catalogue all = platform::load_catalogue({ROOFTILE_SOURCE_DIR "/kernels"});
  return all;
}

void work_out(const std::string& kernel, const Parameters& given, int sm_count) {
  const Manifest& manifest = find_kernel(catalogue(), kernel);
  const Parameters parameters = complete(manifest, given);
  if (!why_illegal(manifest, parameters)) {
    model(manifest, parameters, sm_count);
  }
}

struct Answer {
  void operator()(const MeasureRequest& request) const { work_out(request.kernel, request.parameters, 132); }
  void operator()(const ProfileRequest& request) const { work_out(request.kernel, request.parameters, 132); }
  void operator()(const CompileRequest& request) const {
    work_out(request.kernel, request.parameters, request.sm_count.value_or(1));
  }
  void operator()(const RoofsRequest&) const {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Request request = parse_request({reinterpret_cast<const char*>(data), size});
    if (!(parse_request(to_line(request)) == request)) {
      std::abort();
    }
    std::visit(Answer{}, request);
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
