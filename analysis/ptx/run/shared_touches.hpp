// Who touched each word of the shared memory of a block last, and when.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "analysis/ptx/run/request.hpp"

namespace rooftile::ptx {

struct Touch {
  std::int32_t instruction = -1;
  int warp = -1, lane = -1;
  int barriers = -1;  // that the block had passed
};

struct Race {
  Touch earlier, later;    // earlier: without an instruction where nobody had written the word
  std::uint64_t word = 0;  // of a meeting: its address is 4 times as large
};

class SharedTouches {
 public:
  explicit SharedTouches(std::size_t bytes) : words_((bytes + bytes_of_word - 1) / bytes_of_word) {}

  void touch(std::int32_t instruction, int warp, std::uint32_t lanes, const std::uint64_t* addresses, int bytes,
             AccessKind kind);
  void pass_barrier() { ++barriers_; }
  const std::vector<Race>& races() const { return races_; }        // each pair of instructions once
  const std::vector<Race>& meetings() const { return meetings_; }  // of two warps, each word once

 private:
  static constexpr std::uint64_t bytes_of_word = 4;
  struct Word {
    Touch write, atomic, read;
    Touch other_read;  // of another warp than `read`
  };
  void load(Word& word, const Touch& touch);
  void store(Word& word, const Touch& touch);
  void combine(Word& word, const Touch& touch);
  void meet(const Word& word, const Touch& earlier, const Touch& later);
  void tell(const Touch& earlier, const Touch& later);

  std::vector<Word> words_;
  int barriers_ = 0;
  std::vector<Race> races_, meetings_;
  std::set<std::uint64_t> met_;  // words
  std::set<std::pair<std::int32_t, std::int32_t>> told_;
};

}  // namespace rooftile::ptx
