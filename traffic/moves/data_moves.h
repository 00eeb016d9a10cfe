// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "traffic/moves/params.h"
#include "traffic/moves/rates.h"

#include <queue>
#include <tuple>

namespace sare::traffic {

/// A replay of recorded one-sided transfers. Each starts as many cycles after the begin of its kernel, or the
/// end of the last barrier, as it did on silicon; the network decides when a barrier ends. Requests and data
/// of writes are messages of class 0, answers and acknowledgements of class 1: a node answers without its
/// processors.
class data_moves final : public workload {
  public:
    /// `section`: the workload's, for the places of errors.
    data_moves(data_moves_params p, const std::string& folder, const config::value& section);

    void start(traffic_port& port) override;
    void use(const host_services& host) override;
    cycle_t next_tick() const override { return m_agenda.empty() ? never : m_agenda.top().when; }
    void tick(cycle_t now) override { act(now); }
    void delivered(const delivery& d) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    bool finished() const override { return m_done == m_actors.size() && m_agenda.empty() && m_open == 0; }
    bool runs_to_completion() const override { return true; }
    double progress() const override;
    std::uint32_t nodes_needed() const override {
        return static_cast<std::uint32_t>(m_planes.size()) * places();
    }
    std::uint32_t classes_needed() const override { return 2; }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    standstill stuck() const override;

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// A processor in the run.
    struct actor {
        std::size_t next = 0;              ///< index of its next move
        cycle_t base = 0;                  ///< begin of its kernel, or end of its last barrier
        cycle_t not_before = 0;            ///< end of its last wait whose end was not recorded
        cycle_t began = 0;                 ///< cycle at which its barrier began
        std::uint32_t reads = 0;           ///< reads under way
        std::uint32_t writes = 0;          ///< writes not acknowledged yet
        std::uint32_t unsent = 0;          ///< writes that are not in their node's queue yet
        bool begun = false, ends = false;  ///< the next move has begun and waits; its end is on the agenda
    };
    /// A packet's worth of a transfer; it has one message on its way at a time.
    struct transfer {
        enum phase : std::uint8_t { asks, answers, writes, acknowledges };
        phase at = asks;
        bool acknowledged = false;
        bool signal = false;             ///< true: raises semaphores from place `first` to `last`
        std::uint32_t actor = 0;         ///< number of the processor that has started it
        std::uint32_t from = 0, to = 0;  ///< node of that processor, and the other node
        std::uint32_t bytes = 0;
        grid_position first, last;
    };
    struct entry {
        enum kind : std::uint8_t { go, send, write_over, read_over };
        cycle_t when;
        std::uint64_t serial;
        kind what;
        std::uint32_t which;  ///< number of an actor, or of a transfer
        bool operator>(const entry& o) const { return std::tie(when, serial) > std::tie(o.when, o.serial); }
    };
    /// The end of a barrier in the trace and in the run.
    struct barrier_end {
        std::uint32_t actor = 0, kernel = 0;
        cycle_t recorded = 0, predicted = 0;
        cycle_t begin_recorded = 0, begin_predicted = 0;  ///< begin of its kernel
    };
    struct node_rates {
        rate_server out, in;            ///< data that the node gives, and takes
        rate_server* memory = nullptr;  ///< memory that the node shares; null: none
        std::uint32_t latency = 0;      ///< cycles of that memory: shared_memory::latency
    };

    // data_moves.cpp: processors
    void act(cycle_t now);
    void later(cycle_t when, entry::kind what, std::uint32_t which);
    void go(std::uint32_t a, cycle_t now);
    bool do_move(std::uint32_t a, const move& m, cycle_t now);
    bool wait(std::uint32_t a, const move& m, cycle_t now);
    bool is_over(std::uint32_t a, const move& m);
    void look_again(std::uint32_t a, cycle_t now);
    void end_barrier(std::uint32_t a, const move& m, cycle_t now);

    // transfers.cpp: what they start
    void start_transfers(std::uint32_t a, const move& m, cycle_t now);
    void start_transfer(std::uint32_t a, const move& m, std::uint32_t bytes, cycle_t when);
    void start_multicast(std::uint32_t a, const move& m, std::uint32_t bytes, cycle_t when);
    void put(const transfer& t, cycle_t when);
    void send(std::uint32_t t);
    void answer(std::uint32_t t, cycle_t now);
    void take_data(std::uint32_t t, cycle_t now);
    void write_over(std::uint32_t t, cycle_t now);
    void read_over(std::uint32_t t, cycle_t now);
    void raise(const grid_position& first, const grid_position& last, cycle_t now);
    void forget(std::uint32_t t);

    std::vector<barrier_end> last_ends() const;  // results.cpp

    std::uint32_t places() const { return m.places[0] * m.places[1]; }
    std::uint32_t place_number(const grid_position& p) const { return p.y * m.places[0] + p.x; }
    std::uint32_t node(std::uint32_t plane, const grid_position& p) const {
        return plane * places() + m_planes[plane].node(p, m.places[0], m.places[1]);
    }

    data_moves_params m;
    config::location m_at;
    std::vector<plane_order> m_planes;
    recording m_recording;
    std::size_t m_moves = 0, m_made = 0;  ///< numbers of moves in the recording, and of those made

    traffic_port* m_port = nullptr;
    std::vector<rate_server> m_memories;
    std::vector<node_rates> m_nodes;
    std::vector<actor> m_actors;
    std::vector<std::uint32_t> m_signals;                     ///< signals that have come, by place
    std::vector<std::vector<std::uint32_t>> m_awaiting_room;  ///< actors that wait for room, by node
    pool<transfer> m_transfers;
    std::size_t m_open = 0, m_done = 0;  ///< transfers under way; processors whose moves are over
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
    std::uint64_t m_serial = 0;
    generated_counts m_generated;
    std::vector<barrier_end> m_ends;
    std::vector<barrier_end> m_kernels;  ///< kernel that each actor is in
};

}  // namespace sare::traffic
