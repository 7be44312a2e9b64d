#include "app/page/read_code.hpp"

#include "analysis/ptx/trace/block_trace.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::page {

namespace {

constexpr const char* not_brought = "This page does not bring the compiled code of this launch.";

ptx::CompiledLaunch compiled(const KernelPtx& code, const scene::CodeQuestion& question,
                             const std::string& source) {
  return {code.ptx, code.symbol, source, question.compiled, code.machine_code};
}

ptx::StatedLaunch stated(const scene::CodeQuestion& question) {
  return ptx::stated_launch(question.kernel, question.place.values, question.gpu);
}

}  // namespace

scene::CodeAnswer read_code(const std::optional<KernelPtx>& code, const scene::CodeQuestion& question,
                            const std::string& source) {
  if (!code) {
    return {std::nullopt, not_brought};
  }
  const ptx::CompiledLaunch launch = compiled(*code, question, source);
  try {
    if (question.wanted == scene::CodeWanted::launch) {
      return {ptx::derived_launch(launch, stated(question), question.gpu), ""};
    }
    return {ptx::DerivedLaunch{ptx::derived_model(launch, stated(question), question.gpu), {}, {}}, "", true};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

scene::TraceAnswer read_steps(const std::optional<KernelPtx>& code, const scene::CodeQuestion& question,
                              const std::string& source) {
  if (!code) {
    return {nullptr, not_brought};
  }
  try {
    const ptx::BlockTrace trace = ptx::block_trace(compiled(*code, question, source), stated(question));
    return {std::make_shared<const ptx::BlockTrace>(trace), ""};
  } catch (const Error& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace rooftile::page
