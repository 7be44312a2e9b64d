// Where the figures on the screen come from.
#pragma once

namespace rooftile {

// live: a device measures. recorded: a file is read, nothing is launched. predicted: the compiler and the model
// answer for a chosen GPU, no device is used.
enum class Mode { live, recorded, predicted };

}  // namespace rooftile
