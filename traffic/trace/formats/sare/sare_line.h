// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/reader.h"

#include <boost/container/flat_set.hpp>

#include <map>

/// A line of Sare's own text format: docs/traces.md.
namespace sare::traffic {

/// The communicators of a trace, by number.
class trace_groups {
  public:
    explicit trace_groups(std::uint32_t tasks) : m_tasks(tasks), m_all(tasks) {}
    /// Defines the communicator of a line `communicator NUMBER TASK ...`. Throws config::error for a number
    /// that is defined already, for a task that does not exist, and for one that is named twice.
    void define(const event_line& words);
    /// Returns the communicator that an event of a task names by its number; 0: all tasks. Throws
    /// config::error if it is not defined, or if the task is not in it. `words`: the event, for errors.
    const communicator& of(std::uint32_t number, std::uint32_t task, const event_line& words) const;
    const communicator& at(std::uint32_t number) const { return m_listed.at(number); }

  private:
    std::uint32_t m_tasks;
    all_tasks m_all;
    std::map<std::uint32_t, listed_tasks> m_listed;
};

/// Names of the requests of a task's sequence that it has not waited for yet.
using open_requests = boost::container::flat_set<std::uint64_t>;

/// Reads the operation of an event; does not set e.number and e.line. `open`: names of the task's open
/// requests, which are updated. Throws config::error with the place of the event for a wrong line.
void parse_event(event_line& words, std::uint32_t task, const trace_groups& groups, open_requests& open,
                 event& e);

}  // namespace sare::traffic
