// Notes that are written, kept in the session, and read again.
#include "app/scene/lesson/notes.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/apply_test.hpp"
#include "app/scene/lesson/lesson_play.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// The conductor does the same.
void keep_notes(AppState& state, const Actions& actions) {
  for (const Request& request : apply(state, actions)) {
    if (const auto* save = std::get_if<SaveNote>(&request)) {
      land(state, save->note);
    }
  }
}

void write_note(AppState& state, const std::string& words) {
  keep_notes(state, {OpenNote{}, TypeNote{words}, KeepNote{}});
}

std::vector<std::string> texts(const AppState& state) {
  std::vector<std::string> all;
  for (const Note& note : state.known.session.log->notes) {
    all.push_back(note.text);
  }
  return all;
}

// A recording with two notes: tile 32 with the map open, tile 8 at shared memory.
AppState noted() {
  AppState state = recorded_state();
  apply(state, {SetParameter{"TILE", 32}, ShowPanel{Panel::map}});
  write_note(state, "Guess first.\nThen look.");
  apply(state, {SetParameter{"TILE", 8}, ShowPanel{Panel::points}, SelectLevel{MemoryLevel::shared}});
  write_note(state, "Less reuse.");
  return state;
}

TEST(Notes, OpenWhereTheyWereWritten) {
  AppState state = noted();
  apply(state, {SetParameter{"TILE", 4}, SelectLevel{MemoryLevel::l2}, OpenLesson{notes_lesson}});
  EXPECT_EQ(dialled(state).at("TILE"), 32);
  EXPECT_TRUE(is_open(state.view, Panel::map));
  EXPECT_EQ(played_step(state)->text,
            (Prose{{Paragraph::Kind::text, "Guess first."}, {Paragraph::Kind::text, "Then look."}}));
  apply(state, {TurnLesson{1}});
  EXPECT_EQ(dialled(state).at("TILE"), 8);
  EXPECT_EQ(state.view.level, MemoryLevel::shared);
  EXPECT_THAT(state.settings.lessons, IsEmpty()) << "notes begin anew each time";
}

TEST(Notes, TheShownOneIsChangedOrRemoved) {
  AppState state = noted();
  apply(state, {OpenLesson{notes_lesson}, TurnLesson{1}, OpenNote{}});
  EXPECT_EQ(state.view.note, "Less reuse.");
  keep_notes(state, {TypeNote{"Half the reuse."}, KeepNote{}});
  EXPECT_THAT(texts(state), ElementsAre("Guess first.\nThen look.", "Half the reuse."));
  write_note(state, "");
  EXPECT_THAT(texts(state), SizeIs(1));
  EXPECT_EQ(shown_note(state)->id, 1) << "the reader is not left behind the last note";
  write_note(state, "");
  EXPECT_FALSE(lesson_of_notes(state));
}

TEST(Notes, WithoutTextNothingIsKept) {
  AppState state = recorded_state();
  write_note(state, "");
  keep_notes(state, {OpenNote{}, TypeNote{"never mind"}, DropNote{}, KeepNote{}});
  EXPECT_THAT(texts(state), IsEmpty());
}

// A session may come from a stranger.
TEST(Notes, OnAPlaceThatIsNotHereShowTheirTextAlone) {
  AppState state = recorded_state();
  const auto note = [&](std::uint64_t id, const char* kernel, const Parameters& dials,
                        const char* of_view = "") {
    land(state, Note{id, "a note", kernel, of_view, dials, Caches::cold, MemoryLevel::l2, of_view, of_view});
  };
  note(1, "<img src=x>", {{"TILE", 16}});
  note(2, "sgemm_tiled", {{"TILT", 16}});
  note(3, "sgemm_tiled", {{"TILE", 17.5}});
  note(4, "sgemm_tiled", {{"TILE", 8}}, "<script>");
  apply(state, {OpenLesson{notes_lesson}});
  const Parameters before = dialled(state);
  for (int step = 0; step < 3; ++step, apply(state, {TurnLesson{1}})) {
    EXPECT_EQ(dialled(state), before) << step;
    EXPECT_EQ(played_step(state)->text.size(), 2) << "its place is not here";
  }
  EXPECT_EQ(dialled(state).at("TILE"), 8);
  EXPECT_NE(gpu(state), nullptr);
}

}  // namespace
}  // namespace rooftile::scene
