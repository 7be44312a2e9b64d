#include "app/page/read_code.hpp"

#include "analysis/text/error.hpp"

namespace rooftile::page {

scene::CodeAnswer read_code(const std::optional<KernelPtx>& code, const scene::CodeQuestion& question,
                            const std::string& source) {
  if (!code) {
    return {std::nullopt, "This page does not bring the compiled code of this launch."};
  }
  try {
    const ptx::StatedLaunch stated = ptx::stated_launch(question.kernel, question.place.values, question.gpu);
    return {ptx::derived_launch({code->ptx, code->symbol, source, question.compiled}, stated, question.gpu),
            ""};
  } catch (const Error& error) {
    return {std::nullopt, error.what()};
  }
}

}  // namespace rooftile::page
