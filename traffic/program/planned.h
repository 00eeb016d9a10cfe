// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/state_times.h"

#include <deque>

namespace sare::traffic {

/// Base class of programs that plan several operations of a task at a time, and measure the time that each
/// task spends in each of their states (state_times).
class planned_program : public program {
  public:
    std::uint32_t tasks() const final { return static_cast<std::uint32_t>(m_at.size()); }
    bool next(std::uint32_t task, operation& o) final;
    std::string title() const final { return "workload '" + m_name + "'"; }
    std::string phase(std::int64_t number) const final;
    void passed(std::uint32_t task, std::int64_t mark, cycle_t now) override {
        m_times.enter(task, mark, now);
    }
    std::vector<std::pair<std::string, std::string>> tables(const program_run&) const override {
        return {{"states.csv", m_times.table()}};
    }
    bool runs_by_tasks() const final { return true; }
    void add_up(world& all) override { m_times.add_up(all); }
    void serialize(archive& a) override;

  protected:
    /// `name`: name of the workload; `states`: names of the states, by number from 0; `last`: name of the
    /// mark that ends a state without beginning another, whose number is states.size(); `tasks`: number of
    /// tasks.
    planned_program(std::string name, std::vector<std::string> states, std::string last, std::uint32_t tasks)
        : m_name(std::move(name)), m_last(std::move(last)), m_times(std::move(states), tasks), m_at(tasks) {}

    /// Appends the next operations of a task, by add(), enter() and compute(); returns false, and appends
    /// nothing, if the task has no more. Called when next() has returned all that was planned; called again
    /// at once if it returns true and has appended nothing.
    virtual bool plan(std::uint32_t task) = 0;
    /// Appends an operation of kind `what` for a task and returns it, for the caller to set its other
    /// members; valid until the next call for this task.
    operation& add(std::uint32_t task, op what);
    /// Appends a mark with which the task enters state number `state` (or, for the number of `last`, leaves
    /// its state); appends nothing if the last mark that enter() appended for the task had the same number.
    void enter(std::uint32_t task, std::int64_t state);
    /// Appends a computation of `seconds` seconds; nothing if that is not above 0.
    void compute(std::uint32_t task, double seconds);
    /// Returns the times of the tasks in the states so far.
    const state_times& times() const { return m_times; }

  private:
    struct task_progress {
        std::int64_t in = -1;  ///< number of the last mark that enter() appended; -1: none
        std::deque<operation> planned;
        template <class Archive>
        void serialize(Archive& a) {
            a(in, planned);
        }
    };
    std::string m_name, m_last;
    state_times m_times;
    std::vector<task_progress> m_at;
};

}  // namespace sare::traffic
