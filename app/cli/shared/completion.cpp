#include "app/cli/shared/completion.hpp"

#include <algorithm>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

using TypedWords = std::vector<std::string>;

const CLI::App* verb_of(const CLI::App& app, const std::string& word) {
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->check_name(word)) {
      return verb;
    }
  }
  return nullptr;
}

TypedWords verbs(const CLI::App& app) {
  TypedWords all;
  for (const CLI::App* verb : app.get_subcommands({})) {
    all.push_back(verb->get_name());
  }
  return all;
}

TypedWords options(const CLI::App& app, const CLI::App& verb) {
  TypedWords all;
  for (const CLI::App* each : {&verb, &app}) {
    for (const CLI::Option* option : each->get_options({})) {
      for (const std::string& name : option->get_lnames()) {
        all.push_back("--" + name);
      }
    }
  }
  return all;
}

// "TILE=", or each of its values where the name is typed.
TypedWords dials(const Manifest& kernel, const std::string& typed) {
  TypedWords all;
  for (const Parameter& parameter : kernel.parameters) {
    const std::string start = parameter.name + "=";
    if (!typed.starts_with(start)) {
      all.push_back(start);
      continue;
    }
    for (const double value : parameter.values) {
      all.push_back(start + number(value));
    }
  }
  return all;
}

TypedWords offered(const CLI::App& app, const std::vector<Manifest>& kernels, const std::vector<Gpu>& gpus,
                   const TypedWords& before, const std::string& typed) {
  const CLI::App* verb = &app;
  const Manifest* kernel = nullptr;
  for (const std::string& word : before) {
    const CLI::App* inner = verb_of(*verb, word);
    verb = inner ? inner : verb;
    const auto named = std::ranges::find(kernels, word, &Manifest::name);
    kernel = named != kernels.end() ? &*named : kernel;
  }
  TypedWords all;
  if (!before.empty() && before.back() == "--gpu") {
    std::ranges::transform(gpus, std::back_inserter(all), &Gpu::name);
  } else if (!before.empty() && before.back() == "--caches") {
    all = {"cold", "warm"};
  } else if (typed.starts_with("-")) {
    all = options(app, *verb);
  } else if (!verb->get_subcommands({}).empty()) {
    all = verbs(*verb);
  } else if (kernel) {
    all = dials(*kernel, typed);
  } else {
    std::ranges::transform(kernels, std::back_inserter(all), &Manifest::name);
  }
  return all;
}

}  // namespace

TypedWords completions(const CLI::App& app, const std::vector<Manifest>& kernels, const std::vector<Gpu>& gpus,
                       const TypedWords& words) {
  if (words.empty()) {
    return verbs(app);
  }
  TypedWords all = offered(app, kernels, gpus, {words.begin(), words.end() - 1}, words.back());
  std::erase_if(all, [&](const std::string& word) { return !word.starts_with(words.back()); });
  return all;
}

}  // namespace rooftile::cli
