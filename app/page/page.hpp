// The window's state in a page: kernels, GPUs and a session come with the page, and nothing is launched,
// compiled or read from a disk.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/exchange/page_code.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/requests.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::page {

// For the browser to save where downloads go.
struct Download {
  std::string name, text;
};

class Page {
 public:
  // data: see page_data.hpp. Throws Error for data that cannot be read.
  explicit Page(std::string_view data);

  const scene::AppState& state() const { return state_; }
  // Lets the time pass [s]. True if there is something new to draw.
  bool news(double now);
  // Carries out what the user asked for; a message says what a page cannot do.
  void apply(const scene::Actions& actions);
  // Shows this session instead, or opens this lesson (.md). A text that is neither becomes a message.
  void open_file(const std::string& name, std::string_view text);
  // The compiled code that the page brings, see page_code.hpp. Until then nobody reads any.
  void use_code(std::string lines);
  bool is_moving() const;  // the next frame will look different
  // The words of the window, for a reader who does not see the picture.
  std::string words() const;

  std::optional<Download> take_download();
  bool take_picture_request();  // of the frame that was just drawn
  bool take_licences_request();

 private:
  void show(SessionLog log);
  bool read_code();
  void open_session(const std::string& name, std::string_view text);
  void open_lesson(const std::string& name, std::string_view text);
  void carry_out(const scene::MeasurePlace&) {}  // a place that was not recorded is predicted
  void carry_out(const scene::SaveNote&);
  void carry_out(const scene::SaveConstants&);
  void carry_out(const scene::SaveWinner&);
  void carry_out(const scene::ExportSession&);
  void carry_out(const scene::ExportDrawing&);
  void carry_out(const scene::ExportPicture&) { picture_asked_ = true; }
  void carry_out(const scene::ShowLicences&) { licences_asked_ = true; }
  template <class OfADevice>
  void carry_out(const OfADevice&);

  scene::AppState state_;
  std::optional<PageCode> code_;
  double acted_ = 0;     // [s] when the user did something last
  double reads_on_ = 0;  // [s] when other places than the dialled one may be read again
  bool reads_code_ = false;
  std::optional<Download> download_;
  bool picture_asked_ = false, licences_asked_ = false;
};

}  // namespace rooftile::page
