// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observation.h"
#include "tlm/stats/log/observation_params.h"
#include "traffic/observe/critical_path.h"
#include "traffic/observe/task_observation.h"
#include "traffic/observe/task_states.h"
#include "traffic/program/program.h"

#include <map>
#include <memory>

namespace sare::traffic {

class task_order;

/// Records what the tasks of a program do, for tables and files at the end of the run. Made only if the
/// section `observe` asks for it (is_wanted()). A std::shared_ptr must own it, or files() throws.
class recorder final : public program_observer, public std::enable_shared_from_this<recorder> {
  public:
    /// Records the program `what`, which is run on `port` with its tasks on the nodes `node_of`. All three
    /// must outlive the recorder; parts of `how` are copied.
    recorder(const observation& how, const program& what, const traffic_port& port,
             const std::vector<std::uint32_t>& node_of);
    /// Returns true if `how` asks for a table or file that a recorder makes.
    static bool is_wanted(const observation& how);
    /// Returns the number of 64-bit words that write() writes for a message: 0 with one process, or if the
    /// order of events does not matter.
    static std::uint32_t words(const observation& how);

    void is_due(std::uint32_t strand, std::uint64_t order) override;
    void goes_on(std::uint32_t strand) override;
    void released(std::uint32_t strand) override;
    void made(std::uint32_t strand) override;
    void begins(std::uint32_t strand, std::uint32_t task, const operation& o) override;
    void marks(std::uint32_t task, std::int64_t mark) override;
    void occupies(std::uint32_t strand, std::uint32_t task, task_state s, cycle_t end) override;
    void waits(std::uint32_t strand, std::uint32_t task, task_state s) override;
    void has_room(std::uint32_t strand, std::uint32_t task, cycle_t since) override;
    void ends(std::uint32_t strand, std::uint32_t task) override;
    void finishes() override;
    void sends(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) override;
    void leaves(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool control, std::uint64_t bytes,
                const message* out) override;
    void comes(std::uint32_t slot, cycle_t injected, bool inside_node) override;
    void write(std::uint32_t slot, std::uint64_t* to) const override;
    void take_over(std::uint32_t slot, const std::uint64_t* from) override;

    void close(cycle_t end) override;
    void add_up(world& all) override;
    void add_results(config::value& out) const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    result_streams files() const override;

  private:
    friend class views;  // reads the record

    /// A message under way.
    struct flight {
        path_segment way;          ///< span of the message
        std::uint64_t bytes = 0;   ///< size of the message
        std::uint32_t number = 0;  ///< number of the message, in order of leaving
        std::uint16_t rank = 0;    ///< rank that has numbered it
    };
    static_assert(sizeof(flight) % 8 == 0 && std::is_trivially_copyable_v<flight>);
    /// The place of this process among several, which must agree on one order of their events.
    struct part {
        /// True: there are several processes; true: the present turn is in the log.
        bool several = false, turn_told = false;
        std::uint16_t rank = 0;
        turn now;                               ///< present turn
        turn::stage delivers = turn::delivery;  ///< stage of the network's deliveries in a cycle
        /// Returns the network's node for a node of the workload.
        std::function<std::uint32_t(std::uint32_t)> place_of;
    };
    struct pair_count {
        std::uint64_t messages = 0, bytes = 0;
        template <class Archive>
        void serialize(Archive& a) {
            a(messages, bytes);
        }
    };

    void set(std::uint32_t strand, std::uint32_t task, task_state s);
    bool shows(std::uint32_t task) const { return m_log_wanted && m_shown[task]; }
    bool shows(const task_event& e) const;
    bool is_here(std::uint32_t task) const { return m_port.is_here(m_node_of[task]); }
    std::uint32_t place_of(std::uint32_t task) const {
        return m_part.place_of ? m_part.place_of(m_node_of[task]) : m_node_of[task];
    }
    static part part_of(const observation& how);
    void takes_turn(turn t);
    turn turn_of(const flight& f, bool inside_node) const;
    void log(const task_event& e);
    void append(const task_event& e);
    void open_log();
    struct report;
    report own_report() const;
    void add_matrix(const report& of_rank);
    void merge(const std::vector<record_file<task_event>>& of_ranks, const std::vector<report>& reports,
               task_order& order);
    void take_times(const std::vector<report>& reports, const std::vector<std::uint32_t>& last_phase);
    std::vector<path_segment> way() const;
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
    const std::vector<std::uint32_t>& m_node_of;
    part m_part;
    const cycle_t m_first;
    bool m_log_wanted = false, m_open = false, m_closed = false;
    cycle_t m_end = 0;
    std::vector<bool> m_shown;  ///< true for tasks that are shown
    phase_table m_phases;
    task_states m_states;
    critical_path m_path;
    record_file<task_event> m_log;
    std::vector<flight> m_flights;          ///< messages on their way, by slot
    std::vector<std::uint8_t> m_operating;  ///< true: the strand has begun an operation and not ended it
    std::uint32_t m_messages = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, pair_count> m_matrix;
    std::vector<std::vector<std::uint32_t>> m_phase_of;  ///< number of a phase among all processes, by rank
                                                         ///< and the rank's own number of the phase
};

}  // namespace sare::traffic
