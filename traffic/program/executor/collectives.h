// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"
#include "traffic/collective/collective.h"
#include "traffic/program/program.h"

#include <functional>
#include <map>

namespace sare::traffic {

/// The collectives that tasks are in at present, as lists of steps.
class collectives {
  public:
    static constexpr std::uint32_t own_context = std::uint32_t{1} << 31;  ///< set in their messages' contexts

    collectives(const collective_choice& choice, std::uint32_t tasks) : m_choice(choice), m_called(tasks) {}

    /// Begins a collective that a task calls, and returns its number for next() and end(). The tasks of a
    /// communicator must call collectives on it in the same order.
    std::uint32_t begin(std::uint32_t task, const operation& o, const communicator& group);
    /// Returns the next step, with numbers of tasks, not ranks; null after the last.
    const step* next(std::uint32_t number);
    void end(std::uint32_t number) { m_runs.give_back(number); }
    /// Returns the number of the call in its communicator, from 1.
    std::int64_t call(std::uint32_t number) const { return m_runs[number].call; }

    /// Returns calls and algorithm of each collective: {bcast: {count: 1, algorithm: binomial}}.
    config::value results() const;
    /// Adds up the counts of all processes.
    void add_up(world& all);
    /// Writes or reads the state. `group`: returns the communicator of a number.
    void serialize(archive& a, const std::function<const communicator&(std::uint32_t)>& group);

  private:
    /// Limit on the steps in memory: a long list is written out again for the next ones.
    static constexpr std::size_t window = 256;
    struct run {
        const communicator* group = nullptr;
        std::int64_t call = 0;
        std::uint32_t rank = 0;
        collective what;
        std::vector<std::uint64_t> counts, receive_counts;  ///< vectors that `what` points to
        std::size_t at = 0;                                 ///< index of the next step
        steps some;                                         ///< steps from a multiple of `window` on
        step now;
        std::uint32_t of = 0;  ///< number of `group`
        template <class Archive>
        void serialize(Archive& a) {
            a(of, call, rank, what.what, what.tasks, what.root, what.bytes, counts, receive_counts, at, some,
              now);
        }
    };
    void expand(run& r) const;
    std::int64_t count_call(std::uint32_t task, std::uint32_t group);

    const collective_choice& m_choice;
    pool<run> m_runs;
    std::vector<std::uint32_t> m_called;                           ///< calls of each task, on all tasks
    std::unordered_map<std::uint64_t, std::uint32_t> m_called_in;  ///< other calls, by communicator and task
    std::map<op, std::uint64_t> m_counts;
};

}  // namespace sare::traffic
