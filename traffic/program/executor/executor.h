// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observation.h"
#include "traffic/placement/placement.h"
#include "traffic/program/executor/parameters.h"
#include "traffic/program/program.h"

#include <memory>
#include <optional>

namespace sare::traffic {

class program_observer;
class interpreter;

/// The workload that runs a program: it puts the tasks on nodes, and has an interpreter run them as the
/// network delivers messages.
class executor final : public workload {
  public:
    /// `what`: program to run; `p`: parameters of the run; `at`: place of the workload's section, for errors;
    /// `folder`: folder to which names of files in the section are relative. Throws config::error if `p` has
    /// a wrong placement.
    executor(std::unique_ptr<program> what, executor_parameters p, const config::location& at,
             const std::string& folder = "");
    ~executor() override;

    /// Returns the program, for callers that want its operations without a run.
    program& what() { return *m_program; }

    void use(const host_services& host) override { m_warn = host.warn; }
    /// Warns of a program that came to its end although its tasks do not agree (program::first_error()).
    void measured_to(cycle_t now) override;
    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    bool finished() const override;
    bool runs_to_completion() const override { return true; }
    double progress() const override;
    std::uint32_t nodes_needed() const override {
        return (m_program->tasks() + m.tasks_per_node - 1) / m.tasks_per_node;
    }
    generated_counts generated(cycle_t) override;
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    bool runs_by_nodes() const override { return m_program->runs_by_tasks(); }
    std::uint32_t words_with_messages() const override;
    void write_words(const message& what, std::uint64_t* words) const override;
    void has_left(const message& what) override;
    std::uint64_t tag_of(const message&, const std::uint64_t* words) override;
    void add_up(world& all) override;
    bool observe(const observation& how) override;
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    result_streams files() const override;
    standstill stuck() const override;
    /// Returns lines that say why a run cannot go on. If tasks wait for each other in a cycle: a headline,
    /// and a line with the operation of each of at most 16 of these tasks. Else one line, on a task that
    /// waits; an empty list if no task waits. Call it after start() only (not checked).
    std::vector<std::string> waiting() const;
    void serialize(archive& a) override;

  private:
    void check_collectives(const traffic_port& port) const;
    void arrived(std::uint32_t completed);
    cycle_t end() const;
    program_run ran() const;
    void close_observer() const;

    std::unique_ptr<program> m_program;
    executor_parameters m;
    config::location m_at;
    std::unique_ptr<placement> m_placement;
    traffic_port* m_port = nullptr;
    function<void(const std::string&)> m_warn;     ///< host_services::warn; empty: warnings are dropped
    std::vector<std::uint32_t> m_node_of;          ///< node of each task; empty before start()
    std::uint32_t m_here = 0;                      ///< number of tasks on nodes of this process
    cycle_t m_last_arrival = 0;                    ///< cycle of the last arrival, or the run's first cycle
    std::optional<observation> m_how;              ///< what to record of tasks; nullopt: nothing
    std::shared_ptr<program_observer> m_observer;  ///< observer of the tasks; null: nothing is recorded
    std::unique_ptr<interpreter> m_tasks;          ///< interpreter; null before start()
};

}  // namespace sare::traffic
