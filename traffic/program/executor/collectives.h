// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"
#include "tlm/combining/collective_port.h"
#include "traffic/collective/collective.h"
#include "traffic/program/program.h"

#include <functional>
#include <map>

namespace sare::traffic {

/// The collectives that tasks are in at present. Each call of a collective by a task has a number, and is a
/// list of steps (sends and receives). Owned by interpreter.
class collectives {
  public:
    /// Bit that is set in the context (envelope::context) of messages of collectives.
    static constexpr std::uint32_t own_context = std::uint32_t{1} << 31;

    /// `choice`: the algorithms; must live as long as the object. `tasks`: number of tasks.
    collectives(const collective_choice& choice, std::uint32_t tasks) : m_choice(choice), m_called(tasks) {}

    /// Sets the network that carries out collectives; null: no collective may have such an algorithm.
    /// `node_of`: node of each task. Both must outlive the object.
    void use(collective_port* network, const std::vector<std::uint32_t>& node_of) {
        m_network = network;
        m_node_of = &node_of;
    }
    /// Returns the network that use() has set, which must not be null (not checked).
    collective_port& network() const { return *m_network; }
    /// Returns the task's part in call `number`, for collective_port::take_part(); its tag is not set. The
    /// first call on a communicator opens a group of the network (collective_port::open()).
    network_call in_network(std::uint32_t number);
    /// Begins the collective `o` that a task calls on the communicator `group`, which must outlive the call,
    /// and returns a number for next(), call() and end(). The tasks of a communicator must call collectives
    /// on it in the same order (not checked).
    std::uint32_t begin(std::uint32_t task, const operation& o, const communicator& group);
    /// Returns the next step of call `number`, with numbers of tasks instead of ranks; null after the last
    /// one. Valid until the next call of next() for the same number, or of begin().
    const step* next(std::uint32_t number);
    /// Forgets call `number`; begin() may return the number again.
    void end(std::uint32_t number) { m_runs.give_back(number); }
    /// Returns how many collectives the task of call `number` had called on the communicator, this call
    /// included.
    std::int64_t call(std::uint32_t number) const { return m_runs[number].call; }

    /// Returns a map from each kind of collective called to number of calls and algorithm, such as {bcast:
    /// {count: 1, algorithm: binomial}}. A call by all tasks of a communicator counts once.
    config::value results() const;
    /// Adds up, in every process, the counts of all processes, which must call it together.
    void add_up(world& all);
    /// Writes or reads the state. `group`: returns a communicator by its number, for reading.
    void serialize(archive& a, const std::function<const communicator&(std::uint32_t)>& group);

  private:
    /// Largest number of steps of a call in memory; when a call needs later ones, they are made anew.
    static constexpr std::size_t window = 256;
    /// A call of a task.
    struct run {
        /// Communicator; number of this call on it, from 1; rank of the task in it.
        const communicator* group = nullptr;
        std::int64_t call = 0;
        std::uint32_t rank = 0;
        collective what;
        std::vector<std::uint64_t> counts, receive_counts;  ///< lists that `what` points to; empty if it
                                                            ///< points to none
        std::size_t at = 0;                                 ///< number of the next step
        steps some;  ///< at most `window` steps, the first of which has a number that is a multiple of
                     ///< `window`
        step now;
        std::uint32_t of = 0;  ///< number of the communicator `group`
        template <class Archive>
        void serialize(Archive& a) {
            a(of, call, rank, what.what, what.tasks, what.root, what.bytes, counts, receive_counts, at, some,
              now);
        }
    };
    void expand(run& r) const;
    std::int64_t count_call(std::uint32_t task, std::uint32_t group);

    const collective_choice& m_choice;
    collective_port* m_network = nullptr;
    const std::vector<std::uint32_t>* m_node_of = nullptr;
    /// Group of the network (collective_port::open()) of each communicator.
    std::map<std::uint32_t, std::uint32_t> m_groups;
    pool<run> m_runs;
    std::vector<std::uint32_t> m_called;  ///< number of calls of each task on the communicator of all tasks
    /// Number of calls on each other communicator, by communicator and task.
    std::unordered_map<std::uint64_t, std::uint32_t> m_called_in;
    /// Number of calls of each kind, counted by rank 0 of each communicator.
    std::map<op, std::uint64_t> m_counts;
};

}  // namespace sare::traffic
