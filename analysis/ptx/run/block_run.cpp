#include "analysis/ptx/run/block_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/ptx/program/program_analysis.hpp"

namespace rooftile::ptx {
namespace {

constexpr int named_barriers = 16, of_the_cluster = named_barriers;

}  // namespace

BlockRun::BlockRun(const Program& program, const ProgramLaunch& launch, const Budget& budget)
    : program_(program),
      launch_(launch),
      memory_(program, launch),
      accesses_(program, launch, memory_),
      constants_(constants_of(program)),
      loops_(program),
      hopeless_(loops_.all.size()),
      in_order_(budget.every_trip || std::ranges::any_of(program.instructions, &Instruction::stores)),
      arrived_(named_barriers + 1),
      budget_(budget.warp_instructions),
      left_(budget_) {
  const std::size_t warps =
      std::min(budget.warps,
               static_cast<std::size_t>((launch.launch.block.count() + lanes_of_warp - 1) / lanes_of_warp));
  if (launch.launch.block.count() > 1024 ||
      warps * static_cast<std::size_t>(program.registers) * sizeof(Lanes) > budget.register_bytes) {
    throw Error(fmt::format("{} registers of {} warps are more than is followed.", program.registers, warps));
  }
  warps_.reserve(warps);
  while (warps_.size() < warps) {
    warps_.emplace_back(program, constants_);
  }
}

void BlockRun::watch(SharedTouches& touches) {
  touches_ = &touches;
  accesses_.watch(touches);
}

void BlockRun::trace(SectorTrace& trace) {
  trace_ = &trace;
  accesses_.trace(trace);
}

void BlockRun::trace(RequestTrace& trace) {
  requests_ = &trace;
  accesses_.trace(trace);
}

void BlockRun::run(Dim3 block, Counts& counts) {
  counts_ = &counts;
  accesses_.start_block();
  if (trace_) {
    trace_->start_block(warps_.size());
  }
  if (requests_) {
    requests_->start_block(warps_.size());
  }
  std::ranges::fill(arrived_, 0);
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    warps_[i].start(launch_.launch, block, static_cast<int>(i));
  }
  of_warps_.assign(warps_.size(), 0);
  do {
    for (Warp& warp : warps_) {
      const double before = counts.instructions_of_warps(program_);
      run_warp(warp);
      of_warps_[static_cast<std::size_t>(warp.index())] += counts.instructions_of_warps(program_) - before;
    }
  } while (release());
  busiest_warp_ = std::max(busiest_warp_, *std::ranges::max_element(of_warps_));
  if (std::ranges::any_of(warps_, [](const Warp& warp) { return !warp.waiting.empty(); })) {
    fail(program_.instructions[last_wait_], "waits for threads that never come");
  }
}

void BlockRun::run_warp(Warp& warp) {
  studies_.clear();
  if (trace_) {
    trace_->enter(warp.index());
  }
  if (requests_) {
    requests_->enter(warp.index());
  }
  while (!warp.groups.empty()) {
    run_basic_block(warp, next_group(warp));
    if ((trace_ && trace_->is_full()) || (requests_ && requests_->is_full())) {
      warp.groups.clear();
      warp.alive = 0;
    }
  }
}

Warp::Group BlockRun::next_group(Warp& warp) const {
  Warp::Group next = warp.groups.back();
  if (warp.groups.size() == 1) {
    warp.groups.clear();
    return next;
  }
  next = {std::ranges::min(warp.groups, {}, &Warp::Group::block).block, 0};
  std::erase_if(warp.groups, [&](const Warp::Group& group) {
    next.lanes |= group.block == next.block ? group.lanes : 0;
    return group.block == next.block;
  });
  return next;
}

void BlockRun::run_basic_block(Warp& warp, Warp::Group group) {
  const BasicBlock& block = program_.blocks[group.block];
  const std::size_t cost = block.executed.size() + 1;
  if (left_ < cost) {
    throw BudgetSpent("The blocks that were looked at execute more instructions than are followed.");
  }
  left_ -= cost;
  leave_loops(group.block);
  if (trace_) {
    trace_->pass(cost);
  }
  counts_->block_warps[group.block] += 1;
  counts_->block_lanes[group.block] += std::popcount(group.lanes);
  const std::int32_t last = block.end - 1;
  for (const std::int32_t number : block.executed) {
    const std::uint32_t lanes = count_guarded(warp, number, group.lanes);
    if (number == last) {
      break;
    }
    if (lanes != 0) {
      step(warp, number, lanes);
    }
  }
  leave(warp, group.block, group.lanes);
  if (requests_) {  // its FLOPs are done once it is over
    requests_->pass(group.block, cost, group.lanes);
  }
}

