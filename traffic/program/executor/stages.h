// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/parameters.h"
#include "traffic/program/executor/processors.h"
#include "traffic/program/executor/strands.h"
#include "traffic/program/messages/protocol.h"

namespace sare::traffic {

/// What a strand does for an operation, or for a step of a collective.
struct alignas(64) stage {
    /// Its parts, in the order in which they are done. flushes: waits for the puts and gets of its task that
    /// are under way.
    enum part : std::uint8_t { receives = 1, sends = 2, flushes = 4, waits = 8, computes = 16 };
    /// What it posts: a message or the receive of one; what no receive takes; a look for a message.
    enum class posting : std::uint8_t { message, put, get, probe };
    /// What follows from the kind of an operation.
    struct plan {
        std::uint8_t left = 0;  ///< parts that are not done
        posting what = posting::message;
        wait_for until = wait_for::nothing;  ///< if it waits
        bool buffered = false;               ///< the send does not wait for room in the source queue
        bool charged = false;                ///< the overhead of the send has been spent

        bool has(part p) const { return (left & p) != 0; }
        void done(part p) { left = static_cast<std::uint8_t>(left & ~p); }
        void add(part p) { left = static_cast<std::uint8_t>(left | p); }
        /// The strand itself waits for what it posts; else a wait of the program does.
        bool own() const { return until == wait_for::own; }
        bool is_one_sided() const { return what == posting::put || what == posting::get; }
    };

    plan todo;
    std::uint32_t to = 0, from = 0;  ///< tasks, if it sends and receives; to: if it flushes
    std::uint32_t context = 0;       ///< of its messages
    std::uint64_t bytes = 0;
    std::int64_t tag = 0;
    std::uint64_t request = 0;  ///< name of what is posted; of what is waited for
    double seconds = 0;
};

/// The stage that each strand is in, and how it goes through it.
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

    /// A strand beside that of its task, which does nothing yet.
    std::uint32_t fork(std::uint32_t task);
    /// The stage of a strand. Good until another strand is made.
    stage& of(std::uint32_t s) { return m_stages[s]; }
    /// True when the stage is over; else the strand goes on later, with this part or (after its time) the
    /// next.
    bool advance(std::uint32_t s);
    /// The strand has computed, or spent an overhead, until now.
    void time_over(std::uint32_t s);
    /// Strands that wait for room in the source queue of a node: they wait no more.
    std::vector<std::uint32_t> take_waiting(std::uint32_t node);

    std::uint64_t messages_of(std::uint32_t task) const { return m_sent[task].messages; }  ///< that it sent
    std::uint64_t bytes_of(std::uint32_t task) const { return m_sent[task].bytes; }        ///< of these
    /// What results are made of becomes the sum of all processes.
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

    cycle_t m_send_overhead, m_receive_overhead;
    std::uint32_t m_send_queue;  ///< messages
    bool m_causal;               ///< puts and gets are waited for
    traffic_port& m_port;
    protocol m_messages;
    processors m_cores;
    strands m_threads;
    growing_array<stage> m_stages;                               ///< by strand
    std::vector<count> m_sent;                                   ///< by task
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_room;  ///< node: strands that wait for room
};

}  // namespace sare::traffic
