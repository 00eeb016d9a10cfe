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
class level_times;
class switch_samples;

/// Numbers of events of one block (a router or NIC) for one message class, by power_event.
using event_counts = std::array<double, power_events.size()>;

/// Events of all blocks in the measured window, calculated from figures that a run has anyway: flits of links
/// by VC, packets of nodes and classes, and switch_samples. Numbers of heads are numbers of flits divided by
/// the mean packet length of the class.
struct network_activity {
    /// Calculates the events. `from`: figures of the run, with a window of 1 cycle or more; `shares`: VCs of
    /// the message classes, used if there are several, null: unknown; `samples`: how flits followed one
    /// another in the run; `times`: lengths of the blocks' cycles. `times` must outlive this object.
    network_activity(const reading& from, const class_vcs* shares, const switch_samples& samples,
                     const level_times& times);

    std::size_t classes = 1;  ///< number of message classes
    /// Events of each router, and of each node's NIC: [router or node][message class].
    std::vector<std::vector<event_counts>> routers, nodes;
    /// Number of flits that cross a link, and number of heads among them.
    struct crossing {
        double flits = 0, heads = 0;  ///< numbers of both in the measured window
    };
    std::vector<std::vector<crossing>> links;  ///< [row of run_result::link_loads][message class]

  private:
    const level_times& m_times;

    void find_lengths(const reading& from);  ///< fills m_length and m_share
    void count_link(const run_result& out, std::size_t row, const class_vcs* shares);
    void count_waits(const reading& from, double lost);
    void finish_routers();
    void count_where_idle(const reading& from, power_event e, double share);
    void count_starts(double share);
    void count_nic_bursts(const reading& from);
    void count_turns(const reading& from, const switch_samples& samples);
    void take_exact(const switch_samples& samples);

    /// Mean number of flits of a packet, and share of all injected flits, 0 to 1; by class.
    std::vector<double> m_length, m_share;
};

}  // namespace sare