std::uint32_t BlockRun::count_guarded(Warp& warp, std::int32_t number, std::uint32_t lanes) {
  const Instruction& x = program_.instructions[number];
  if (x.guard < 0 || x.op == Op::bra) {
    return lanes;
  }
  const std::uint32_t taking_part = warp.guarded(x, lanes);
  InstructionCounts& counts = counts_->instructions[number];
  counts.warps += taking_part != 0 ? 1 : 0;
  counts.lanes += std::popcount(taking_part);
  return taking_part;
}

void BlockRun::step(Warp& warp, std::int32_t number, std::uint32_t lanes) {
  const Instruction& x = program_.instructions[number];
  switch (x.op) {
    case Op::ld:
    case Op::st:
    case Op::atom:
    case Op::red:
    case Op::cp_async:
    case Op::cp_bulk:
    case Op::ldmatrix:
    case Op::stmatrix:
    case Op::mapa:
    case Op::mbarrier:
      return accesses_.run(warp, number, lanes, *counts_);
    case Op::cp_async_group:
      return end_or_await_copies(warp, x);
    case Op::call:
      fail(x, "calls a function, which is not followed");
    case Op::prefetch:
    case Op::mma:
    case Op::wgmma:
      return x.decides ? fail(x, "decides an address") : void();
    default:
      return compute(warp, number, lanes);
  }
}

void BlockRun::end_or_await_copies(const Warp& warp, const Instruction& x) {
  const std::string& name = program_.name_of(x);
  if (!touches_) {
    return;
  }
  if (name.starts_with("cp.async.commit_group")) {
    touches_->end_copy_group(warp.index());
  } else if (name.starts_with("cp.async.wait_group") && x.sources > 0) {
    touches_->await_copy_groups(warp.index(), static_cast<int>(program_.source(x)[0].value));
  } else {
    touches_->await_all_copies(warp.index());
  }
}

// One that decides nothing is there for its guard alone.
void BlockRun::compute(Warp& warp, std::int32_t number, std::uint32_t lanes) {
  const Instruction& x = program_.instructions[number];
  if (!x.decides) {
    return;
  }
  if (loops_.is_comparison[number] && !studies_.empty()) {
    note(comparison(warp, program_, number, lanes));
  }
  warp.compute(x, lanes);
}

void BlockRun::note(const Comparison& comparison) {
  constexpr std::size_t most = 50'000;
  if (comparisons_.size() >= most) {
    comparisons_.clear();
    std::ranges::for_each(studies_, &LoopStudy::forget);
  }
  comparisons_.push_back(comparison);
}

void BlockRun::leave(Warp& warp, std::int32_t block, std::uint32_t lanes) {
  const std::int32_t last = program_.blocks[block].end - 1;
  const Instruction& x = program_.instructions[last];
  const std::uint32_t taking_part = warp.guarded(x, lanes);
  const std::int32_t next = block + 1;
  switch (x.op) {
    case Op::bra:
      return branch(warp, x, taking_part, lanes, next);
    case Op::exit:
      warp.alive &= ~taking_part;
      return go_to(warp, next, lanes & ~taking_part);
    case Op::bar:
    case Op::barrier_cluster:
      last_wait_ = last;
      go_to(warp, next, lanes & ~taking_part);
      return wait(warp, x, taking_part, next);
    case Op::brx:
    case Op::trap:
      if (taking_part != 0) {
        fail(x, "is reached, and is not followed");
      }
      return go_to(warp, next, lanes);
    default:
      if (taking_part != 0 && x.executed) {
        step(warp, last, taking_part);
      }
      return go_to(warp, next, lanes);
  }
}

void BlockRun::go_to(Warp& warp, std::int32_t block, std::uint32_t lanes) {
  if (lanes == 0) {
    return;
  }
  if (block >= static_cast<std::int32_t>(program_.blocks.size())) {
    warp.alive &= ~lanes;
    return;
  }
  warp.groups.push_back({block, lanes});
}

void BlockRun::branch(Warp& warp, const Instruction& x, std::uint32_t taking, std::uint32_t lanes,
                      std::int32_t next) {
  counts_->divergent_branches += taking != 0 && taking != lanes ? 1 : 0;
  if (x.target < next && loops_.all[loops_.at[x.target]].polls) {
    return go_to(warp, next, lanes);  // others would have written what it waits for
  }
  if (x.target < next && taking != 0 && !in_order_) {
    end_trip(warp, x.target, taking);
  }
  go_to(warp, x.target, taking);
  go_to(warp, next, lanes & ~taking);
}

