// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"
#include "tlm/stats/statistic.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sare {

class network_view;

/// Finds the links that packets wait for, and the input ports by which these packets came: samples of all
/// input VCs and source queues at ends of the intervals of the measured window, in every run. Samples are at
/// least 1,000 cycles apart, or 4,000 if at most half as many packets wait as there are routers, so that runs
/// do not get slower (docs/congestion.md#how-it-is-found). A sample stands for all cycles since the one
/// before.
///
/// Numbers of links, from 0: all output ports, by router and port; then the links from nodes, by node.
class wait_samples final : public statistic {
  public:
    /// Counts at a link.
    enum counter : std::uint8_t {
        // Packets times cycles: packets at the front of input VCs and source queues that wait for the link,
        // by what they lack to cross it.
        vc,       ///< every VC of the link that the packet may have is another packet's
        credit,   ///< a VC of the link is the packet's own or free, but has too few credits
        turn,     ///< neither: the packet is in the pipeline, or another flit has the switch or the link
        blocked,  ///< the part of `vc` and `credit` whose cause is `full`, and in which none of the VCs that
                  ///< the packet waits for can send
        // Cycles in which packets wait for the link: in the four after `ready` all packets lack something
        // more, and the counter is what most of them lack.
        ready,       ///< some packet is counted as `turn`
        full,        ///< the buffers of the next router's input VCs are more than half full
        on_trip,     ///< these are at most half full: credits are on their way, here or a link before
        given_late,  ///< free VCs are not given before the last of their credits is back
        owned_idle,  ///< VCs have credits, and are owned by packets without a flit in this router
        flits,       ///< number of flits that crossed the link
        counters     ///< number of counters
    };
    using link_waits = std::array<std::uint64_t, counters>;  ///< counts at a link, by counter
    /// Returns the number of packets that waited for the link, summed over cycles.
    static std::uint64_t packets(const link_waits& w) { return w[vc] + w[credit] + w[turn]; }
    /// Counts of a part of the measured window.
    struct period {
        cycle_t from = 0, to = 0;       ///< cycles [from, to)
        std::uint64_t waiting = 0;      ///< number of packets that wait for any link, summed over cycles
        std::vector<link_waits> links;  ///< counts of each link, by its number
        /// Number of packets that wait, summed over cycles, in the order of router, input port and output
        /// port (see waits_between()).
        std::vector<std::uint64_t> turns;

        std::uint64_t cycles() const { return to - from; }  ///< number of network cycles
        void serialize(archive& a);
    };

    /// Makes a sampler of `net`, which must outlive it. `processes`: processes that run the network together;
    /// null: there is one.
    explicit wait_samples(const network_view& net, world* processes = nullptr);

    void start(cycle_t now) override;
    void sample(cycle_t now) override;
    void serialize(archive& a) override;
    void add_up(world& all) override;

    /// Returns the sum of all periods; with no cycles and all counts 0 if there was no sample.
    period all() const { return sum(0, m_periods.size()); }
    /// Returns the sum over the periods in which at least half as many packets waited a cycle as in the worst
    /// period. These must be three or more in a row, but not all periods; else it returns all(). The first
    /// of them is left out if they are more than three and do not begin with the window.
    period congested() const;
    std::uint32_t links() const { return m_first_port.back() + m_nodes; }  ///< number of links
    /// Returns the number of the link at an output port, which must exist (not checked).
    std::uint32_t link_from(std::uint32_t router, std::uint32_t port) const {
        return m_first_port[router] + port;
    }
    /// Returns the number of the link from a node, which must exist (not checked).
    std::uint32_t link_of_node(std::uint32_t node) const { return m_first_port.back() + node; }
    /// Returns the number of packets that came by input port `in` of a router and waited for output port
    /// `out`, summed over the cycles of a period.
    std::uint64_t waits_between(const period& p, std::uint32_t router, std::uint32_t in,
                                std::uint32_t out) const {
        return p.turns[m_first_turn[router] + std::size_t{in} * ports(router) + out];
    }
    std::uint32_t ports(std::uint32_t router) const {  ///< number of ports of a router
        return m_first_port[router + 1] - m_first_port[router];
    }
    std::uint32_t vcs() const { return m_vcs; }        ///< number of VCs of a port
    const network_view& net() const { return m_net; }  ///< the network that is sampled
    const router_pace& pace_of(std::uint32_t router) const { return m_paces[router]; }  ///< pipeline delays

  private:
    /// Wait of a packet for a link.
    struct wait {
        counter why;          ///< vc, credit or turn
        counter what = full;  ///< cause, full to owned_idle, of `why`; no meaning for `turn`
        bool moves = false;   ///< true: one of the VCs that the packet waits for can send
    };
    using lacking = std::array<std::uint32_t, counters>;   ///< packets waiting for a port, by what they lack
    period sum(std::size_t first, std::size_t end) const;  ///< sum over periods `first` to before `end`
    void begin_period();
    void read_flits(std::vector<std::uint32_t>& sent) const;
    void sample_router(std::uint32_t router);
    void sample_head(std::uint32_t router, std::uint32_t in, std::uint32_t vc);
    void sample_node(std::uint32_t node);
    counter loss_of(std::uint32_t router, std::uint32_t port, std::uint32_t vc, bool atomic) const;
    counter loss_into(std::uint32_t router, std::uint32_t port, std::uint32_t vc, bool atomic) const;
    counter loss_before(std::uint32_t router, std::uint32_t owner) const;
    std::uint64_t state_of(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    void tell_others();                            ///< fills m_told in all processes
    static counter most_of(const lacking& lacks);  ///< cause, full to owned_idle, that most packets have
    void note(std::uint32_t link, lacking& at, const wait& w);
    void note(std::uint32_t router, std::uint32_t in, std::uint32_t out, const wait& w);
    void count_cycles(std::uint32_t link, const lacking& w);

    const network_view& m_net;
    world* m_world;
    std::uint32_t m_vcs, m_nodes;
    std::vector<std::uint32_t>
        m_first_port;  ///< link number of each router's output 0; last: number of outputs
    std::vector<std::size_t> m_first_turn;  ///< index in period::turns of each router; last: their number
    std::vector<router_pace> m_paces;       ///< pipeline delays of each router
    /// State of each port and VC of all processes' routers (see state_of()); only with several processes.
    std::vector<std::uint64_t> m_told;
    std::size_t m_most_periods;             ///< number of periods from which on neighbours are joined
    std::vector<period> m_periods;          ///< parts of the window so far, in order
    std::vector<std::uint32_t> m_sent;      ///< flits by link at the last sample, modulo 2^32
    std::vector<lacking> m_ports;           ///< waiting packets of the router that is sampled, by output port
    std::uint32_t m_each = 1, m_taken = 0;  ///< samples of a period, and of the last period so far
    cycle_t m_last = 0, m_next = 0;         ///< cycle of the last sample, and earliest one of the next
    std::uint64_t m_weight = 0;             ///< cycles that the current sample stands for
    std::uint64_t m_waiting = 0;            ///< packets that wait in the current sample
};

}  // namespace sare
