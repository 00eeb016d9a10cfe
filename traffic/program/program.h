// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/value.h"
#include "traffic/program/operation.h"

#include <stdexcept>
#include <unordered_map>

namespace sare {
class archive;
class world;
}  // namespace sare

namespace sare::traffic {

/// A group of tasks that exchange messages and take part in collectives. Within it each task has a rank, 0 to
/// size() - 1.
class communicator {
  public:
    virtual ~communicator() = default;
    /// Returns the number of tasks of the group.
    virtual std::uint32_t size() const = 0;
    /// Returns the number in the program of the task that has `rank`, below size() (not checked).
    virtual std::uint32_t task(std::uint32_t rank) const = 0;
    /// Returns the rank of `task` (its number in the program), which must be in the group; checked only by
    /// listed_tasks, which throws std::out_of_range.
    virtual std::uint32_t rank(std::uint32_t task) const = 0;
};

/// The communicator of all tasks, in which the rank of each task is its number.
class all_tasks final : public communicator {
  public:
    explicit all_tasks(std::uint32_t tasks) : m_tasks(tasks) {}  ///< `tasks`: number of tasks
    std::uint32_t size() const override { return m_tasks; }
    std::uint32_t task(std::uint32_t rank) const override { return rank; }
    std::uint32_t rank(std::uint32_t task) const override { return task; }

  private:
    std::uint32_t m_tasks;
};

/// A communicator of tasks in a list, in the order of their ranks.
class listed_tasks final : public communicator {
  public:
    /// `tasks`: the tasks by rank, each once (not checked).
    explicit listed_tasks(std::vector<std::uint32_t> tasks) : m_tasks(std::move(tasks)) {
        for (std::uint32_t r = 0; r < m_tasks.size(); ++r) m_ranks.emplace(m_tasks[r], r);
    }
    std::uint32_t size() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    std::uint32_t task(std::uint32_t rank) const override { return m_tasks[rank]; }
    std::uint32_t rank(std::uint32_t task) const override { return m_ranks.at(task); }
    /// Returns true if the task is in the group.
    bool has(std::uint32_t task) const { return m_ranks.count(task) != 0; }

  private:
    std::vector<std::uint32_t> m_tasks;
    std::unordered_map<std::uint32_t, std::uint32_t> m_ranks;
};

/// A communicator of `size` tasks first, first + stride, first + 2 * stride and so on: a row or a column of a
/// grid of tasks. `stride` must not be 0 (not checked).
class strided_tasks final : public communicator {
  public:
    strided_tasks(std::uint32_t first, std::uint32_t stride, std::uint32_t size)
        : m_first(first), m_stride(stride), m_size(size) {}
    std::uint32_t size() const override { return m_size; }
    std::uint32_t task(std::uint32_t rank) const override { return m_first + rank * m_stride; }
    std::uint32_t rank(std::uint32_t task) const override { return (task - m_first) / m_stride; }

  private:
    std::uint32_t m_first, m_stride, m_size;
};

/// The time of a run of a program: its first cycle; the cycle in which, so far, the last message arrived or
/// the last task ended; and the seconds of a cycle. All are 0 before the run has begun.
struct program_run {
    cycle_t first = 0, end = 0;
    double cycle_seconds = 0;
};

/// A program, whose tasks do operations. Sources of programs (a reader of traces, the generator of a kernel)
/// derive from it; an executor runs any.
class program {
  public:
    virtual ~program() = default;
    /// Returns the number of tasks, at least 1; it never changes.
    virtual std::uint32_t tasks() const = 0;
    /// Stores a task's next operation in `o`, which the caller has cleared; returns false after the last.
    /// Called when the task is ready to begin the operation: for an operation in sequence, when the one
    /// before it has ended. An operation beside the sequence comes behind all those that it needs. Throws
    /// config::error if a file that the operation is read from is wrong.
    virtual bool next(std::uint32_t task, operation& o) = 0;
    /// Returns the communicator with the number `id`, above 0, that an operation has; it lives as long as the
    /// program. Throws std::out_of_range if there is none.
    virtual const communicator& group(std::uint32_t id) const {
        throw std::out_of_range("the program has no communicator " + std::to_string(id));
    }
    /// Returns the name of the program in error messages, such as "the trace 'x.trace'" or "the kernel
    /// 'butterfly'".
    virtual std::string title() const = 0;
    /// Returns a text that names operation `number` (from 1) of a task in error messages, with its place in a
    /// file if it has one.
    virtual std::string place(std::uint32_t task, std::uint64_t number) const {
        return "task " + std::to_string(task) + ", operation " + std::to_string(number);
    }
    /// Returns the share, 0 to 1, of the program's operations that next() has returned so far; -1: not known.
    virtual double progress() const { return -1; }
    /// Returns the name of the phase that a mark with this number begins, for results.
    virtual std::string phase(std::int64_t number) const { return std::to_string(number); }
    /// Called when a task passes a mark. Arguments: the task, the number of the mark, and the present cycle.
    virtual void passed(std::uint32_t, std::int64_t, cycle_t) {}
    /// results() returns results of a run that only this program has, as key and value. tables() returns
    /// files, as name and contents.
    virtual std::vector<std::pair<std::string, config::value>> results(const program_run&) const {
        return {};
    }
    virtual std::vector<std::pair<std::string, std::string>> tables(const program_run&) const { return {}; }
    /// Returns true if the operations of a task do not depend on calls of next() for other tasks, so that
    /// several processes may run the program, each some of its tasks.
    virtual bool runs_by_tasks() const { return false; }
    /// Called at the end of a run by all processes together: adds up, in every process, what passed() has
    /// stored in each of them.
    virtual void add_up(world& all) { (void)all; }
    /// Writes how far next() has come for each task, and what passed() has stored; or reads this, before the
    /// first call of next() (docs/checkpoint.md). Throws unwritable, which is the default, if the program
    /// does not support it.
    virtual void serialize(archive& a);
    /// Returns warnings on the program for the user: suspicious parts that are no errors, each as one line.
    virtual std::vector<std::string> warnings() const { return {}; }
    /// Reads the whole program once more, and returns the first error in what its tasks agree on, as a line:
    /// messages and receives, collectives. "": there is none, or the program is not looked at, which is the
    /// default.
    virtual std::string first_error() const { return {}; }
};

}  // namespace sare::traffic
