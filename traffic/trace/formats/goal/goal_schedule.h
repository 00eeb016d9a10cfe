// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/kept_events.h"
#include "traffic/trace/reader.h"

#include <unordered_map>

/// GOAL schedules: a graph of sends, receives and computations for each rank, in text or binary.
namespace sare::traffic {

constexpr std::uint64_t most_goal_ranks = 16777216;
constexpr std::uint32_t goal_wild = ~std::uint32_t{0};  ///< any source, any tag

/// An operation of a rank; short, as a whole rank is in memory until its operations are in order.
struct goal_operation {
    std::uint64_t size = 0;           ///< bytes of a message; nanoseconds of a computation
    std::uint32_t peer = 0, tag = 0;  ///< goal_wild: any
    std::uint32_t line = 0;           ///< line of the file, from 1
    std::uint32_t communicator = 0;   ///< communicator; 0: all tasks
    op what = op::compute;
    bool needed = false;  ///< true: another operation of the rank requires it
};

/// A requirement that an operation begins after another one of its rank has ended, or has begun.
struct goal_edge {
    std::uint32_t later = 0, earlier = 0;  ///< indices in goal_rank::operations
    std::uint32_t line = 0;                ///< line of the file, from 1
    bool begun = false;                    ///< true: it is enough that the earlier operation has begun
};

struct goal_rank {
    std::vector<goal_operation> operations;
    std::vector<goal_edge> edges;
};

/// Returns the operations of rank `number` as events, each behind the operations that it requires, and else
/// in the order of the file `path`. Throws config::error, with the line of an edge, if the edges form a
/// circle.
kept_events in_order(goal_rank rank, std::uint32_t number, const std::string& path);

/// A schedule that has been read.
class goal_schedule : public trace_reader {
  public:
    std::uint32_t tasks() const override { return m_count; }
    config::location where(std::uint32_t, const event& e) const override { return {m_path, e.line, 1}; }
    bool next(std::uint32_t task, event& e) override;

  protected:
    explicit goal_schedule(std::string path) : m_path(std::move(path)) {}
    /// Warns that the numbers of processors and of NICs by which operations share a node are not used.
    /// `cpus`: number of processors named; `nics`: NICs are named.
    void say(std::uint64_t cpus, bool nics);

    std::string m_path;
    std::uint32_t m_count = 0;
    std::unordered_map<std::uint32_t, kept_events> m_ranks;  ///< events left of each rank
};

}  // namespace sare::traffic
