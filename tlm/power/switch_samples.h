// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <vector>

namespace sare {

class archive;
class network_view;
class world;

/// Counts how flits follow one another at the switches of routers, for power_meter. It looks at all routers
/// in all cycles until it has looked 2^19 times at a VC; above 8,192 VCs in all it does not begin with that.
/// From then on it takes samples of about 2,048 VCs in six cycles in a row, ever less often, weighted so that
/// all parts of the window count alike. Events are counted in cycles of a router's own clock; `now` is a
/// cycle of the network's.
class switch_samples {
  public:
    /// Makes counters of `net`, which must outlive them. `exact`: true: look at all routers in all cycles,
    /// however long the run is.
    switch_samples(const network_view& net, bool exact);

    void start(cycle_t now);  ///< begins the measured window, whose first cycle is `now`
    /// Ends the window: next() is workload::never from now on.
    void stop() { m_next = workload::never; }
    /// Returns the cycle before which look() is due; workload::never: none, before start() and after stop().
    cycle_t next() const { return m_next; }
    void look(cycle_t now);      ///< looks at routers before cycle `now`; does nothing if next() is later
    void serialize(archive& a);  ///< writes the counters to `a`, or reads them from it
    /// Adds the counts of all processes together, in all of them; all processes must call.
    void add_up(world& all);

    /// Events that are counted, in the cycles of samples.
    enum seen : std::uint8_t {
        flits,   ///< flits that output ports sent
        bursts,  ///< flits by an output port that sent none in the cycle before
        starts,  ///< flits by an output VC that sent none in the cycle before
        lost,    ///< input VCs that bid for the switch in a cycle and were not granted it
        fills,   ///< input VCs that were empty before a cycle and hold a flit after it
        turns,   ///< flits that an output sent from another input port than its flit before, if it is certain
        firsts,  ///< first flits of an output in a sample that may not be heads
        known,   ///< events of `firsts` whose output sent a flit in an earlier sample
        others,  ///< events of `known` from another input port than the output's last flit in earlier samples
        kinds    ///< number of kinds of events
    };
    /// Returns the mean number of events of a kind for each flit that was sent, over all routers and samples;
    /// -1: no flit was sent in them.
    double of_a_flit(seen what) const;
    /// True if all routers were looked at in all cycles, so that events are known of each router.
    bool exact() const { return m_all; }
    /// Number of groups among which samples are divided in turn.
    static constexpr std::uint32_t groups = 8;
    /// Returns a copy without the samples of `group`, 0 to groups - 1 (not checked), for estimating the error
    /// of all samples (jackknife).
    switch_samples without(std::uint32_t group) const;
    /// Returns the mean number of events of a kind for each flit that a router sent; 0: it has sent none.
    /// Call only if exact() (not checked).
    double of_a_flit(std::uint32_t router, seen what) const;
    /// Returns the mean number of turns for each flit that was sent, with an estimate for `firsts`, of which
    /// only heads can turn; -1: no flit was sent, or there are `firsts` and none is `known`. `heads`: share
    /// of heads among the flits, in [0, 1].
    double turns_of_a_flit(double heads) const;

  private:
    /// State of an output VC after a cycle: flits sent since the start, modulo 2^32; input VC that owns it,
    /// port * vcs + VC; credits; and flits that wait in the input VC with the same port and number.
    struct sender {
        std::uint32_t sent;
        std::uint16_t owner, credits, waiting;
    };
    void choose();                ///< chooses the routers of the next sample
    void look_less(cycle_t now);  ///< changes from all cycles to samples, or doubles their distance
    void look_at(std::uint32_t router, std::uint8_t& looked, sender* before, sender* last);
    void remember(std::uint32_t router, sender* all) const;
    bool may_send(std::uint32_t router, const sender& s) const;
    void compare(std::uint32_t r, const sender* before_last, const sender* last, const sender* now);
    void follow(std::uint32_t r, const sender* before_last, const sender* last, const sender* now,
                bool counts);
    void see(std::uint32_t router, std::uint32_t output, std::uint32_t input, bool counts, bool is_head);
    void note(std::uint32_t router, seen what, std::uint64_t events) {
        m_seen[m_group * std::size_t{kinds} + what] += events * m_weight;
        if (m_all) m_of_router[router * std::size_t{kinds} + what] += events;
    }
    std::uint64_t sum(seen what) const;  ///< number of events over all groups, weighted

    const network_view& m_net;
    const bool m_exact;                   ///< `exact` of the constructor
    bool m_all;                           ///< true: all routers in all cycles so far; false: samples
    std::uint64_t m_all_vcs = 0;          ///< number of VCs of the routers that may be sampled
    std::uint64_t m_vcs = 0;              ///< number of VCs of the present sample
    std::uint64_t m_looks = 0;            ///< VCs looked at since the last look_less()
    std::uint64_t m_weight = 1;           ///< number of events for which one that is seen now stands
    std::uint32_t m_group = 0;            ///< group of the present sample
    std::uint32_t m_slowest = 1;          ///< network cycles in a cycle of the slowest router
    std::vector<std::uint32_t> m_chosen;  ///< routers of the present sample
    std::vector<std::uint8_t> m_looked;   ///< cycles of the sample so far, at most 2; indexed as m_chosen
    /// State of the chosen routers after their last cycle, and after the one before it; room for the next.
    std::vector<sender> m_last, m_before, m_now;
    std::uint32_t m_ports = 0;  ///< most ports of a router
    /// Input port of the last flit seen at each output; 0xffff: none. [router * m_ports + output]
    std::vector<std::uint16_t> m_from;
    std::vector<std::uint8_t> m_followed;  ///< true: the flit of m_from was in this sample; indexed alike
    /// See next(); cycles from the end of a sample to the next one.
    cycle_t m_next = workload::never, m_gap = 0;
    /// Cycles of the present sample so far; number of samples so far; router with which the next sample
    /// begins.
    std::uint32_t m_phase = 0, m_samples = 0, m_turn = 0;
    std::vector<std::uint64_t> m_seen;       ///< events by [group * kinds + seen], each with its weight
    std::vector<std::uint64_t> m_of_router;  ///< events by [router * kinds + seen]; empty unless m_all
};

}  // namespace sare
