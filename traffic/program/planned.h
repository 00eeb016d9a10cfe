// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/state_times.h"

#include <deque>

namespace sare::traffic {

/// A program whose tasks plan several operations at a time, and that measures the time of each task in each
/// of some states (see state_times).
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
    /// `states`: names of the states, by number. `last`: name of the mark behind them, which ends the state
    /// that a task is in.
    planned_program(std::string name, std::vector<std::string> states, std::string last, std::uint32_t tasks)
        : m_name(std::move(name)), m_last(std::move(last)), m_times(std::move(states), tasks), m_at(tasks) {}

    /// Adds the next operations of a task, by the functions below; returns false if its program is over.
    virtual bool plan(std::uint32_t task) = 0;
    /// Adds an operation to a task and returns it, to be filled in.
    operation& add(std::uint32_t task, op what);
    /// Adds a mark with which the task enters a state; adds nothing if it is in that state already.
    void enter(std::uint32_t task, std::int64_t state);
    /// Adds a computation.
    void compute(std::uint32_t task, double seconds);
    const state_times& times() const { return m_times; }

  private:
    struct task_progress {
        std::int64_t in = -1;  ///< state that it entered last
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
