// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/open_requests.h"
#include "traffic/program/program_observer.h"

#include <vector>

namespace sare {
class world;
}

namespace sare::traffic {

/// The strands of tasks, and which of them are ready. A *strand* is a thread of execution: a task goes
/// through its operations on a strand of its own, whose number is the task's; operations out of its sequence,
/// and collectives with a name, run beside it on strands that are made for them. A strand waits for its own
/// requests, for its task's, or for requests that its operation depends on; strands that may go on are handed
/// out in order.
class strands {
  public:
    static constexpr std::uint32_t none = open_requests::none;
    enum class state : std::uint8_t { running, computing, waits, needs, room, core, lookahead, done };

    /// `observer` may be null; `keep_receives`: as in open_requests.
    strands(std::uint32_t tasks, bool keep_receives, const traffic_port& port, program_observer* observer);

    open_requests& under_way() { return m_requests; }
    const open_requests& under_way() const { return m_requests; }

    /// @name Strands and their operations
    /// @{
    bool is_own(std::uint32_t s) const { return s < m_own; }  ///< true: the own strand of a task
    std::uint32_t task(std::uint32_t s) const { return m_strands[s].task; }
    /// Makes a strand of a task, beside the task's own, and returns its number.
    std::uint32_t fork(std::uint32_t task);
    void remove(std::uint32_t s) { m_strands.give_back(s); }
    /// Notes that a strand begins operation `number` of its task, counted from 1 in the order of the program.
    void begins(std::uint32_t s, std::uint64_t number) { m_strands[s].number = number; }
    std::uint64_t number(std::uint32_t s) const { return m_strands[s].number; }
    /// Returns the key by whose order strands go on in a cycle. It is the same if several processes run the
    /// program. Its lower half is the strand; its upper half is 0 for a task's own strand, else it counts the
    /// other strands in the order of their making.
    std::uint64_t order(std::uint32_t s) const { return is_own(s) ? s : m_strands[s].order; }
    state is(std::uint32_t s) const { return m_strands[s].is; }
    /// Sets the state of a strand that does not wait: computing, running or done.
    void enters(std::uint32_t s, state what) { m_strands[s].is = what; }
    /// @}

    /// @name Waiting
    /// @{
    /// Makes a strand wait, with state `why`. `shown`: state that the observer is told meanwhile.
    void pause(std::uint32_t s, state why, task_state shown = task_state::wait);
    /// Makes a strand wait for requests. Returns true if these have ended already, so that it does not wait.
    /// `name`: name of the request, for wait_for::one.
    bool wait(std::uint32_t s, wait_for what, std::uint64_t name, task_state shown);
    /// Ends a wait: the strand goes on now, without next_ready().
    void stop_waiting(std::uint32_t s);
    /// Ends a wait: the strand goes on when next_ready() hands it out.
    void resume(std::uint32_t s);
    /// Returns the next strand that goes on in this cycle, in order; none: there is none left.
    std::uint32_t next_ready();
    bool has_ready() const { return !m_ready.empty(); }

    std::uint64_t awaited(std::uint32_t s) const { return m_strands[s].awaited; }  ///< name; wait_for::one
    wait_for waits_for(std::uint32_t s) const { return m_strands[s].until; }
    cycle_t since(std::uint32_t s) const { return m_strands[s].since; }  ///< cycle in which its wait began
    /// Returns the cycles that a task's own strand has waited.
    cycle_t blocked(std::uint32_t task) const { return m_blocked[task]; }
    /// @}

    /// @name Dependencies
    /// @{
    /// Keeps a strand from going on before a request has ended, or begun.
    void depend(std::uint32_t s, std::uint32_t request, bool begun) {
        if (m_requests.add_dependent(request, s, begun)) ++m_strands[s].missing;
    }
    /// Makes a strand depend on a request that its operation names.
    void depend(std::uint32_t s, const requirement& on) {
        depend(s, m_requests.find(m_strands[s].task, on.request), on.begun);
    }
    bool is_held(std::uint32_t s) const {
        return m_strands[s].missing != 0;
    }  ///< true: a dependency is not met
    /// Makes a request that stands for the strand, and begins and ends with it: other strands may depend on
    /// it. `waited_for`: its task's own strand may have to wait for it.
    void name(std::uint32_t s, std::uint64_t name, bool waited_for);
    std::uint32_t request(std::uint32_t s) const { return m_strands[s].request; }
    /// Begins the request of a strand that no dependency holds up any more.
    void begin(std::uint32_t s);
    /// Ends a request: strands that waited only for it go on.
    void ended(std::uint32_t request);
    /// @}

    std::uint32_t slots() const { return m_strands.slots(); }  ///< limit of the strands' numbers
    /// Adds up blocked() of all processes.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_requests, m_strands, m_ready, m_next_ready, m_blocked, m_forks);
    }

  private:
    struct strand {
        std::uint32_t task = 0;
        std::uint32_t request = none;
        std::uint32_t missing = 0;  ///< number of requirements that are not met yet
        state is = state::running;
        wait_for until = wait_for::nothing;
        std::uint64_t awaited = 0, number = 0, order = 0;
        cycle_t since = 0;
    };

    bool is_over(std::uint32_t s);
    void release(std::uint32_t request);
    /// Notes that one of the requirements of a strand is met.
    void met(std::uint32_t s) {
        if (--m_strands[s].missing == 0) resume(s);
    }

    const traffic_port& m_port;
    program_observer* m_observer;
    open_requests m_requests;
    std::uint32_t m_own;  ///< number of tasks, whose strands are the first
    pool<strand> m_strands;
    std::vector<std::uint32_t> m_ready;  ///< strands that go on in this cycle, in order
    std::size_t m_next_ready = 0;
    std::vector<cycle_t> m_blocked;  ///< cycles that each task has waited
    std::uint32_t m_forks = 0;       ///< number of strands beside tasks so far, modulo 2^32
};

}  // namespace sare::traffic
