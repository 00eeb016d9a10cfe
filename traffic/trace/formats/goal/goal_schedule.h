// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/kept_events.h"
#include "traffic/trace/reader.h"

#include <unordered_map>

/// GOAL schedules: per rank a graph of sends, receives and computations, whichever way it is written.
namespace sare::traffic {

constexpr std::uint64_t most_goal_ranks = 16777216;
constexpr std::uint32_t goal_wild = ~std::uint32_t{0};  ///< any source, any tag

/// An operation of a rank; short, as a rank is in memory as a whole until its operations are in order.
struct goal_operation {
    std::uint64_t size = 0;  ///< bytes; of a computation nanoseconds
    std::uint32_t peer = 0, tag = 0;
    std::uint32_t line = 0;
    std::uint32_t communicator = 0;  ///< 0: all tasks
    op what = op::compute;
    bool needed = false;  ///< another one of the rank requires it
};

/// That an operation begins after another of its rank has ended (begun).
struct goal_edge {
    std::uint32_t later = 0, earlier = 0;  ///< by number in the rank
    std::uint32_t line = 0;
    bool begun = false;
};

struct goal_rank {
    std::vector<goal_operation> operations;
    std::vector<goal_edge> edges;
};

/// The operations as events, in an order in which each comes after those that it requires; else as in the
/// file. Throws config::error, with the line of an edge, where there is none.
kept_events in_order(goal_rank rank, std::uint32_t number, const std::string& path);

/// A schedule that has been read.
class goal_schedule : public trace_reader {
  public:
    std::uint32_t tasks() const override { return m_count; }
    config::location where(std::uint32_t, const event& e) const override { return {m_path, e.line, 1}; }
    bool next(std::uint32_t task, event& e) override;

  protected:
    explicit goal_schedule(std::string path) : m_path(std::move(path)) {}
    /// Says what is not read of how operations share a node.
    void say(std::uint64_t cpus, bool nics);

    std::string m_path;
    std::uint32_t m_count = 0;
    std::unordered_map<std::uint32_t, kept_events> m_ranks;  ///< what is left of them
};

}  // namespace sare::traffic
