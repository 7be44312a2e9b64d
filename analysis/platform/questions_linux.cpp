#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "analysis/platform/questions.hpp"

namespace rooftile::platform {
namespace {

constexpr timeval patience{5, 0};
constexpr std::size_t longest_question = 1 << 20;

int new_socket() {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return descriptor;
}

// A socket's name holds 107 characters, a path of the system 4,095: the folder is named by its descriptor.
class SocketName {
 public:
  explicit SocketName(const std::filesystem::path& socket)
      : folder_(::open(socket.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    const std::string path =
        "/proc/self/fd/" + std::to_string(folder_.number()) + "/" + socket.filename().string();
    name_.sun_family = AF_UNIX;
    std::copy_n(path.data(), std::min(path.size(), sizeof name_.sun_path - 1), name_.sun_path);
  }
  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&name_); }
  static constexpr socklen_t size = sizeof(sockaddr_un);

 private:
  Descriptor folder_;
  sockaddr_un name_{};
};

std::string received(int descriptor) {
  std::string all;
  std::array<char, 4096> piece{};
  ssize_t size = 0;
  while (all.size() < longest_question && (size = ::recv(descriptor, piece.data(), piece.size(), 0)) > 0) {
    all.append(piece.data(), static_cast<std::size_t>(size));
  }
  return all;
}

bool send_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(descriptor, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
  }
  return true;
}

}  // namespace

Answerer::Answerer(const std::filesystem::path& socket, Answer answer)
    : answer_(std::move(answer)), listening_(new_socket()), ended_(::eventfd(0, EFD_CLOEXEC)) {
  const SocketName name(socket);
  constexpr int most_waiting = 64;
  if (::bind(listening_.number(), name.address(), SocketName::size) != 0 ||
      ::listen(listening_.number(), most_waiting) != 0) {
    throw Error("cannot make the socket " + socket.string() + ": " + strerror(errno));
  }
  thread_ = std::thread([this] { serve(); });
}

Answerer::~Answerer() {
  ::eventfd_write(ended_.number(), 1);
  thread_.join();
}

void Answerer::serve() const {
  std::array<pollfd, 2> both = {{{listening_.number(), POLLIN, 0}, {ended_.number(), POLLIN, 0}}};
  while (::poll(both.data(), both.size(), -1) >= 0 || errno == EINTR) {
    if (both[1].revents != 0) {
      return;
    }
    if (const Descriptor asker(::accept4(listening_.number(), nullptr, nullptr, SOCK_CLOEXEC));
        asker.number() >= 0) {
      ::setsockopt(asker.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      send_all(asker.number(), answer_(received(asker.number())) ? "y" : "n");
    }
  }
}

std::optional<bool> ask(const std::filesystem::path& socket, std::string_view question) {
  const Descriptor asking(new_socket());
  if (::connect(asking.number(), SocketName(socket).address(), SocketName::size) != 0 ||
      !send_all(asking.number(), question.substr(0, longest_question)) ||
      ::shutdown(asking.number(), SHUT_WR) != 0) {
    return std::nullopt;
  }
  const std::string answer = received(asking.number());
  return answer.empty() ? std::nullopt : std::optional(answer == "y");
}

}  // namespace rooftile::platform
