// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/power/table/events.h"
#include "tlm/stats/figure.h"

#include <array>
#include <functional>
#include <vector>

namespace sare {

struct run_result;
class class_vcs;
class switch_samples;

/// Number of events of each kind, of one block and message class.
using event_counts = std::array<double, power_events.size()>;

/// Events of all blocks in the measured window, calculated from figures that a run has anyway: flits of links
/// by VC, packets of nodes and classes, and switch_samples. Heads are flits divided by the mean packet length
/// of the class.
struct network_activity {
    /// `from`: the run; `shares`: VCs of the message classes, null if there is one; `samples`: the run's.
    network_activity(const reading& from, const class_vcs* shares, const switch_samples& samples);

    std::size_t classes = 1;  ///< number of message classes
    /// Events of each router and of each node's NIC, by number and message class.
    std::vector<std::vector<event_counts>> routers, nodes;
    /// Numbers of flits, and of heads among them, that cross a link.
    struct crossing {
        double flits = 0, heads = 0;
    };
    std::vector<std::vector<crossing>> links;  ///< by row of run_result::link_loads and message class

  private:
    void find_lengths(const reading& from);
    void count_link(const run_result& out, std::size_t row, const class_vcs* shares);
    void count_waits(const reading& from, double lost);
    void finish_routers();
    void count_where_idle(const reading& from, power_event e, double share);
    void count_starts(double share);
    void count_nic_bursts(const reading& from);
    void count_turns(const reading& from, const switch_samples& samples);
    void take_exact(const reading& from, const switch_samples& samples);

    std::vector<double> m_length, m_share;  ///< by class: flits of a packet; share of all flits
};

}  // namespace sare
