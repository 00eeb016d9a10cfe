// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observation.h"
#include "tlm/stats/observation_params.h"
#include "traffic/observe/critical_path.h"
#include "traffic/observe/task_observation.h"
#include "traffic/observe/task_states.h"
#include "traffic/program/program.h"

#include <map>
#include <memory>

namespace sare::traffic {

/// What the executor tells of a run, as it happens, to be looked at in the end. It is there only where
/// the section 'observe' asks for it.
class recorder {
  public:
    /// `what` is run on `port`; both outlive it.
    recorder(const observation& how, const program& what, const traffic_port& port);
    /// Something is asked for that it records.
    static bool is_wanted(const observation& how);

    /// @name The executor calls these; all of it happens now. None is inlined: without a recorder they cost a
    /// comparison
    /// @{
    /// A strand goes on: what happens from here on is caused by what let it.
    void goes_on(std::uint32_t strand);
    /// A strand waits no more (or is made), because of what happens now.
    void released(std::uint32_t strand);
    void begins(std::uint32_t strand, std::uint32_t task, const operation& o);
    void marks(std::uint32_t task, std::int64_t mark);
    /// A strand spends time until cycle `end`: compute, send or receive.
    void occupies(std::uint32_t strand, std::uint32_t task, task_state s, cycle_t end);
    void waits(std::uint32_t strand, std::uint32_t task, task_state s);
    /// There is room again for a strand that has waited since then.
    void has_room(std::uint32_t strand, std::uint32_t task, cycle_t since);
    void ends(std::uint32_t strand, std::uint32_t task);
    void finishes();
    /// A message of a program's is counted.
    void sends(std::uint32_t from, std::uint32_t to, std::uint64_t bytes);
    /// What is known by `slot` until it comes leaves `from` for `to`, through the network (`out`) or inside a
    /// node (null). `control`: a question or an answer of a rendezvous.
    void leaves(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool control, std::uint64_t bytes,
                const message* out);
    void comes(std::uint32_t slot, cycle_t injected);
    /// @}

    /// @name In the end
    /// @{
    /// Ends the last spans of all tasks; nothing may follow.
    void close(cycle_t end);
    void add_results(config::value& out) const;
    std::vector<std::pair<std::string, std::string>> tables() const;
    /// Of `self`: files that are written from the records, as long as they are needed.
    static result_streams files(const std::shared_ptr<const recorder>& self);
    /// @}

  private:
    friend class views;  // read what is recorded

    struct flight {
        path_segment way;
        std::uint64_t bytes = 0;
        std::uint32_t number = 0;
        bool shown = false;
    };
    struct pair_count {
        std::uint64_t messages = 0, bytes = 0;
    };

    void set(std::uint32_t strand, std::uint32_t task, task_state s);
    bool shows(std::uint32_t task) const { return m_log_wanted && m_shown[task]; }
    void log(const task_event& e);
    void open_log();
    std::string phase_name(std::uint32_t phase) const;
    std::string matrix() const;
    std::string phases() const;
    std::string path(const std::vector<path_segment>& way) const;
    std::string path_pairs(const std::vector<path_segment>& way) const;

    const task_observation m_what;
    const observation_params m_when;
    const std::function<cycle_t(const message&)> m_alone;
    const program& m_program;
    const traffic_port& m_port;
    const cycle_t m_first;
    bool m_log_wanted = false, m_open = false, m_closed = false;
    cycle_t m_end = 0;
    std::vector<bool> m_shown;  ///< by task
    phase_table m_phases;
    task_states m_states;
    critical_path m_path;
    record_file<task_event> m_log;
    std::vector<flight> m_flights;          ///< by slot
    std::vector<std::uint8_t> m_operating;  ///< by strand: an operation has begun and not ended
    std::uint32_t m_messages = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, pair_count> m_matrix;
};

}  // namespace sare::traffic
