// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "traffic/moves/params.h"
#include "traffic/moves/rates.h"

#include <map>
#include <queue>
#include <tuple>

namespace sare::traffic {

/// The workload `data_moves`: a replay of recorded one-sided transfers between processors of a chip. Each
/// transfer starts the same number of cycles after the begin of its kernel, or after the end of the last
/// timed barrier, as on silicon; the network decides how long a barrier takes. Requests, and data of writes,
/// are messages of class 0; data of reads, and acknowledgements, are messages of class 1.
class data_moves final : public workload {
  public:
    /// `folder`: folder to which the file of the recording is relative; `section`: the workload's section,
    /// for the places of errors. Throws config::error if a parameter or the recording is wrong.
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
        return static_cast<std::uint32_t>(m_planes.size()) * m_chips * places();
    }
    std::uint32_t classes_needed() const override { return 2; }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    standstill stuck() const override;

  private:
    /// Value for no index.
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// The state of a processor.
    struct actor {
        std::size_t next = 0;  ///< index of the move that the processor makes next, or waits in
        cycle_t base = 0;  ///< cycle to which move::after is added: begin of the kernel, or end of the last
                           ///< timed barrier
        /// End of the last barrier or wait of any kind, before which the processor does nothing.
        cycle_t not_before = 0;
        cycle_t began = 0;         ///< cycle in which the present barrier or wait began
        std::uint32_t reads = 0;   ///< number of reads whose data have not come
        std::uint32_t writes = 0;  ///< number of writes whose acknowledgement has not come
        std::uint32_t unsent = 0;  ///< number of writes whose message has not been given to the network
        bool begun = false, ends = false;  ///< begun: the processor is in a barrier or wait; ends: the end of
                                           ///< this barrier or wait is on the agenda
    };
    /// A packet of a transfer; it has at most one message under way at a time.
    struct transfer {
        /// Message that is next or under way: request of a read, data of a read, data of a write,
        /// acknowledgement of a write.
        enum phase : std::uint8_t { asks, answers, writes, acknowledges };
        phase at = asks;
        /// True: the transfer is a write whose target sends an acknowledgement.
        bool acknowledged = false;
        bool signal = false;  ///< true: when its data have arrived, adds 1 to the semaphores of all places in
                              ///< the rectangle from `first` to `last`
        std::uint32_t actor = 0;         ///< number of the processor that started the transfer
        std::uint32_t from = 0, to = 0;  ///< node of this processor (multicast: node where the branch begins;
                                         ///< `way` set: node where the present leg begins), and target node
        const move* way = nullptr;  ///< move whose way over links between chips the transfer takes; null: it
                                    ///< stays in a chip
        std::uint32_t links = 0;    ///< `way` set: number of links that the transfer has passed
        cycle_t began = 0;          ///< `way` set: cycle in which the transfer was started
        std::uint32_t bytes = 0;    ///< bytes of data of the packet
        grid_position first, last;  ///< signal: first and last place of the rectangle
    };
    /// An act that is due in cycle `when`; acts of a cycle are done in the order of `serial`. go: a processor
    /// goes on; send: a transfer sends its message; write_over and read_over: the target has taken the data
    /// of a transfer; go_on: a transfer has come by a link to another chip.
    struct entry {
        enum kind : std::uint8_t { go, send, write_over, read_over, go_on };
        cycle_t when;
        std::uint64_t serial;
        kind what;
        std::uint32_t which;  ///< number of an actor, or of a transfer
        bool operator>(const entry& o) const { return std::tie(when, serial) > std::tie(o.when, o.serial); }
    };
    /// The end of a timed barrier, or the begin of a kernel, as recorded and as predicted by the run. Cycles
    /// count from the start of the recording, and of the run.
    struct barrier_end {
        std::uint32_t actor = 0, kernel = 0;
        cycle_t recorded = 0, predicted = 0;
        cycle_t begin_recorded = 0, begin_predicted = 0;  ///< begin of the kernel in which the barrier is
    };
    /// Limits of the rates at which a node sends and receives data.
    struct node_rates {
        rate_server out, in;            ///< limits of the data that the node sends, and receives
        rate_server* memory = nullptr;  ///< memory that the node shares with others; null: none
        std::uint32_t latency = 0;      ///< cycles that this memory adds to read_latency and write_latency
    };

    /// Traffic over links between chips.
    struct chip_traffic {
        std::uint32_t plane = 0;                     ///< index of the plane in which data go on after a link
        std::map<std::uint32_t, rate_server> links;  ///< each link, by the place_number() of its start
        std::uint64_t packets = 0, cycles = 0;       ///< number of packets that have come over links to their
                                                     ///< target; sum of the cycles that they took
    };

    // data_moves.cpp: processors
    void act(cycle_t now);
    void later(cycle_t when, entry::kind what, std::uint32_t which);
    void go(std::uint32_t a, cycle_t now);
    bool do_move(std::uint32_t a, const move& m, cycle_t now);
    bool wait(std::uint32_t a, const move& m, cycle_t now);
    bool is_over(std::uint32_t a, const move& m);
    std::string awaited(std::uint32_t a, const move& w) const;
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
    void take_link(std::uint32_t t, cycle_t now);
    void go_on(std::uint32_t t, cycle_t now);
    void raise(const grid_position& first, const grid_position& last, cycle_t now);
    void forget(std::uint32_t t);

    std::vector<barrier_end> last_ends() const;  // results.cpp

    std::uint32_t places() const { return m.places[0] * m.places[1]; }
    std::uint32_t place_number(const grid_position& p) const {
        return (p.chip * m.places[1] + p.y) * m.places[0] + p.x;
    }
    /// Returns the node of place (0, 0) of a chip in a plane.
    std::uint32_t first_node(std::uint32_t plane, std::uint32_t chip) const {
        return (plane * m_chips + chip) * places();
    }
    std::uint32_t node(std::uint32_t plane, const grid_position& p) const {
        return first_node(plane, p.chip) + m_planes[plane].node(p, m.places[0], m.places[1]);
    }

    data_moves_params m;
    config::location m_at;
    std::vector<plane_order> m_planes;
    recording m_recording;
    std::uint32_t m_chips = 1;  ///< number of chips in the topology file; from start() on, in the network
    std::size_t m_moves = 0, m_made = 0;  ///< number of moves in the recording; number of moves made so far

    traffic_port* m_port = nullptr;
    std::vector<rate_server> m_memories;
    std::vector<node_rates> m_nodes;
    std::vector<actor> m_actors;
    /// Number of signals that have come to each place since the start, by place_number().
    std::vector<std::uint32_t> m_signals;
    /// Processors that wait until the source queue of a node is empty, by node.
    std::vector<std::vector<std::uint32_t>> m_awaiting_room;
    pool<transfer> m_transfers;
    std::size_t m_open = 0, m_done = 0;  ///< number of transfers under way; number of processors that have
                                         ///< made all their moves
    std::priority_queue<entry, std::vector<entry>, std::greater<>> m_agenda;
    std::uint64_t m_serial = 0;
    generated_counts m_generated;
    std::vector<barrier_end> m_ends;
    cycle_t m_last_move = 0;             ///< cycle of the last move so far
    chip_traffic m_between;              ///< traffic between chips
    std::vector<barrier_end> m_kernels;  ///< present kernel of each processor: its number and begin
};

}  // namespace sare::traffic
