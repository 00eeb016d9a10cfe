// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/kept_events.h"
#include "traffic/trace/reader.h"

#include <unordered_map>

namespace sare::traffic {

/// Largest number of ranks of a schedule.
constexpr std::uint64_t most_goal_ranks = 16777216;
constexpr std::uint32_t goal_wild = ~std::uint32_t{0};  ///< value of goal_operation::peer for any source, and
                                                        ///< of `tag` for any tag

/// A send, receive or computation of a rank; kept short, as all operations of a rank are in memory until they
/// are in order.
struct goal_operation {
    std::uint64_t size = 0;  ///< bytes of a send or receive; nanoseconds of a computation
    /// Rank, in the communicator, of the receiver or source, and tag of the message; goal_wild in a receive:
    /// any rank, any tag. Not used in a computation.
    std::uint32_t peer = 0, tag = 0;
    std::uint32_t line = 0;          ///< line of the file, from 1
    std::uint32_t communicator = 0;  ///< number of the communicator; 0: all tasks
    /// Kind: send, recv or compute.
    op what = op::compute;
    bool needed = false;  ///< true: another operation of the rank waits for its end or its begin
};

/// A requirement between two operations of a rank: `later` begins after `earlier` has ended, or has begun.
struct goal_edge {
    std::uint32_t later = 0, earlier = 0;  ///< indices in goal_rank::operations
    std::uint32_t line = 0;                ///< line of the file, from 1
    bool begun = false;  ///< true: `later` waits only until `earlier` has begun; false: until it has ended
};

/// The operations of a rank, in the order of the file, and the requirements between them.
struct goal_rank {
    std::vector<goal_operation> operations;  ///< operations, by index
    std::vector<goal_edge> edges;            ///< requirements, in any order
};

/// Returns the operations of `rank` as events in an order in which each comes after the operations that it
/// requires, otherwise in the order of the file. `number`: number of the rank, `path`: the file, both for
/// errors. Throws config::error, at the line of a requirement in the cycle or behind it, if requirements form
/// a cycle.
kept_events in_order(goal_rank rank, std::uint32_t number, const std::string& path);

/// Base class of the readers of GOAL schedules, text and binary: a graph of sends, receives and computations
/// for each rank. The constructor of a reader fills m_count and m_ranks.
class goal_schedule : public trace_reader {
  public:
    std::uint32_t tasks() const override { return m_count; }
    config::location where(std::uint32_t, const event& e) const override { return {m_path, e.line, 1}; }
    bool next(std::uint32_t task, event& e) override;

  protected:
    /// `path`: path of the file, for errors.
    explicit goal_schedule(std::string path) : m_path(std::move(path)) {}
    /// Adds warnings if the schedule assigns operations to more than one processor or NIC: here an operation
    /// takes any core that is free, and a node has one NIC. `cpus`: number of processors that it names;
    /// `nics`: true if it names NICs.
    void say(std::uint64_t cpus, bool nics);

    std::string m_path;  ///< path of the file, for errors
    /// Number of ranks.
    std::uint32_t m_count = 0;
    /// Events of each rank that next() has not returned yet; a rank without operations has no entry.
    std::unordered_map<std::uint32_t, kept_events> m_ranks;
};

}  // namespace sare::traffic
