// For tests: a program that uses the fake CUPTI as one that uses CUDA uses the real one, driver and all. Its
// arguments are what it does: begin-part and end-part stand around what it records itself, NAME=NANOSECONDS
// launches a kernel, step:NAME=NANOSECONDS does so in a function of that name, graph:NAME=NANOSECONDS has a
// graph launch it, push:NAME and pop stand around an NVTX range, capture and end-capture around what goes into
// a graph, flush hands over the trace, load:FILE loads a module, unload unloads one, double:NAME launches a
// kernel of it that writes 2 in[i] + x to out[i] of 64 numbers, whose first ones are an address of in's,
// packed:NAME does so with its parameters packed, threads=N has N threads do all that follows, and fork, abort,
// exit=STATUS speak for themselves.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

void* symbol(void* library, const char* name) {
  void* found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr) {
    std::fprintf(stderr, "no %s: %s\n", name, dlerror());
    std::exit(99);
  }
  return found;
}

// Loads the library as the driver does when the program first uses CUDA, in two threads at once: it is to
// begin once.
void inject() {
  const char* const library = std::getenv("CUDA_INJECTION64_PATH");
  if (library != nullptr && *library != '\0') {
    const auto initialize =
        reinterpret_cast<int (*)()>(symbol(dlopen(library, RTLD_NOW), "InitializeInjection"));
    std::thread other(initialize);
    initialize();
    other.join();
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

// Loads the library as rooftile's Python functions do.
void record_part(bool begins) {
  void* const library = dlopen(std::getenv("ROOFTILE_LIBRARY"), RTLD_NOW);
  if (!begins) {
    return reinterpret_cast<void (*)()>(symbol(library, "rooftile_end_part"))();
  }
  const char* const why_not = reinterpret_cast<const char* (*)()>(symbol(library, "rooftile_begin_part"))();
  if (why_not != nullptr) {
    std::fprintf(stderr, "%s\n", why_not);
    std::exit(98);
  }
}

class FakeCuda {
 public:
  FakeCuda() : library_(dlopen("libcupti.so.13", RTLD_NOW)) {}

  void launch(std::string word) {
    const bool by_graph = word.starts_with("graph:");
    word.erase(0, by_graph ? 6 : 0);
    const std::size_t equals = word.find('=');
    const std::string& name = keep(word.substr(0, equals));
    using Launch = void(const char*, unsigned, std::uint64_t, bool);
    reinterpret_cast<Launch*>(symbol(library_, "fake_launch"))(name.c_str(), 8,
                                                               std::stoull(word.substr(equals + 1)), by_graph);
  }
  void load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    reinterpret_cast<void (*)(const char*, std::size_t)>(symbol(library_, "fake_module"))(bytes.data(),
                                                                                          bytes.size());
  }
  void launch_double(const std::string& name, bool packed) {
    static std::array<float, 64> in, out;
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
    for (std::array<float, 64>* each : {&in, &out}) {
      reinterpret_cast<void (*)(void*, std::size_t)>(symbol(driver, "fake_memory"))(each, sizeof *each);
      each->fill(3);
    }
    const void* held = in.data();
    std::memcpy(in.data(), &held, sizeof held);
    float *from = in.data(), *to = out.data() + 32;
    struct {
      float x;
      int n;
      float* to;
    } rest{1, 32, to};
    void* parameters[] = {&from, &rest};
    const auto run = [](void** given) {
      const auto& [x, n, into] = *static_cast<decltype(rest)*>(given[1]);
      for (int i = 0; i < n; ++i) {
        into[i] = 2 * (*static_cast<float**>(given[0]))[i] + x;
      }
    };
    struct {
      float* from;
      decltype(rest) others;
    } all{from, rest};
    std::size_t bytes = sizeof all;
    const auto key = [](std::uintptr_t number) { return reinterpret_cast<void*>(number); };
    void* extra[] = {key(1), &all, key(2), &bytes, nullptr};  // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE
    using Launch = void(const char*, void**, void**, void (*)(void**));
    reinterpret_cast<Launch*>(symbol(library_, "fake_launch_with"))(keep(name).c_str(), parameters,
                                                                    packed ? extra : nullptr, run);
  }
  void capture(bool begins) { reinterpret_cast<void (*)(bool)>(symbol(library_, "fake_capture"))(begins); }
  void unload() { reinterpret_cast<void (*)()>(symbol(library_, "fake_unload"))(); }
  void range(const char* name) {
    reinterpret_cast<void (*)(const char*)>(symbol(library_, "fake_range"))(name);
  }
  void flush() { reinterpret_cast<int (*)(std::uint32_t)>(symbol(library_, "cuptiActivityFlushAll"))(0); }

 private:
  // A name must outlive the trace.
  const std::string& keep(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return names_.emplace_back(name);
  }

  void* library_;
  std::mutex mutex_;
  std::deque<std::string> names_;
};

// A call that stands last would take the place of this function on the stack.
[[gnu::noinline]] void step(const std::string& launch, FakeCuda& cuda) {
  cuda.launch(launch);
  asm volatile("");
}

void obey(const std::string& word, FakeCuda& cuda) {
  if (word == "fork") {
    if (const pid_t child = fork(); child == 0) {
      std::exit(0);
    } else {
      waitpid(child, nullptr, 0);
    }
  } else if (word == "begin-part" || word == "end-part") {
    record_part(word == "begin-part");
  } else if (word == "abort") {
    std::abort();
  } else if (word == "capture" || word == "end-capture") {
    cuda.capture(word == "capture");
  } else if (word == "unload") {
    cuda.unload();
  } else if (word.starts_with("push:") || word == "pop") {
    inject_ranges();
    cuda.range(word == "pop" ? nullptr : word.c_str() + 5);
  } else if (word.starts_with("load:")) {
    cuda.load(word.substr(5));
  } else if (word.starts_with("double:") || word.starts_with("packed:")) {
    cuda.launch_double(word.substr(7), word.starts_with("packed:"));
  } else if (word.starts_with("step:")) {
    step(word.substr(5), cuda);
  } else if (word == "flush") {
    cuda.flush();
  } else if (word.starts_with("exit=")) {
    std::exit(std::stoi(word.substr(5)));
  } else {
    cuda.launch(word);
  }
}

void in_threads(int count, const std::vector<std::string>& words, FakeCuda& cuda) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      for (const std::string& word : words) {
        obey(word, cuda);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace

int main(int argc, char** argv) {
  inject();
  static FakeCuda& cuda = *new FakeCuda;  // outlives the program, as CUDA does
  std::vector<std::string> words(argv + 1, argv + argc);
  while (!words.empty()) {
    const std::string word = words.front();
    words.erase(words.begin());
    if (word.starts_with("threads=")) {
      in_threads(std::stoi(word.substr(8)), std::exchange(words, {}), cuda);
    } else {
      obey(word, cuda);
    }
  }
  std::puts("done");
}
