// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/open_requests.h"
#include "traffic/program/program_observer.h"

#include <vector>

namespace sare {
class world;
}

namespace sare::traffic {

/// The strands of tasks, what they wait for, and which of them are ready to go on. A *strand* is a thread of
/// control: a task goes through its sequence of operations on a strand of its own, which has the number of
/// the task; each operation beside the sequence, and each collective with a name, has a strand that is made
/// for it and removed at its end.
class strands {
  public:
    /// Number that stands for no strand, and for no request.
    static constexpr std::uint32_t none = open_requests::none;
    /// State of a strand. running: its acts of the present cycle; computing: takes a core for a time; done:
    /// has ended. Other states are reasons to wait. waits: for requests; needs: for the needs of its
    /// operation; room: for room in the source queue; core: for a core; lookahead: for the end of some of too
    /// many operations beside the sequence.
    enum class state : std::uint8_t { running, computing, waits, needs, room, core, lookahead, done };

    /// Makes the own strands of tasks 0 to `tasks` - 1. `keep_receives`: argument of open_requests. `port`:
    /// has the present cycle. `observer`: is told of waits; null: none. Both must outlive the object.
    strands(std::uint32_t tasks, bool keep_receives, const traffic_port& port, program_observer* observer);

    open_requests& under_way() { return m_requests; }  ///< requests of all tasks
    const open_requests& under_way() const { return m_requests; }

    /// @name Strands and their operations
    /// @{
    bool is_own(std::uint32_t s) const { return s < m_own; }  ///< true: the strand is a task's own
    /// Returns the task of a strand.
    std::uint32_t task(std::uint32_t s) const { return m_strands[s].task; }
    /// Makes a strand of a task, beside the task's own, and returns its number, which may be one that was
    /// removed.
    std::uint32_t fork(std::uint32_t task);
    /// Removes a strand, which must not be a task's own, and must have ended (not checked).
    void remove(std::uint32_t s) { m_strands.give_back(s); }
    /// Stores that a strand begins operation `number` of its task, counted from 1 in the order of the
    /// program.
    void begins(std::uint32_t s, std::uint64_t number) { m_strands[s].number = number; }
    /// Returns the number, from 1, of the operation that the strand began last.
    std::uint64_t number(std::uint32_t s) const { return m_strands[s].number; }
    /// Returns the key by which strands that are due in one cycle are ordered; it does not depend on the
    /// number of processes. Its lower half is the number of the strand. Its upper half is 0 for a task's own
    /// strand; for other strands, it counts them, from 1, in the order in which they were made.
    std::uint64_t order(std::uint32_t s) const { return is_own(s) ? s : m_strands[s].order; }
    /// Returns the state of a strand.
    state is(std::uint32_t s) const { return m_strands[s].is; }
    /// Sets the state of a strand that does not wait: computing, running or done.
    void enters(std::uint32_t s, state what) { m_strands[s].is = what; }
    /// @}

    /// Makes a strand wait for the reason `why`. `shown`: state of its task, which the observer is told.
    void pause(std::uint32_t s, state why, task_state shown = task_state::wait);
    /// Makes a strand wait for requests of kind `what`. Returns true if all have ended already, so that it
    /// does not wait. `name`: name of the request, for wait_for::one. `shown`: state of its task, which the
    /// observer is told.
    bool wait(std::uint32_t s, wait_for what, std::uint64_t name, task_state shown);
    /// Ends a wait; the caller runs the strand, which next_ready() does not return.
    void stop_waiting(std::uint32_t s);
    /// Ends a wait, and adds the strand to those that next_ready() returns.
    void resume(std::uint32_t s);
    /// Returns the next strand that is ready to go on in this cycle, in the order in which they became ready;
    /// none: there is none left.
    std::uint32_t next_ready();
    /// Returns true if next_ready() would return a strand.
    bool has_ready() const { return !m_ready.empty(); }

    /// Returns the name of the request that the strand waits for, if waits_for() is wait_for::one.
    std::uint64_t awaited(std::uint32_t s) const { return m_strands[s].awaited; }
    /// Returns the requests that the strand waits for, or waited for last.
    wait_for waits_for(std::uint32_t s) const { return m_strands[s].until; }
    /// Returns the cycle in which the strand's last wait began.
    cycle_t since(std::uint32_t s) const { return m_strands[s].since; }
    /// Returns the cycles that a task's own strand has waited in ended waits, waits for a core included.
    cycle_t blocked(std::uint32_t task) const { return m_blocked[task]; }

    /// Makes strand `s` wait, in wait_for::flush or for its needs, until a request has ended (or with `begun`
    /// has begun); no effect if it has already, or if `request` is none.
    void depend(std::uint32_t s, std::uint32_t request, bool begun) {
        if (m_requests.add_dependent(request, s, begun)) ++m_strands[s].missing;
    }
    /// Makes a strand depend on the operation of its task that `on` names; no effect if no operation has the
    /// name.
    void depend(std::uint32_t s, const requirement& on) {
        depend(s, m_requests.find(m_strands[s].task, on.request), on.begun);
    }
    /// Returns true if a dependency of the strand is not met.
    bool is_held(std::uint32_t s) const { return m_strands[s].missing != 0; }
    /// Opens a request that stands for the strand, with the name `name` in its task: it begins when begin()
    /// is called, and ends with ended(). `waited_for`: waits of the task's own strand wait for it, too.
    void name(std::uint32_t s, std::uint64_t name, bool waited_for);
    /// Returns the request that name() has opened for a strand; none: the strand has no name.
    std::uint32_t request(std::uint32_t s) const { return m_strands[s].request; }
    /// Marks the request of a strand, if it has one, as begun; strands that depended only on this go on.
    void begin(std::uint32_t s);
    /// Ends a request; strands that waited only for it go on.
    void ended(std::uint32_t request);

    /// Returns a number above the numbers of all strands, removed ones included.
    std::uint32_t slots() const { return m_strands.slots(); }
    /// Adds up, in every process, blocked() of all processes, which must call it together.
    void add_up(world& all);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_requests, m_strands, m_ready, m_next_ready, m_blocked, m_forks);
    }

  private:
    struct strand {
        std::uint32_t task = 0;
        std::uint32_t request = none;
        std::uint32_t missing = 0;  ///< number of dependencies that are not met yet
        state is = state::running;
        wait_for until = wait_for::nothing;
        std::uint64_t awaited = 0, number = 0, order = 0;
        cycle_t since = 0;
    };

    bool is_over(std::uint32_t s);
    void release(std::uint32_t request);
    /// Counts one dependency of a strand as met; the strand goes on if it was the last.
    void met(std::uint32_t s) {
        if (--m_strands[s].missing == 0) resume(s);
    }

    const traffic_port& m_port;
    program_observer* m_observer;
    open_requests m_requests;
    std::uint32_t m_own;  ///< number of tasks; the numbers of their own strands are the lowest
    pool<strand> m_strands;
    std::vector<std::uint32_t> m_ready;  ///< strands that are ready in this cycle, in order
    std::size_t m_next_ready = 0;
    std::vector<cycle_t> m_blocked;  ///< cycles that each task's own strand has waited
    std::uint32_t m_forks = 0;       ///< number of strands made for operations so far, modulo 2^32
};

}  // namespace sare::traffic
