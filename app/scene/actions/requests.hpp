// Requests to the session and the program: the user's actions that are not the business of the state, and what
// follows from the other actions.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "analysis/manifest/configuration.hpp"
#include "analysis/record/note.hpp"
#include "app/scene/launch/launch_edit.hpp"

namespace rooftile::scene {

// Measured on the device, or only compiled where another GPU is chosen.
struct MeasurePlace {
  Configuration configuration;
  std::vector<Configuration> next;  // to compile meanwhile: where the dials may go from there
};
struct CountLinesOf {
  Configuration configuration;
};
struct MeasureRoofs {};  // all of them anew
struct Sweep {
  std::vector<Configuration> configurations;
  bool compile_ahead = true;
};
struct SearchOn {
  Configuration configuration;
};                      // the next launch of the search for the best
struct CancelSweep {};  // and the search for the best
struct PauseSweep {};   // a second time: goes on
struct WaitLonger {};   // for a launch that takes long
struct StopLaunch {};
struct StartWorker {};  // after it was given up
struct UseDevice {
  int index = 0;
};                     // of the machine's GPUs, for the launches from now on
struct RunProgram {};  // the program of the command line, again
struct EndProgram {};  // by SIGTERM
struct CaptureLaunch {
  std::string kernel;
  std::string shape;  // as shape_text() says it
};                    // while the program runs again; it is opened then
struct ReadKernel {
  std::string name;
};  // of the source that is asked about
struct AskForKernelOf {
  std::filesystem::path source;
};  // another kernel of this source
struct SaveManifest {
  ManifestEdit edit;
};  // then the kernel is read again and measured
struct SaveNote {
  Note note;
};
struct SaveConstants {};  // of the best launch
struct SaveWinner {};     // as JSON
struct ExportPicture {};  // of the frame that was just drawn
struct ExportDrawing {};  // the picture that is open, as SVG
struct ExportSession {};
struct ShowLicences {};  // of the libraries that rooftile carries
struct ExportPage {};    // that a browser opens, with the session and the lesson that is played

using Request = std::variant<MeasurePlace, CountLinesOf, MeasureRoofs, Sweep, SearchOn, CancelSweep, PauseSweep,
                             WaitLonger, StopLaunch, StartWorker, UseDevice, RunProgram, EndProgram,
                             CaptureLaunch, ReadKernel, AskForKernelOf, SaveManifest, SaveNote, SaveConstants,
                             SaveWinner, ExportPicture, ExportDrawing, ExportSession, ExportPage, ShowLicences>;
using Requests = std::vector<Request>;

}  // namespace rooftile::scene
