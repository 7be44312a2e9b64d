// The code of a host that launches kernels: what its names stand for where they are used.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/source/launch/c_expression.hpp"
#include "analysis/source/launch/host_functions.hpp"
#include "analysis/source/launch/host_launches.hpp"

namespace rooftile {

// Words of the code, and the position where they stand.
struct HostWords {
  std::string words;
  std::size_t place = 0;
};

class HostCode {
 public:
  // kernel: where a function is called several times, the call that names it counts; may be empty.
  explicit HostCode(std::string_view code, std::string kernel = "");

  // A launch through a pointer is one of each kernel that the pointer is set to.
  std::vector<HostLaunch> launches() const;
  const std::string& text() const { return text_; }  // where a launch has its place
  bool has_macro(std::string_view name) const { return macros_.contains(name); }
  int line_of(std::size_t place) const;  // from 1
  // The code sets the name to this text before the place: "Traits<64>" after using Big = Traits<64>.
  std::string value_of(std::string_view name, std::size_t place) const;
  // Whether the function around the place is a template, and this one of its parameters.
  bool is_template_parameter(std::string_view name, std::size_t place) const;

  // The expression with what its names stand for before `place`, as far as the code says. known: names that
  // have a meaning already.
  CExpression resolved(const CExpression& expression, std::size_t place, const Meaning& known) const;
  // The sides of a dim3: of its constructor, or of the variable that is one; else the words themselves.
  std::vector<HostWords> sides_of(const HostWords& vector) const;
  // The bytes that cudaMalloc gives a pointer, also where a caller does.
  std::optional<HostWords> allocated(const HostWords& pointer) const;
  // Whether it is set to zeros by cudaMemset and nothing is copied there, likewise.
  bool is_zeroed(const HostWords& pointer) const;

 private:
  // The value that a name is set to: "3" or the sides of a vector.
  struct Definition {
    std::vector<std::string> sides;
    std::size_t place = 0;
  };
  using Found = std::optional<CExpression>;

  // The words of the first call of such a function that a pointer is the first argument of, in this function or
  // in one that calls it; of cudaMalloc also cudaMallocManaged.
  std::vector<HostWords> call_on(HostWords pointer, std::string_view function) const;
  std::vector<std::string> pointed_to(const HostWords& pointer, int steps) const;
  std::vector<HostWords> arguments_of_callers(const HostWords& name) const;
  // The expression that a call of a host function returns, if one statement says so.
  std::optional<HostWords> returned_by(const std::string& call) const;
  const HostFunction* function_at(std::size_t place) const;
  std::vector<Definition> definitions(const std::string& name, std::size_t place) const;
  void add_definitions(const std::string& name, TextSpan span, bool outside_functions,
                       std::vector<Definition>& all) const;
  std::string_view type_named_at(std::size_t place) const;
  bool follows_type(std::size_t place) const;
  bool is_vector_at(std::size_t place) const;
  std::string_view value_at(std::size_t begin) const;
  std::optional<HostWords> argument_of_caller(const HostWords& name) const;
  std::vector<HostWords> sides_of(const HostWords& vector, int steps) const;
  CExpression resolved(const CExpression& expression, std::size_t place, const Meaning& known, int steps) const;
  Found meaning_of(const std::string& name, std::size_t place, const Meaning& known, int steps) const;
  Found side_of(const std::string& name, std::size_t place, const Meaning& known, int steps) const;

  std::string text_;  // masked
  std::string kernel_;
  std::vector<HostFunction> functions_;
  std::map<std::string, std::string, std::less<>> macros_;  // without arguments
};

}  // namespace rooftile
