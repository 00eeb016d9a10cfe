// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
class network_view;
class world;

/// How flits follow one another at the switches of routers: samples of some cycles in a row, by which runs
/// do not get slower, each of a few routers. Or exactly: all routers in all cycles. Routers of a slower clock
/// are left out.
class switch_samples {
  public:
    switch_samples(const network_view& net, bool exact);

    void start(cycle_t now);
    void stop() { m_next = workload::never; }
    cycle_t next() const { return m_next; }
    void look(cycle_t now);
    void serialize(archive& a);
    void add_up(world& all);

    enum seen : std::uint8_t {
        flits,   ///< that outputs sent
        bursts,  ///< of them: by an output that sent none in the cycle before
        starts,  ///< of them: by an output VC that sent none in the cycle before
        lost,    ///< input VCs that bid for the switch and were not granted it
        fills,   ///< input VCs that were empty and keep a flit
        turns,   ///< flits of another input than the one before, of the same output; seen for sure
        firsts,  ///< flits that are the first of an output in a sample, and may be no heads,
        known,   ///< of them: of an output of which an earlier sample has a flit,
        others,  ///< of them: of another input than that
        kinds
    };
    /// So many a flit; below 0: no flit was seen.
    double of_a_flit(seen what) const;
    /// Whether that is known of each router.
    bool exact() const { return m_exact; }
    double of_a_flit(std::uint32_t router, seen what) const;
    /// Flits of another input than the one before, a flit, where so many flits are heads: only a head, first
    /// in a sample, may be. Below 0: not known.
    double turns_of_a_flit(double heads) const;

  private:
    /// An output VC as after a cycle: which input VC may send by it, and how many flits it sent; and how many
    /// wait in the input VC of the same port and number.
    struct sender {
        std::uint32_t sent;
        std::uint16_t owner, credits, waiting;
    };
    void choose();
    void remember(std::vector<sender>& all) const;
    bool may_send(std::uint32_t router, const sender& s) const;
    void compare(const std::vector<sender>& now);
    void follow(const std::vector<sender>& now, bool counts);
    void see(std::uint32_t router, std::uint32_t output, std::uint32_t input, bool counts, bool is_head);
    std::uint64_t& seen_at(std::uint32_t router, seen what) {
        return m_seen[(m_exact ? router * std::size_t{kinds} : 0) + what];
    }
    std::uint64_t sum(seen what) const;

    const network_view& m_net;
    const bool m_exact;
    std::vector<std::uint32_t> m_routers, m_chosen;  ///< that may be looked at; of this sample
    std::vector<sender> m_last, m_before;            ///< as after the last cycle, and the one before it
    std::uint32_t m_ports = 0;                       ///< that a router has at most
    std::vector<std::uint8_t> m_from;      ///< by router and output: input of its last flit that was seen
    std::vector<std::uint8_t> m_followed;  ///< likewise: that flit was in this sample
    cycle_t m_next = workload::never, m_gap = 0;
    std::uint32_t m_phase = 0, m_samples = 0, m_turn = 0;
    std::vector<std::uint64_t> m_seen;  ///< of all routers together; exactly: [router * kinds + seen]
};

}  // namespace sare
