// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"

#include <boost/container/flat_set.hpp>

#include <map>

/// Lines of Sare's own text form of traces; docs/traces.md describes it.
namespace sare::traffic {

/// The communicators that a trace defines, by their numbers.
class trace_groups {
  public:
    /// `tasks`: number of tasks of the trace.
    explicit trace_groups(std::uint32_t tasks) : m_tasks(tasks), m_all(tasks) {}
    /// Defines the communicator of the line `communicator NUMBER TASK TASK ...`. `words`: the words of the
    /// line. Throws config::error if the line is malformed, the number is defined already, or a task does not
    /// exist or is named twice.
    void define(const event_line& words);
    /// Returns communicator `number` if `task` is in it; 0: all tasks. Throws config::error at the place of
    /// `words`, the event that names the communicator, if the number is not defined, or the task is not in
    /// the group.
    const communicator& of(std::uint32_t number, std::uint32_t task, const event_line& words) const;
    /// Returns communicator `number`, above 0. Throws std::out_of_range if it is not defined.
    const communicator& at(std::uint32_t number) const { return m_listed.at(number); }

  private:
    std::uint32_t m_tasks;
    all_tasks m_all;
    std::map<std::uint32_t, listed_tasks> m_listed;
};

/// Names of the requests of a task's sequence that were made and that no wait has ended.
using open_requests = boost::container::flat_set<std::uint64_t>;

/// Sets `e`, which must have its defaults, from the words of a line `TASK ACTION ...`, except e.number and
/// e.line. `task`: the task of the line; `groups`: the communicators defined before it; `open`: the open
/// requests of the task, to which the event's request is added, or from which a wait removes the request that
/// it names. Throws config::error at the place of `words` for a malformed line.
void parse_event(event_line& words, std::uint32_t task, const trace_groups& groups, open_requests& open,
                 event& e);

}  // namespace sare::traffic
