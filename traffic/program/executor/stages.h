// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/parameters.h"
#include "traffic/program/executor/processors.h"
#include "traffic/program/executor/strands.h"
#include "traffic/program/messages/protocol.h"

namespace sare::traffic {

class collectives;

/// A stage: what a strand (a thread of control of a task: class strands) does for one operation, or for one
/// step of a collective. It receives, sends, flushes, waits and computes, in this order; each of these parts
/// may be missing.
struct alignas(64) stage {
    /// A part of a stage. receives and sends: posts a receive (or probe), sends a message (or put or get);
    /// flushes: waits for puts and gets of its task under way; waits: waits for requests (plan::until);
    /// computes: takes a core for a time.
    enum part : std::uint8_t { receives = 1, sends = 2, flushes = 4, waits = 8, computes = 16 };
    /// Kind of the request that a stage opens: a message or its receive; a put or a get, which no receive
    /// takes; a probe; the task's part in a collective that the network carries out.
    enum class posting : std::uint8_t { message, put, get, probe, collective };
    /// The members of a stage whose first values follow from the kind of its operation alone.
    struct plan {
        std::uint8_t left = 0;  ///< mask of the parts that are to be done yet
        /// Kind of the request that the stage opens.
        posting what = posting::message;
        wait_for until = wait_for::nothing;  ///< requests to wait for in the part `waits`
        bool buffered = false;               ///< true: the send does not wait for room in the source queue
        bool charged = false;                ///< true: the overhead of the send has been spent

        /// has(): returns true if the part `p` is to be done yet; done(): marks it as done; add(): adds it to
        /// the parts to be done.
        bool has(part p) const { return (left & p) != 0; }
        void done(part p) { left = static_cast<std::uint8_t>(left & ~p); }
        void add(part p) { left = static_cast<std::uint8_t>(left | p); }
        /// Returns true if the strand itself waits for the request that the stage opens; false if a wait of
        /// the program does.
        bool own() const { return until == wait_for::own; }
        /// Returns true for a put or a get.
        bool is_one_sided() const { return what == posting::put || what == posting::get; }
    };

    /// Parts to be done, and how.
    plan todo;
    /// `to`: task to send to or to flush (any_source: all), or, for posting::collective, the number of the
    /// call (collectives). `from`: task to receive from, or any_source.
    std::uint32_t to = 0, from = 0;
    std::uint32_t context = 0;  ///< context of its messages (envelope::context)
    std::uint64_t bytes = 0;    ///< bytes of the message to send; put and get: bytes of data
    std::int64_t tag = 0;       ///< tag of its messages (envelope::tag)
    /// Name of the operation whose request the stage opens, or waits for; 0: no name.
    std::uint64_t request = 0;
    double seconds = 0;  ///< seconds of the part `computes`, on the simulated machine
};

/// The stage that each strand is in, and what strands need for it: threads, messages and cores. Owned by
/// interpreter.
class stages {
  public:
    /// `node_of`: node of each task; `observer`: is told of all acts; null: none. All references must outlive
    /// the object.
    stages(const executor_parameters& p, traffic_port& port, const std::vector<std::uint32_t>& node_of,
           program_observer* observer);

    strands& threads() { return m_threads; }  ///< strands of all tasks
    const strands& threads() const { return m_threads; }
    processors& cores() { return m_cores; }  ///< cores of all tasks and nodes
    const processors& cores() const { return m_cores; }
    protocol& messages() { return m_messages; }  ///< messages of all tasks
    const protocol& messages() const { return m_messages; }

    /// Sets the calls of collectives, which must outlive the object. Call it before advance().
    void use(collectives& all) { m_collectives = &all; }
    /// Makes a strand of a task, beside the task's own, with a stage without parts. Returns its number.
    std::uint32_t fork(std::uint32_t task);
    /// Returns the stage of strand `s`. The reference is valid until fork() is called.
    stage& of(std::uint32_t s) { return m_stages[s]; }
    /// Does the parts of a strand's stage that are not done yet, as far as possible. Returns true when all
    /// are done; false if the strand has to wait, in which case it must be called again when the strand goes
    /// on.
    bool advance(std::uint32_t s);
    /// Ends the computation or overhead of strand `s`, whose time is over, and gives its core to the oldest
    /// job that waits for one and can have it, if any.
    void time_over(std::uint32_t s);
    /// Removes the strands that wait for room in the source queue of `node`, and returns them in the order in
    /// which they began to wait; call resume() for each.
    std::vector<std::uint32_t> take_waiting(std::uint32_t node);

    /// Return the number of messages that a task has sent so far, and their bytes. The data of a get counts
    /// as sent by the task that has it.
    std::uint64_t messages_of(std::uint32_t task) const { return m_sent[task].messages; }
    std::uint64_t bytes_of(std::uint32_t task) const { return m_sent[task].bytes; }
    /// Adds up, in every process, the results of all processes, which must call it together.
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
    void take_part(std::uint32_t s, const stage& now);
    bool flush(std::uint32_t s, const stage& now);
    bool wait(std::uint32_t s, stage& now);
    bool compute(std::uint32_t s, const stage& now);
    void spend(std::uint32_t s, task_state what, cycle_t time);
    open_requests::owner owner_of(std::uint32_t s, const stage& now) const {
        return {s, m_threads.task(s), now.request, now.todo.own()};
    }

    cycle_t m_send_overhead, m_receive_overhead;  ///< cycles of a core for a send, and for a receive
    std::uint32_t m_send_queue;  ///< number of messages in a source queue from which on blocking sends wait
    bool m_causal;               ///< true: puts and gets are requests that can be waited for
    traffic_port& m_port;
    collectives* m_collectives = nullptr;
    protocol m_messages;
    processors m_cores;
    strands m_threads;
    growing_array<stage> m_stages;  ///< stage of each strand
    std::vector<count> m_sent;      ///< messages that each task has sent, and their bytes
    /// Strands that wait for room in a source queue, by node.
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_room;
};

}  // namespace sare::traffic
