// The faces and sizes of text, the same in the window and in files.
#pragma once

namespace rooftile::scene {

enum class Type { small, body, heading, title, figure, figure_strong, figure_small };

struct TypeFace {
  bool mono = false;  // numbers and code; words are set in the sans
  bool bold = false;
  float size = 15;  // [px] at scale 1
};

constexpr TypeFace face(Type type) {
  switch (type) {
    case Type::small:
      return {.size = 13};
    case Type::body:
      break;
    case Type::heading:
      return {.bold = true, .size = 16};
    case Type::title:
      return {.bold = true, .size = 20};
    case Type::figure:
      return {.mono = true};
    case Type::figure_strong:
      return {.bold = true};
    case Type::figure_small:
      return {.mono = true, .size = 13};
  }
  return {};
}

}  // namespace rooftile::scene
