// The state of the window: what is known, what the user has chosen, how it is looked at, and what follows from
// these. Panels read it through const and append to Actions; apply() is the one place where a user changes it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/configuration.hpp"
#include "app/scene/state/choice.hpp"
#include "app/scene/state/derived.hpp"
#include "app/scene/state/knowledge.hpp"
#include "app/scene/state/settings.hpp"
#include "app/scene/state/view.hpp"

namespace rooftile::scene {

// The source of the figures on the screen. live: a device measures. recorded: a file is read, nothing is
// launched. predicted: the compiler and the model answer for the chosen GPU, no device is used.
enum class Mode { live, recorded, predicted };

struct AppState {
  Knowledge known;
  Choice choice;
  std::vector<Choice> older_choices;  // which Undo brings back, the newest last
  View view;
  Settings settings;
  float display_scale = 1;  // of the monitor; settings.scale contains it
  Derived derived;
  double now = 0;  // [s] since the window opened
};

inline constexpr std::size_t most_compared = 3;
inline constexpr double motion_seconds = 0.15;
inline constexpr double message_seconds = 20;

const Manifest& kernel(const AppState& state);
Parameters dialled(const AppState& state);           // complete
Configuration configuration(const AppState& state);  // what the dials say
const Gpu* gpu(const AppState& state);               // empty where nothing is known of the chosen one
const Gpu* gpu_called(const AppState& state, const std::string& name);  // of the session, else of the table
// A GPU of the session to compare the chosen one with: the same one in another session, else the last. Empty:
// there is no other.
std::string other_gpu(const AppState& state);
// A launch of the session, or a prediction that was visited; null where there is none.
const Point* find_point(const AppState& state, std::uint64_t id);
// The mode of the chosen GPU and kernel: live on the session's device, recorded where there are points, else
// predicted.
Mode mode(const AppState& state);

// The one place for what goes wrong and for what was done; a newer message replaces the older one.
void tell(AppState& state, Message::Kind kind, std::string text);

// Lets the time pass: ends a motion and an old message. True if there is something new to draw.
bool pass_time(AppState& state, double now);

// While a presentation is shown.
Presentation::Frozen what_freezes(const AppState& state);
// The picture of a presentation stays as it was, whatever the dials say.
bool is_frozen(const AppState& state);
// The steps of the picture that is open; 0: none is, or it has none.
std::size_t steps_shown(const AppState& state);

// [s] What the timer of the presentation shows at this time.
int seconds_presented(const AppState& state, double now);

}  // namespace rooftile::scene
