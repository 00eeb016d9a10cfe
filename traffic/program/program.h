// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/config/value.h"
#include "traffic/program/operation.h"

#include <stdexcept>
#include <unordered_map>

/// A program, whose tasks do operations. Sources of programs (a reader of traces, a generator of a kernel)
/// derive from `program`; the executor runs any.
namespace sare {
class archive;
class world;
}  // namespace sare

namespace sare::traffic {

/// A group of tasks that exchange messages by ranks, 0 to size() - 1.
class communicator {
  public:
    virtual ~communicator() = default;
    virtual std::uint32_t size() const = 0;
    virtual std::uint32_t task(std::uint32_t rank) const = 0;  ///< task of a rank < size()
    virtual std::uint32_t rank(std::uint32_t task) const = 0;  ///< rank of a task of the group
};

/// The communicator of all tasks, whose ranks are their numbers.
class all_tasks final : public communicator {
  public:
    explicit all_tasks(std::uint32_t tasks) : m_tasks(tasks) {}
    std::uint32_t size() const override { return m_tasks; }
    std::uint32_t task(std::uint32_t rank) const override { return rank; }
    std::uint32_t rank(std::uint32_t task) const override { return task; }

  private:
    std::uint32_t m_tasks;
};

/// A communicator of listed tasks, in order of rank.
class listed_tasks final : public communicator {
  public:
    explicit listed_tasks(std::vector<std::uint32_t> tasks) : m_tasks(std::move(tasks)) {
        for (std::uint32_t r = 0; r < m_tasks.size(); ++r) m_ranks.emplace(m_tasks[r], r);
    }
    std::uint32_t size() const override { return static_cast<std::uint32_t>(m_tasks.size()); }
    std::uint32_t task(std::uint32_t rank) const override { return m_tasks[rank]; }
    std::uint32_t rank(std::uint32_t task) const override { return m_ranks.at(task); }
    bool has(std::uint32_t task) const { return m_ranks.count(task) != 0; }

  private:
    std::vector<std::uint32_t> m_tasks;
    std::unordered_map<std::uint32_t, std::uint32_t> m_ranks;
};

/// A communicator of tasks first, first + stride, ...: a row or a column of a grid of tasks.
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

/// Begin and end of a program's run, in cycles of `cycle_seconds`.
struct program_run {
    cycle_t first = 0, end = 0;
    double cycle_seconds = 0;
};

class program {
  public:
    virtual ~program() = default;
    virtual std::uint32_t tasks() const = 0;
    /// Makes the next operation of a task in `o`, which has its defaults; returns false after the last one.
    /// It is called when the task can begin it: in sequence, when the operation before has ended; operations
    /// beside the sequence come in an order in which each is behind those that it needs. Throws config::error
    /// for an error in a file.
    virtual bool next(std::uint32_t task, operation& o) = 0;
    /// Returns the communicator of a number that operations have, above 0; it lives as long as the program.
    virtual const communicator& group(std::uint32_t id) const {
        throw std::out_of_range("the program has no communicator " + std::to_string(id));
    }
    /// Returns the program's name in messages: "the trace 'x.trace'", "the kernel 'butterfly'".
    virtual std::string title() const = 0;
    /// Returns a text on operation `number` (from 1) of a task, for messages, with its place in a file.
    virtual std::string place(std::uint32_t task, std::uint64_t number) const {
        return "task " + std::to_string(task) + ", operation " + std::to_string(number);
    }
    /// Returns the share of the program that next() has returned, in [0, 1]; negative if it is not known.
    virtual double progress() const { return -1; }
    /// Returns the name of a mark's number.
    virtual std::string phase(std::int64_t number) const { return std::to_string(number); }
    /// Notes that a task passes a mark.
    virtual void passed(std::uint32_t, std::int64_t, cycle_t) {}
    /// Return the program's own results of a run, beside those of all programs: by name, and as files (name
    /// and text).
    virtual std::vector<std::pair<std::string, config::value>> results(const program_run&) const {
        return {};
    }
    virtual std::vector<std::pair<std::string, std::string>> tables(const program_run&) const { return {}; }
    /// True if the operations of a task do not depend on calls for other tasks, so that several processes may
    /// run the program, each some of the tasks.
    virtual bool runs_by_tasks() const { return false; }
    /// Adds up, at the end, what passed() has noted in all processes, which call together.
    virtual void add_up(world& all) { (void)all; }
    /// Writes how far next() has come for each task, and what passed() has noted, or reads it before the
    /// first call of next() (docs/checkpoint.md). Throws unwritable if it cannot be written.
    virtual void serialize(archive& a);
    /// Returns remarks on odd things that are no errors.
    virtual std::vector<std::string> warnings() const { return {}; }
};

}  // namespace sare::traffic
