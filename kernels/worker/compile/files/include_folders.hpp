// The folders of the toolkit's headers.
#pragma once

#include <filesystem>
#include <vector>

namespace rooftile::worker {

// The toolkit's headers (cuda_fp16.h, cooperative_groups.h) and CCCL's (cub/block/block_scan.cuh,
// cuda/std/...), of the first toolkit_folders() that has them, else what the build used.
std::vector<std::filesystem::path> toolkit_include_folders();

}  // namespace rooftile::worker
