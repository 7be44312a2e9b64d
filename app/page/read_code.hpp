// Reads the compiled code of a place while the browser waits.
#pragma once

#include "analysis/exchange/page_code.hpp"
#include "app/scene/state/code_answer.hpp"

namespace rooftile::page {

// code: empty where the page does not bring it. source: the text of the kernel's file.
scene::CodeAnswer read_code(const std::optional<KernelPtx>& code, const scene::CodeQuestion& question,
                            const std::string& source);

// The same of the steps of a block.
scene::TraceAnswer read_steps(const std::optional<KernelPtx>& code, const scene::CodeQuestion& question,
                              const std::string& source);

}  // namespace rooftile::page
