// [let]: a name for an expression that stands in a file more than once. It may use the parameters and other
// lets, in any order: keys of TOML have none.
#include <map>
#include <set>

#include "analysis/manifest/manifest_sections.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

class LetReader {
 public:
  LetReader(const TomlTable& table, const Names& parameters)
      : table_(table), known_(joined(parameters, gpu_names)) {}

  Substitutes read() {
    Names names;
    for (const std::string_view key : table_.keys()) {
      if (is_name(std::string(key))) {
        names.emplace_back(key);
      }
    }
    for (const std::string& name : names) {
      if (const auto written = expression(table_, name, {joined(known_, names), {}})) {
        uses_[name] = written->names();
      } else {
        lets_[name] = "0";
      }
    }
    for (const auto& [name, used] : uses_) {
      resolve(name);
    }
    return std::move(lets_);
  }

 private:
  bool is_name(const std::string& key) const {
    const std::size_t before = table_.mistakes();
    identifier(table_, key, key);
    if (key.empty() || std::ranges::find(known_, key) != known_.end()) {
      table_.tell(key, fmt::format("the name \"{}\" is taken; choose another", key));
    }
    return table_.mistakes() == before;
  }

  // The lets that it uses come first.
  void resolve(const std::string& name) {
    if (lets_.contains(name)) {
      return;
    }
    bool runs_in_circle = false;
    open_.insert(name);
    for (const std::string& used : uses_.at(name)) {
      if (open_.contains(used)) {
        table_.tell(name, used == name ? fmt::format("{} needs itself", name)
                                       : fmt::format("{} needs {}, which needs {} itself", name, used, name));
        runs_in_circle = true;
      } else if (uses_.contains(used)) {
        resolve(used);
      }
    }
    open_.erase(name);
    const auto whole = runs_in_circle ? std::nullopt : expression(table_, name, {known_, lets_});
    lets_[name] = whole ? whole->full_text() : "0";
  }

  const TomlTable& table_;
  const Names known_;                  // the parameters, and what some expressions know besides
  std::map<std::string, Names> uses_;  // names in the expression of a let, by let
  std::set<std::string> open_;         // lets that are being resolved
  Substitutes lets_;                   // lets that are resolved
};

}  // namespace

Substitutes read_lets(const TomlTable& file, const Names& parameters) {
  const auto table = file.has("let") ? file.table("let") : std::nullopt;
  constexpr std::size_t most = 64;
  if (table && table->keys().size() > most) {
    file.tell("let", fmt::format("there are {} names in [let], more than the {} that are read",
                                 count(static_cast<double>(table->keys().size())), most));
    return {};
  }
  return table ? LetReader(*table, parameters).read() : Substitutes{};
}

}  // namespace rooftile
