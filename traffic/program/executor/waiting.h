// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/standstill.h"
#include "traffic/program/executor/strands.h"
#include "traffic/program/program.h"

#include <string>

namespace sare::traffic {

/// The tasks of a run that cannot go on, and what they wait for.
class waiting_tasks {
  public:
    waiting_tasks(const program& what, const strands& threads)
        : m_program(what), m_open(threads.under_way()), m_threads(threads) {}

    /// Returns the reason for which the first waiting task waits, and the number of waiting tasks.
    standstill first() const;
    /// Returns a line, with its operation, for each task of a circle of tasks that wait for each other; if
    /// there is no circle, one line for the first task that waits.
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