void BlockRun::leave_loops(std::int32_t block) {
  while (!studies_.empty() && !studies_.back().loop().holds(block)) {
    studies_.pop_back();
    if (studies_.empty()) {
      comparisons_.clear();
    }
  }
}

// Lanes that left the loop before the others may do anything: then nothing repeats.
void BlockRun::end_trip(Warp& warp, std::int32_t header, std::uint32_t lanes) {
  constexpr int most_attempts = 20;
  const std::int32_t number = loops_.at[header];
  const Loop& loop = loops_.all[number];
  auto study = std::ranges::find_if(studies_, [&](const LoopStudy& each) { return &each.loop() == &loop; });
  if (hopeless_[number] > most_attempts || (study != studies_.end() && study->is_hopeless())) {
    return;
  }
  if (study == studies_.end()) {
    studies_.emplace_back(program_, loops_, loop);
    study = studies_.end() - 1;
    ++hopeless_[number];
  }
  if (lanes != warp.alive) {
    return study->forget();
  }
  const std::int64_t multiplied =
      study->end_of_trip(warp, *counts_, {comparisons_, accesses_.last_addresses(), trace_});
  multiplied_trips_ += multiplied;
  hopeless_[number] = multiplied > 0 ? 0 : hopeless_[number];
}

int BlockRun::barrier_operand(Warp& warp, const Instruction& x, int which, int otherwise) {
  return which < x.sources ? static_cast<int>(warp.values(program_.source(x)[which])[0] & 0xffff) : otherwise;
}

void BlockRun::wait(Warp& warp, const Instruction& x, std::uint32_t lanes, std::int32_t next) {
  if (lanes == 0) {
    return;
  }
  const bool cluster = x.op == Op::barrier_cluster;
  const bool warp_alone = program_.name_of(x).starts_with("bar.warp");
  if (warp_alone && touches_) {
    touches_->pass_warp_sync(warp.index());
  }
  if (warp_alone || (cluster && x.has(arrives))) {
    return go_to(warp, next, lanes);
  }
  if (x.decides) {
    fail(x, "decides a branch, which is not followed");
  }
  const int barrier = cluster ? of_the_cluster : barrier_operand(warp, x, 0, 0) % named_barriers;
  const int threads = cluster ? 0 : barrier_operand(warp, x, 1, 0);
  if (threads > launch_.launch.block.count()) {
    fail(x, "waits for threads that never come");
  }
  if (!in_order_) {
    return go_to(warp, next, lanes);
  }
  if (x.has(arrives)) {
    arrived_[static_cast<std::size_t>(barrier)] += std::popcount(lanes);
    return go_to(warp, next, lanes);
  }
  warp.waiting.push_back({next, lanes, barrier, threads});
}

bool BlockRun::release() {
  bool any = false;
  for (int barrier = 0; barrier <= of_the_cluster; ++barrier) {
    any = release(barrier) || any;
  }
  return any;
}

bool BlockRun::release(int barrier) {
  int here = arrived_[static_cast<std::size_t>(barrier)], wanted = 0, alive = 0;
  bool anyone = false;
  for (const Warp& warp : warps_) {
    alive += std::popcount(warp.alive);
    for (const Warp::Waiting& waiting : warp.waiting) {
      if (waiting.barrier == barrier) {
        anyone = true;
        here += std::popcount(waiting.lanes);
        wanted = std::max(wanted, waiting.threads);
      }
    }
  }
  if (!anyone || here < (wanted > 0 ? wanted : alive)) {
    return false;
  }
  if (touches_) {
    touches_->pass_barrier();
  }
  arrived_[static_cast<std::size_t>(barrier)] = std::max(0, wanted > 0 ? here - wanted : 0);
  for (Warp& warp : warps_) {
    std::erase_if(warp.waiting, [&](const Warp::Waiting& waiting) {
      if (waiting.barrier == barrier) {
        go_to(warp, waiting.block, waiting.lanes);
      }
      return waiting.barrier == barrier;
    });
  }
  return true;
}

void BlockRun::fail(const Instruction& x, const char* why) const {
  throw Error(fmt::format("{}: \"{}\" {}.", place_of(program_, x), program_.name_of(x), why));
}

}  // namespace rooftile::ptx
