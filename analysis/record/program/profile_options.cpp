#include "analysis/record/program/profile_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

constexpr const char* folder_variable = "ROOFTILE_PROFILE_FOLDER";
constexpr const char* kernel_variable = "ROOFTILE_PROFILE_KERNEL";
constexpr const char* shape_variable = "ROOFTILE_PROFILE_SHAPE";
constexpr const char* skip_variable = "ROOFTILE_PROFILE_SKIP";
constexpr const char* count_variable = "ROOFTILE_PROFILE_COUNT";
constexpr const char* every_variable = "ROOFTILE_PROFILE_EVERY";
constexpr const char* range_variable = "ROOFTILE_PROFILE_RANGE";
constexpr const char* replay_variable = "ROOFTILE_PROFILE_REPLAY";
constexpr const char* times_variable = "ROOFTILE_PROFILE_TIMES";
constexpr const char* by_range_variable = "ROOFTILE_PROFILE_BY_RANGE";
constexpr const char* by_caller_variable = "ROOFTILE_PROFILE_BY_CALLER";
constexpr const char* capture_variable = "ROOFTILE_PROFILE_CAPTURE";
constexpr const char* capture_limit_variable = "ROOFTILE_PROFILE_CAPTURE_LIMIT";

template <class Whole>
Whole count_in(const char* variable, std::string_view words) {
  Whole value = 0;
  const auto [end, failure] = std::from_chars(words.data(), words.data() + words.size(), value);
  if (failure != std::errc{} || end != words.data() + words.size() || value < Whole{0}) {
    throw Error(fmt::format("{}={}: expected a whole number from 0 on.", variable, words));
  }
  return value;
}

ReplayUse replay_use(std::string_view words) {
  const auto place = std::ranges::find(replay_words, words) - replay_words.begin();
  if (place == std::ssize(replay_words)) {
    throw Error(fmt::format("{}={}: expected never, seldom or always.", replay_variable, words));
  }
  return static_cast<ReplayUse>(place);
}

}  // namespace

std::map<std::string, std::string> variables_of(const ProfileOptions& options) {
  return {{folder_variable, options.folder.string()},
          {kernel_variable, options.kernel},
          {shape_variable, options.shape},
          {skip_variable, std::to_string(options.skip)},
          {count_variable, std::to_string(options.count)},
          {every_variable, std::to_string(options.every)},
          {range_variable, options.range},
          {times_variable, std::to_string(options.times)},
          {by_range_variable, options.by_range ? "1" : "0"},
          {by_caller_variable, options.by_caller ? "1" : "0"},
          {capture_variable, options.capture.string()},
          {capture_limit_variable, std::to_string(options.capture_limit)},
          {replay_variable, std::string(replay_words[static_cast<std::size_t>(options.replay)])}};
}

std::optional<ProfileOptions> profile_options(const std::function<const char*(const char*)>& value_of) {
  const auto words = [&](const char* variable) {
    const char* value = value_of(variable);
    return std::string(value != nullptr ? value : "");
  };
  const auto number = [&](const char* variable) {
    return words(variable).empty() ? 0 : count_in<int>(variable, words(variable));
  };
  ProfileOptions options{words(folder_variable), words(kernel_variable), number(skip_variable),
                         number(count_variable), number(every_variable), words(range_variable)};
  if (const std::string use = words(replay_variable); !use.empty()) {
    options.replay = replay_use(use);
  }
  options.times = std::max(number(times_variable), 1);
  options.by_range = number(by_range_variable) > 0;
  options.by_caller = number(by_caller_variable) > 0;
  options.capture = words(capture_variable);
  options.shape = words(shape_variable);
  if (const std::string limit = words(capture_limit_variable); !limit.empty()) {
    options.capture_limit = count_in<std::uint64_t>(capture_limit_variable, limit);
  }
  if (options.folder.empty()) {
    return {};
  }
  return options;
}

std::filesystem::path question_socket(const ProfileOptions& options) {
  return options.folder / "questions";
}

}  // namespace rooftile
