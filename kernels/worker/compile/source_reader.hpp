// The kernels of a source of somebody's own, as the compiler sees them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/exchange/compile_commands.hpp"
#include "analysis/source/kernels/source_kernels.hpp"
#include "kernels/worker/compile/nvrtc.hpp"

namespace rooftile::worker {

// given: what the user says of the compiler; compile_commands.json may say more. A macro that is a number and
// that the source mentions becomes a dial. wanted: the instance of a template, "reduce<float, 256>"; empty:
// the instance of a template that is launched, if nothing else is, or every kernel that is no template and what
// the headers' templates are launched as. Throws Error with the
// compiler's messages when the source does not compile, or when it has no such kernel.
SourceDescription describe_source(const Nvrtc& nvrtc, const std::filesystem::path& source,
                                  const std::string& wanted, const CompileOptions& given = {});

}  // namespace rooftile::worker
