// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/open_requests.h"
#include "traffic/program/program_observer.h"

#include <vector>

namespace sare {
class world;
}

namespace sare::traffic {

/// Which operation of a task is ready. A task goes through its operations on a *strand* of its own, whose
/// number is the task's; what runs beside it (operations that are not in its sequence, collectives with a
/// name) is on strands that are made for it. A strand waits for its own requests, for those of its task, or
/// for what its operation depends on; the strands that may go on are handed out in order.
class strands {
  public:
    static constexpr std::uint32_t none = open_requests::none;
    enum class state : std::uint8_t { running, computing, waits, needs, room, core, lookahead, done };

    /// `observer` may be null; `keep_receives` as of open_requests.
    strands(std::uint32_t tasks, bool keep_receives, const traffic_port& port, program_observer* observer);

    open_requests& under_way() { return m_requests; }
    const open_requests& under_way() const { return m_requests; }

    /// @name Strands and their operations
    /// @{
    bool is_own(std::uint32_t s) const { return s < m_own; }
    std::uint32_t task(std::uint32_t s) const { return m_strands[s].task; }
    /// A strand beside that of its task.
    std::uint32_t fork(std::uint32_t task);
    void remove(std::uint32_t s) { m_strands.give_back(s); }
    /// It begins operation `number` of its task, as the program counts.
    void begins(std::uint32_t s, std::uint64_t number) { m_strands[s].number = number; }
    std::uint64_t number(std::uint32_t s) const { return m_strands[s].number; }
    /// In which strands go on in a cycle: of one node the same, whichever nodes there are beside. Its lower
    /// half is the strand; the upper one is 0 for a task's own, else how many strands beside tasks there
    /// were.
    std::uint64_t order(std::uint32_t s) const { return is_own(s) ? s : m_strands[s].order; }
    state is(std::uint32_t s) const { return m_strands[s].is; }
    /// Its state changes without a wait: computing, running again, done.
    void enters(std::uint32_t s, state what) { m_strands[s].is = what; }
    /// @}

    /// @name Waiting
    /// @{
    /// `shown`: what its task does meanwhile.
    void pause(std::uint32_t s, state why, task_state shown = task_state::wait);
    /// True: what it waits for is done. Else it is paused until then. `name`: of wait_for::one.
    bool wait(std::uint32_t s, wait_for what, std::uint64_t name, task_state shown);
    /// It goes on now, and is not one of those that next_ready() hands out.
    void stop_waiting(std::uint32_t s);
    /// It goes on when its turn comes: next_ready().
    void resume(std::uint32_t s);
    /// Strands that go on in this cycle, in order; none: there is none left.
    std::uint32_t next_ready();
    bool has_ready() const { return !m_ready.empty(); }

    std::uint64_t awaited(std::uint32_t s) const { return m_strands[s].awaited; }  ///< name; wait_for::one
    wait_for waits_for(std::uint32_t s) const { return m_strands[s].until; }
    cycle_t since(std::uint32_t s) const { return m_strands[s].since; }
    /// Cycles in which a task's own strand has waited.
    cycle_t blocked(std::uint32_t task) const { return m_blocked[task]; }
    /// @}

    /// @name Dependencies
    /// @{
    /// It may not go on before a request has ended, or begun.
    void depend(std::uint32_t s, std::uint32_t request, bool begun) {
        if (m_requests.add_dependent(request, s, begun)) ++m_strands[s].missing;
    }
    /// The same with one that its operation names.
    void depend(std::uint32_t s, const requirement& on) {
        depend(s, m_requests.find(m_strands[s].task, on.request), on.begun);
    }
    bool is_held(std::uint32_t s) const { return m_strands[s].missing != 0; }
    /// A request stands for the strand from now on, and begins and ends with it: others may depend on it, and
    /// its task's own strand may have to wait for it.
    void name(std::uint32_t s, std::uint64_t name, bool waited_for);
    std::uint32_t request(std::uint32_t s) const { return m_strands[s].request; }
    /// Lets the strand begin, since nothing holds it up any more.
    void begin(std::uint32_t s);
    /// A request has ended: strands that waited for it alone go on.
    void ended(std::uint32_t request);
    /// @}

    std::uint32_t slots() const { return m_strands.slots(); }  ///< numbers of strands are below
    /// blocked() becomes the sum of all processes.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_requests, m_strands, m_ready, m_next_ready, m_blocked, m_forks);
    }

  private:
    struct strand {
        std::uint32_t task = 0;
        std::uint32_t request = none;
        std::uint32_t missing = 0;  ///< requirements that are not met yet
        state is = state::running;
        wait_for until = wait_for::nothing;
        std::uint64_t awaited = 0, number = 0, order = 0;
        cycle_t since = 0;
    };

    bool is_over(std::uint32_t s);
    void release(std::uint32_t request);
    /// One of the requirements of a strand is met.
    void met(std::uint32_t s) {
        if (--m_strands[s].missing == 0) resume(s);
    }

    const traffic_port& m_port;
    program_observer* m_observer;
    open_requests m_requests;
    std::uint32_t m_own;  ///< strands of tasks: the first ones
    pool<strand> m_strands;
    std::vector<std::uint32_t> m_ready;  ///< strands that go on in this cycle, in order
    std::size_t m_next_ready = 0;
    std::vector<cycle_t> m_blocked;  ///< by task
    std::uint32_t m_forks = 0;       ///< strands beside tasks so far, modulo 2^32
};

}  // namespace sare::traffic
