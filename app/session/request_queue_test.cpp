#include "app/session/request_queue.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "app/session/tile_launch_test.hpp"

namespace rooftile {
namespace {

// The tiles in the order in which they would be launched from now on.
std::vector<double> launches(RequestQueue& queue) {
  std::vector<double> tiles;
  while (const Job* job = queue.start_next()) {
    tiles.push_back(job->configuration.parameters.at("TILE"));
    queue.finish(job->id);
  }
  return tiles;
}

TEST(RequestQueue, NewestRequestReplacesTheOneThatWaits) {
  RequestQueue queue;
  queue.request(tile(4));
  ASSERT_NE(queue.start_next(), nullptr);  // 4 is under way
  queue.request(tile(8));
  queue.request(tile(16));
  queue.request(tile(32));
  EXPECT_EQ(queue.start_next(), nullptr) << "one at a time";
  queue.finish(queue.under_way().front().id);
  EXPECT_EQ(launches(queue), (std::vector<double>{32}));
}

TEST(RequestQueue, ADialMoveDropsNoLinesThatAreToBeCounted) {
  RequestQueue queue;
  queue.request(tile(4));
  ASSERT_NE(queue.start_next(), nullptr);
  queue.request(tile(8), Work::profile);
  queue.request(tile(16));
  queue.sweep({tile(32)});
  queue.finish(queue.under_way().front().id);
  EXPECT_EQ(launches(queue), (std::vector<double>{16, 8, 32}));
  EXPECT_TRUE(queue.empty());
}

TEST(RequestQueue, SweepRunsInOrderBehindARequest) {
  RequestQueue queue;
  queue.sweep({tile(4), tile(8)});
  queue.sweep({tile(16)});
  queue.request(tile(32));
  EXPECT_EQ(launches(queue), (std::vector<double>{32, 4, 8, 16}));
  EXPECT_TRUE(queue.empty());
}

TEST(RequestQueue, CancelledSweepFinishesWhatIsUnderWay) {
  RequestQueue queue;
  queue.sweep({tile(4), tile(8), tile(16)});
  queue.start_next();
  queue.cancel_sweep();
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(queue.under_way().front().configuration.parameters.at("TILE"), 4);
  queue.finish(queue.under_way().front().id);
  EXPECT_TRUE(queue.empty());
}

TEST(RequestQueue, APausedSweepLetsRequestsPassAndGoesOnWhereItWas) {
  RequestQueue queue;
  queue.sweep({tile(4), tile(8)});
  queue.pause_sweep(true);
  EXPECT_EQ(queue.start_next(), nullptr);
  EXPECT_TRUE(queue.empty()) << "nothing to do for now";
  EXPECT_TRUE(queue.progress());
  const auto asked = queue.request(tile(32));
  ASSERT_NE(queue.start_next(), nullptr);
  queue.finish(asked);
  queue.pause_sweep(false);
  const Job* next = queue.start_next();
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->configuration.parameters.at("TILE"), 4);
}

TEST(RequestQueue, ManyOfASweepAreUnderWayOnceOneHasShownThatTheyAreQuick) {
  RequestQueue queue;
  queue.sweep(std::vector<Configuration>(40, tile(4)));
  queue.finish(queue.start_next()->id);
  while (queue.start_next() != nullptr) {
  }
  EXPECT_EQ(queue.under_way().size(), 32u);
  queue.request(tile(8));
  queue.finish(queue.under_way().front().id);
  EXPECT_EQ(queue.start_next(), nullptr) << "a request waits for those under way, not for the sweep";
}

TEST(RequestQueue, ASlowFirstOneDoesNotHoldBackTheRest) {
  RequestQueue queue;
  queue.sweep(std::vector<Configuration>(40, tile(4)));
  const auto first = queue.start_next()->id;
  std::this_thread::sleep_for(std::chrono::milliseconds(450));
  queue.finish(first);
  const auto second = queue.start_next()->id;
  EXPECT_EQ(queue.start_next(), nullptr) << "no other fits beside one that slow";
  queue.finish(second);
  queue.start_next();
  EXPECT_NE(queue.start_next(), nullptr);
}

TEST(RequestQueue, WhatWasLostTogetherIsTriedOneByOneBeforeTheRest) {
  RequestQueue queue;
  queue.sweep({tile(4), tile(8), tile(16), tile(32)});
  queue.finish(queue.start_next()->id);
  queue.start_next();  // 8
  queue.start_next();  // 16
  queue.put_back(RequestQueue::Again::one_by_one);
  EXPECT_EQ(queue.progress()->done, 1);
  for (const double alone : {8, 16}) {
    const Job* job = queue.start_next();
    ASSERT_NE(job, nullptr);
    EXPECT_EQ(job->configuration.parameters.at("TILE"), alone);
    EXPECT_EQ(queue.start_next(), nullptr);
    queue.finish(job->id);
  }
  EXPECT_EQ(launches(queue), (std::vector<double>{32}));
}

TEST(RequestQueue, ProgressCountsTheSweepAlone) {
  RequestQueue queue;
  queue.request(tile(32));
  EXPECT_FALSE(queue.progress());
  queue.sweep({tile(4), tile(8)});
  queue.start_next();  // the request
  EXPECT_EQ(queue.progress()->done, 0);
  queue.finish(queue.under_way().front().id);
  queue.start_next();  // tile 4
  EXPECT_EQ(queue.progress()->what, "sgemm_tiled TILE=4");
  EXPECT_FALSE(queue.time_left()) << "nothing is known before one is done";
  queue.finish(queue.under_way().front().id);
  queue.start_next();
  EXPECT_EQ(queue.progress()->done, 1);
  EXPECT_EQ(queue.progress()->total, 2);
  EXPECT_TRUE(queue.time_left());
  queue.finish(queue.under_way().front().id);
  EXPECT_FALSE(queue.progress());
}

TEST(RequestQueue, IdsAreNeverUsedTwice) {
  RequestQueue queue;
  const auto first = queue.request(tile(4));
  const auto second = queue.request(tile(8));
  const auto sweep = queue.sweep({tile(16), tile(32)});
  EXPECT_LT(first, second);
  EXPECT_LT(second, sweep[0]);
  EXPECT_LT(sweep[0], sweep[1]);
}

}  // namespace
}  // namespace rooftile
