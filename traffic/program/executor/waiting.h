// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/standstill.h"
#include "traffic/program/executor/strands.h"
#include "traffic/program/program.h"

#include <string>

namespace sare::traffic {

/// Finds out which tasks of a run cannot go on, and what they wait for.
class waiting_tasks {
  public:
    /// `what`: the program of the run; `threads`: the threads of control of its tasks. Both must outlive the
    /// object.
    waiting_tasks(const program& what, const strands& threads)
        : m_program(what), m_open(threads.under_way()), m_threads(threads) {}

    /// Returns the first task that waits, as a line with its operation and what it waits for, and the number
    /// of tasks that wait; an empty result if none does.
    standstill first() const;
    /// Returns, if tasks wait for each other in a cycle, a headline and a line with the operation of each of
    /// at most 16 of them; else a line on one task that waits, with the number of waiting tasks; an empty
    /// list if no task waits.
    std::vector<std::string> lines() const;

  private:
    std::vector<std::uint32_t> held_strands() const;
    std::uint32_t awaited(std::uint32_t s) const;
    std::uint32_t awaited_task(std::uint32_t s) const;
    std::string what_holds(std::uint32_t s) const;
    std::string line(std::uint32_t s) const {
        return m_program.place(m_threads.task(s), m_threads.number(s)) + what_holds(s);
    }

    const program& m_program;
    const open_requests& m_open;
    const strands& m_threads;
};

}  // namespace sare::traffic
