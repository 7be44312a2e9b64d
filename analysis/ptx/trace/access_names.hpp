// The access of the compiled code that a manifest means.
#pragma once

#include "analysis/ptx/trace/block_trace.hpp"

namespace rooftile::ptx {

// Gives an access the name that the manifest has for it: the one of the same kind that agrees best in its
// addresses, in the array or buffer, and in its width. Others that share a name get their width beside it.
void name_as_stated(BlockTrace& trace, const Model& stated);

}  // namespace rooftile::ptx
