// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/parameters.h"
#include "traffic/program/executor/processors.h"
#include "traffic/program/executor/strands.h"
#include "traffic/program/messages/protocol.h"

namespace sare::traffic {

/// A stage: the acts of a strand for an operation, or for a step of a collective.
struct alignas(64) stage {
    /// A part of a stage, in the order of execution. flushes: waits for its task's puts and gets under way.
    enum part : std::uint8_t { receives = 1, sends = 2, flushes = 4, waits = 8, computes = 16 };
    /// Kind of the request that it posts: a message or receive; a put or get, which no receive takes; a
    /// probe.
    enum class posting : std::uint8_t { message, put, get, probe };
    /// The members of a stage that follow from the kind of an operation.
    struct plan {
        std::uint8_t left = 0;  ///< mask of the parts that are not done yet
        posting what = posting::message;
        wait_for until = wait_for::nothing;  ///< requests that it waits for, if it waits
        bool buffered = false;               ///< true: the send does not wait for room in the source queue
        bool charged = false;                ///< true: the overhead of the send has been spent

        bool has(part p) const { return (left & p) != 0; }
        void done(part p) { left = static_cast<std::uint8_t>(left & ~p); }
        void add(part p) { left = static_cast<std::uint8_t>(left | p); }
        /// True if the strand itself waits for the request that it posts; false: a wait of the program does.
        bool own() const { return until == wait_for::own; }
        bool is_one_sided() const { return what == posting::put || what == posting::get; }
    };

    plan todo;
    std::uint32_t to = 0, from = 0;  ///< tasks that it sends to (or flushes), and receives from
    std::uint32_t context = 0;       ///< context of its messages: see envelope
    std::uint64_t bytes = 0;         ///< bytes that it sends
    std::int64_t tag = 0;
    std::uint64_t request = 0;  ///< name of the request that it posts, or waits for
    double seconds = 0;         ///< seconds of computation
};

/// The stage that each strand is in, and its progress in it.
class stages {
  public:
    stages(const executor_parameters& p, traffic_port& port, const std::vector<std::uint32_t>& node_of,
           program_observer* observer);

    strands& threads() { return m_threads; }
    const strands& threads() const { return m_threads; }
    processors& cores() { return m_cores; }
    const processors& cores() const { return m_cores; }
    protocol& messages() { return m_messages; }
    const protocol& messages() const { return m_messages; }

    /// Makes a strand of a task, beside the task's own, which does nothing yet. Returns its number.
    std::uint32_t fork(std::uint32_t task);
    /// Returns the stage of a strand; valid until another strand is made.
    stage& of(std::uint32_t s) { return m_stages[s]; }
    /// Runs the parts of a strand's stage. Returns true at its end; false if the strand has to wait, after
    /// which a further call goes on.
    bool advance(std::uint32_t s);
    /// Ends a strand's computation or overhead: its core goes to the next job.
    void time_over(std::uint32_t s);
    /// Takes out and returns the strands that have waited for room in the source queue of a node.
    std::vector<std::uint32_t> take_waiting(std::uint32_t node);

    /// Return the number of messages that a task has sent, and of their bytes.
    std::uint64_t messages_of(std::uint32_t task) const { return m_sent[task].messages; }
    std::uint64_t bytes_of(std::uint32_t task) const { return m_sent[task].bytes; }
    /// Adds up the results of all processes.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_messages, m_cores, m_threads, m_stages, m_sent, m_room);
    }

  private:
    struct count {
        std::uint64_t messages = 0, bytes = 0;
        void add(std::uint64_t more) {
            ++messages;
            bytes += more;
        }
    };

    void receive(std::uint32_t s, const stage& now);
    bool send(std::uint32_t s, stage& now);
    bool has_room(std::uint32_t s);
    void send_one_sided(std::uint32_t s, const stage& now);
    bool flush(std::uint32_t s, const stage& now);
    bool wait(std::uint32_t s, stage& now);
    bool compute(std::uint32_t s, const stage& now);
    void spend(std::uint32_t s, task_state what, cycle_t time);
    open_requests::owner owner_of(std::uint32_t s, const stage& now) const {
        return {s, m_threads.task(s), now.request, now.todo.own()};
    }

    cycle_t m_send_overhead, m_receive_overhead;  ///< computation for a message, in cycles
    std::uint32_t m_send_queue;                   ///< limit of messages in a source queue
    bool m_causal;                                ///< true: puts and gets are waited for
    traffic_port& m_port;
    protocol m_messages;
    processors m_cores;
    strands m_threads;
    growing_array<stage> m_stages;                               ///< stage of each strand
    std::vector<count> m_sent;                                   ///< messages that each task has sent
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_room;  ///< strands that wait for room, by node
};

}  // namespace sare::traffic
