// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"
#include "tlm/stats/statistic.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sare {

class network_view;

/// Finds the links that packets wait for, and the inputs by which these came: samples of all input VCs at the
/// ends of intervals, in every run. A sample asks each router once, so that runs do not get slower
/// (docs/congestion.md#how-it-is-found).
///
/// Links are numbered: outputs of routers in order, then links from nodes.
class wait_samples final : public statistic {
  public:
    /// Counts at a link.
    enum counter : std::uint8_t {
        // What packets at the front of input VCs and source queues lack to cross it next; packets times
        // cycles.
        vc,       ///< every VC of the link that it may have is another packet's
        credit,   ///< no room beyond
        turn,     ///< nothing but its turn: it may go in one of the next cycles
        blocked,  ///< part of these: nothing moves until there is room beyond
        // Cycles in which some packet lacks nothing but its turn; in which all lack something, by what most
        // do.
        ready,
        full,        ///< the buffers beyond are full
        on_trip,     ///< the buffers beyond are not full: credits are on their way back
        given_late,  ///< free VCs are not given before the last of their credits is back
        owned_idle,  ///< VCs are owned by packets without a flit here
        flits,       ///< flits that crossed it
        counters
    };
    using link_waits = std::array<std::uint64_t, counters>;
    static std::uint64_t packets(const link_waits& w) { return w[vc] + w[credit] + w[turn]; }
    /// Counts of a part of the window.
    struct period {
        cycle_t from = 0, to = 0;
        std::uint64_t waiting = 0;  ///< sum of waiting packets over cycles
        std::vector<link_waits> links;
        std::vector<std::uint64_t> turns;  ///< by router, input port and output port

        std::uint64_t cycles() const { return to - from; }
        void serialize(archive& a);
    };

    /// `processes`: processes that run the network together; null: one.
    explicit wait_samples(const network_view& net, world* processes = nullptr);

    void start(cycle_t now) override;
    void sample(cycle_t now) override;
    void serialize(archive& a) override;
    void add_up(world& all) override;

    /// Returns the sum of all periods; without cycles if there was no sample.
    period all() const { return sum(0, m_periods.size()); }
    /// Returns the sum over the part of the window in which at least half as many packets waited as at the
    /// worst time, if it is one part of at least three periods; else all(). Its first period is left out, if
    /// there are more than three.
    period congested() const;
    std::uint32_t links() const { return m_first_port.back() + m_nodes; }
    std::uint32_t link_from(std::uint32_t router, std::uint32_t port) const {
        return m_first_port[router] + port;
    }
    std::uint32_t link_of_node(std::uint32_t node) const { return m_first_port.back() + node; }
    /// Number of packets that came by an input port and wait for an output port, summed over cycles.
    std::uint64_t waits_between(const period& p, std::uint32_t router, std::uint32_t in,
                                std::uint32_t out) const {
        return p.turns[m_first_turn[router] + std::size_t{in} * ports(router) + out];
    }
    std::uint32_t ports(std::uint32_t router) const {
        return m_first_port[router + 1] - m_first_port[router];
    }
    std::uint32_t vcs() const { return m_vcs; }
    const router_pace& pace_of(std::uint32_t router) const { return m_paces[router]; }

  private:
    struct wait {
        counter why;
        counter what = full;  ///< thing that it lacks, unless it waits for its turn
        bool moves = false;   ///< true: one of the VCs that it waits for can send
    };
    using lacking = std::array<std::uint32_t, counters>;  ///< packets waiting for a port, by what they lack
    period sum(std::size_t first, std::size_t end) const;
    void begin_period();
    void read_flits(std::vector<std::uint32_t>& sent) const;
    void sample_router(std::uint32_t router);
    void sample_head(std::uint32_t router, std::uint32_t in, std::uint32_t vc);
    void sample_node(std::uint32_t node);
    counter loss_of(std::uint32_t router, std::uint32_t port, std::uint32_t vc, bool atomic) const;
    counter loss_into(std::uint32_t router, std::uint32_t port, std::uint32_t vc, bool atomic) const;
    counter loss_before(std::uint32_t router, std::uint32_t owner) const;
    std::uint64_t state_of(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    void tell_others();
    static counter most_of(const lacking& lacks);
    void note(std::uint32_t link, lacking& at, const wait& w);
    void note(std::uint32_t router, std::uint32_t in, std::uint32_t out, const wait& w);
    void count_cycles(std::uint32_t link, const lacking& w);

    const network_view& m_net;
    world* m_world;
    std::uint32_t m_vcs, m_nodes;
    std::vector<std::uint32_t> m_first_port;  ///< by router; last: number of all
    std::vector<std::size_t> m_first_turn;    ///< by router; last: number of all
    std::vector<router_pace> m_paces;         ///< by router
    std::vector<std::uint64_t> m_told;        ///< by output port of a router and VC; only with processes
    std::size_t m_most_periods;
    std::vector<period> m_periods;
    std::vector<std::uint32_t> m_sent;      ///< flits by link at the last sample, modulo 2^32
    std::vector<lacking> m_ports;           ///< by port of the router that is sampled
    std::uint32_t m_each = 1, m_taken = 0;  ///< samples of a period, and of the last period so far
    cycle_t m_last = 0, m_next = 0;         ///< cycle of the last and of the next sample
    std::uint64_t m_weight = 0;             ///< cycles that the current sample stands for
    std::uint64_t m_waiting = 0;            ///< packets that wait in the current sample
};

}  // namespace sare
