// A worker on another machine. "ssh" is a script that runs what it is told to in a home of its own.
#include <cstdlib>
#include <iterator>

#include "analysis/platform/run_program.hpp"
#include "app/session/session_test.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class OnHost : public SessionTest {
 protected:
  OnHost() : path_(std::getenv("PATH")) {
    for (const char* folder : {"home", "bin", "data/kernels/copy", "data/assets", "mine"}) {
      fs::create_directories(area_.path() / folder);
    }
    write("data/kernels/copy/kernel.toml", "title = \"Copy\"\n");
    write("mine.cu", "old");
    write("mine/kernel.toml", "title = \"Mine\"\n");
    write("mine/--to-command=false", "a name that is an option of tar's");
    ssh("eval \"$*\"");
    setenv("PATH", ((area_.path() / "bin").string() + ":" + path_).c_str(), 1);
  }
  ~OnHost() override { setenv("PATH", path_.c_str(), 1); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(area_.path() / name) << text;
  }
  std::string read(const fs::path& file) const {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Writes the made-up ssh. It runs `does` in the home of the other machine, and notes which part was asked
  // for.
  void ssh(const std::string& does) const {
    write("bin/ssh",
          "#!/bin/sh\nwhile :; do case $1 in -o) shift 2 ;; -n) exec </dev/null; shift ;; -T) shift ;; *) "
          "break ;; esac; done\n"
          "[ \"$1\" = box ] || exit 9\nshift; cd " +
              (area_.path() / "home").string() +
              "; HOME=$PWD\ncase $* in *\" worker\"*) echo worker ;; *\" take\"*) echo own ;; *tar*) echo copy "
              ";; esac >>../asked\n" +
              does + "\n");
    fs::permissions(area_.path() / "bin/ssh", fs::perms::owner_all);
  }
  std::string asked() const { return read(area_.path() / "asked"); }

  SessionOptions on_box() const {
    SessionOptions there = options();
    there.worker = {"/bin/sh", ROOFTILE_SOURCE_DIR "/assets/on_host.sh", SCRIPTED_WORKER,
                    (area_.path() / "data").string(), "box"};
    there.over_network = true;
    there.restart_pause = std::chrono::milliseconds(10);
    return there;
  }
  fs::path there(const std::string& name) const {
    for (const auto& each : fs::recursive_directory_iterator(area_.path() / "home")) {
      if (each.path().string().ends_with(name)) {
        return each.path();
      }
    }
    return {};
  }
  fs::path mine() const { return area_.path() / "mine"; }

 private:
  const platform::TemporaryFolder area_;
  const std::string path_;
};

TEST_F(OnHost, WhatTheMachineLacksIsCopiedOnce) {
  for (const char* parts : {"copy\nworker\n", "copy\nworker\nworker\n"}) {
    Session live(on_box());
    poll_until(live, [&] { return live.device() != nullptr; });
    live.request(tile(8));
    finish(live);
    EXPECT_THAT(points(live.log()), testing::Contains("TILE=8"));
    EXPECT_EQ(asked(), parts);
  }
  EXPECT_FALSE(there("kernels/copy/kernel.toml").empty());
  EXPECT_TRUE(there(".part").empty());
}

TEST_F(OnHost, OwnKernelsGoThereWhenTheyChange) {
  SessionOptions there_too = on_box();
  there_too.kernel_folders = {mine()};
  Session live(there_too);
  const auto wait = [&] { poll_until(live, [&] { return !live.starting(); }); };
  wait();
  EXPECT_EQ(read(there("mine/kernel.toml")), "title = \"Mine\"\n");
  EXPECT_EQ(read(there("/mine.cu")), "old");
  EXPECT_FALSE(there("--to-command=false").empty());
  live.use_kernels({mine()});
  wait();
  EXPECT_EQ(asked(), "copy\nown\nworker\nworker\n") << "they have not changed";
  write("mine.cu", "new");
  live.use_kernels({mine()});
  wait();
  EXPECT_EQ(read(there("/mine.cu")), "new");
}

TEST_F(OnHost, ALostConnectionLosesNothingAndBlamesNothing) {
  // The first three connections end after nine lines.
  ssh("case $* in *\" worker\"*) if [ $(grep -c worker ../asked) -le 3 ]; then exec 3<&0\n"
      "{ eval \"$*\" <&3 & echo $! >../pid; } | sed -u 9q; kill $(cat ../pid); exit 255\nfi ;; esac\neval "
      "\"$*\"");
  Session live(on_box());
  poll_until(live, [&] { return live.device() != nullptr; });
  live.sweep({tile(4), tile(8), tile(16), tile(32)}, Session::Ahead::no);
  finish(live);
  EXPECT_THAT(points(live.log()), ElementsAre("TILE=4", "TILE=8", "TILE=16", "TILE=32"));
  EXPECT_THAT(asked(), HasSubstr("worker\nworker\n"));
}

TEST_F(OnHost, WhatSshSaysIsTold) {
  ssh("echo 'ssh: connect to host box port 22: Connection refused' >&2; exit 255");
  Session live(on_box());
  poll_until(live, [&] { return !live.starting(); });
  EXPECT_EQ(live.device(), nullptr);
  ASSERT_THAT(live.facilities(), testing::Not(testing::IsEmpty()));
  EXPECT_THAT(live.facilities().front().sentence, HasSubstr("port 22: Connection refused"));
}

TEST_F(OnHost, AHostIsNoOption) {
  for (const char* host : {"", "-oProxyCommand=x", "two words"}) {
    EXPECT_THAT([&] { command_on(host); }, testing::ThrowsMessage<Error>(HasSubstr("is no host")));
  }
  EXPECT_THAT(command_on("me@box"), SizeIs(5));
}

}  // namespace
}  // namespace rooftile
