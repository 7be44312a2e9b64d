// For tests: a program that uses the fake CUPTI as one that uses CUDA uses the real one, driver and all. Its
// arguments are what it does: NAME=NANOSECONDS launches a kernel, graph:NAME=NANOSECONDS has a graph launch it,
// push:NAME and pop stand around an NVTX range, capture and end-capture around what goes into a graph, flush
// hands over the trace, and fork, abort, exit=STATUS speak for themselves.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <utility>

namespace {

void* symbol(void* library, const char* name) {
  void* found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr) {
    std::fprintf(stderr, "no %s: %s\n", name, dlerror());
    std::exit(99);
  }
  return found;
}

// Loads the library as the driver does when the program first uses CUDA.
void inject() {
  if (const char* library = std::getenv("CUDA_INJECTION64_PATH")) {
    reinterpret_cast<int (*)()>(symbol(dlopen(library, RTLD_NOW), "InitializeInjection"))();
  }
}

// Loads the library as NVTX does when the program first calls it.
void inject_ranges() {
  static bool is_done = false;
  const char* library = std::getenv("NVTX_INJECTION64_PATH");
  if (library != nullptr && !std::exchange(is_done, true)) {
    reinterpret_cast<int (*)(void*)>(symbol(dlopen(library, RTLD_NOW), "InitializeInjectionNvtx2"))(nullptr);
  }
}

class FakeCuda {
 public:
  FakeCuda() : library_(dlopen("libcupti.so.13", RTLD_NOW)) {}

  void launch(std::string word) {
    const bool by_graph = word.starts_with("graph:");
    word.erase(0, by_graph ? 6 : 0);
    const std::size_t equals = word.find('=');
    const std::string& name = names_.emplace_back(word.substr(0, equals));  // which must outlive the trace
    using Launch = void(const char*, unsigned, std::uint64_t, bool);
    reinterpret_cast<Launch*>(symbol(library_, "fake_launch"))(name.c_str(), 8,
                                                               std::stoull(word.substr(equals + 1)), by_graph);
  }
  void capture(bool begins) { reinterpret_cast<void (*)(bool)>(symbol(library_, "fake_capture"))(begins); }
  void range(const char* name) {
    reinterpret_cast<void (*)(const char*)>(symbol(library_, "fake_range"))(name);
  }
  void flush() { reinterpret_cast<int (*)(std::uint32_t)>(symbol(library_, "cuptiActivityFlushAll"))(0); }

 private:
  void* library_;
  std::deque<std::string> names_;
};

void obey(const std::string& word, FakeCuda& cuda) {
  if (word == "fork") {
    if (const pid_t child = fork(); child == 0) {
      std::exit(0);
    } else {
      waitpid(child, nullptr, 0);
    }
  } else if (word == "abort") {
    std::abort();
  } else if (word == "capture" || word == "end-capture") {
    cuda.capture(word == "capture");
  } else if (word.starts_with("push:") || word == "pop") {
    inject_ranges();
    cuda.range(word == "pop" ? nullptr : word.c_str() + 5);
  } else if (word == "flush") {
    cuda.flush();
  } else if (word.starts_with("exit=")) {
    std::exit(std::stoi(word.substr(5)));
  } else {
    cuda.launch(word);
  }
}

}  // namespace

int main(int argc, char** argv) {
  inject();
  static FakeCuda& cuda = *new FakeCuda;  // outlives the program, as CUDA does
  for (int i = 1; i < argc; ++i) {
    obey(argv[i], cuda);
  }
  std::puts("done");
}
