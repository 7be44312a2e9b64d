// The form in which the launch of a kernel of the user's own is filled in.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/launch/launch_edit.hpp"

namespace rooftile::scene {

struct FormCell {
  FormField field;
  std::string text;
  bool typed = false;  // and not saved yet
  std::string wrong;   // a sentence; empty: it is valid
};

// The launch of a kernel of the user's own, to be filled in.
struct LaunchForm {
  struct OfArgument {
    std::string name;                       // of the kernel's parameter; where the source does not say it "2."
    std::string declaration;                // "const float* in"; likewise the type of the argument
    FormCell given;                         // an expression, or the name of a buffer
    std::vector<std::string> choices = {};  // of buffers
    bool is_name = false;                   // one of the choices is given
    bool is_surplus = false;                // the source declares no such parameter
    std::string note = {};                  // may be empty
  };
  struct OfParameter {
    std::string name, role;
    bool can_be_renamed = false;                // the name of a macro is the source's
    std::optional<std::string> why_no_removal;  // a sentence
    FormCell values, default_value;
  };
  struct OfBuffer {
    std::string name;
    std::optional<std::string> why_no_removal;
    FormCell element, count, role;
    std::string size;          // at the present dials
    bool has_numbers = false;  // whole numbers that are read: their bound and order can be said
    FormCell below = {}, order = {};
  };
  struct OfGlobal {  // a __constant__ or __device__ variable
    std::string name;
    FormCell element, fill, value;
    bool has_value = false;  // all its elements are one
  };

  std::string file;    // that says it
  std::string source;  // its name
  std::vector<OfArgument> arguments;
  std::vector<OfParameter> parameters;
  std::vector<std::string> free_macros;  // of the source, that are no parameters
  std::vector<OfBuffer> buffers;
  std::vector<OfGlobal> globals;
  std::array<FormCell, 3> block, grid;
  FormCell dynamic_shared;
  std::string comes_to;            // at the present dials: "With N=1024: 4 blocks of 256 threads, ..."
  std::string cannot_launch;       // there, in a sentence; empty: it can
  std::vector<std::string> wrong;  // sentences of no field
  bool has_more_kernels = false;   // the source: others, or other instances
  bool edited = false;
  std::string launch_origin;  // "as in line 57 of mine.cu", "a guess"; empty: a person has confirmed the file
  std::optional<std::string> why_no_save;  // empty: what was typed is valid
};

}  // namespace rooftile::scene
