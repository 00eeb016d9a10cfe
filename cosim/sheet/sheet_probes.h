// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_bench.h"
#include "cosim/bench/probe_writer.h"
#include "cosim/sheet/data_sheet.h"
#include "cosim/sheet/pin_record.h"

#include <set>

namespace sare::cosim {

/// Finds the kind of an arbiter by the orders in which it serves ports that ask at once: drops every kind
/// that would have served them otherwise.
class order_hypotheses {
  public:
    /// Takes the ports that asked at once, in the order in which they were served. `judged`: false: the order
    /// only tells the state of the arbiter, and drops no kind.
    void take(const std::vector<std::uint32_t>& served, bool judged);
    /// Forgets the state of the arbiter (ports served so far), since the next calls are about another arbiter
    /// of the same kind; the kinds that were dropped stay dropped.
    void next_arbiter() { m_last.reset(), m_times.clear(), m_before.clear(), m_ring.clear(); }
    /// Returns the kind that explains all orders so far; unknown if never two ports asked at once, and other
    /// if no kind does.
    order best() const;

  private:
    bool follows_ring(const std::vector<std::uint32_t>& served);

    bool m_fixed = true, m_round_robin = true, m_other_ring = true, m_least_recent = true;
    std::vector<std::uint32_t> m_ring;    ///< ports in the order in which the largest round so far was served
    std::size_t m_most = 0;               ///< largest number of ports that asked at once
    std::optional<std::uint32_t> m_last;  ///< port served last
    std::set<std::pair<std::uint32_t, std::uint32_t>>
        m_before;  ///< pairs of ports of which the first was served before the second
    /// Value of m_clock when a port was served last, by port.
    std::map<std::uint32_t, std::uint32_t> m_times;
    std::uint32_t m_clock = 0;  ///< number of services so far
};

/// Returns the order of an output that serves inputs in a fixed order when idle, but all alike when never
/// idle: from_rest, or unknown if too few inputs tell. A fixed order serves an input again once its next
/// packet is ready, at most `latency` cycles later; further inputs would starve. `inputs`: number of inputs;
/// `flits`: length of the packets; `latency`: of a head, in cycles.
order fixed_but_fair(std::size_t inputs, std::uint32_t flits, double latency);

/// Probes (probes.h) that measure a router. The functions write their results into the sheet.
class sheet_probes : probe_writer {
  public:
    /// All arguments must outlive the object.
    sheet_probes(const plugin_place& at, const plugin_case& c, data_sheet& sheet);

    void measure();  ///< runs all measurements; call once

  private:
    /// Flits that leave by an output port while no credit comes back.
    struct blocked {
        /// Number of packets of one flit that leave, on all VCs together.
        std::uint32_t single = 0;
        std::map<std::uint32_t, std::uint32_t> most;  ///< largest number of flits that leave, by VC
    };
    /// A cycle in which inputs begin to ask for an output.
    struct round {
        cycle_t at;
        std::vector<std::uint32_t> inputs;  ///< input ports that ask
    };

    pin_record run(std::uint32_t places = 0);
    std::uint32_t quiet(std::uint32_t out) const;
    std::vector<lane> first_of_each_input(std::uint32_t out) const;
    /// Calls `does(out)` for each output that packets leave by.
    template <class Does>
    void each_output(const Does& does) const {
        for (std::uint32_t out = 0; out < m_s.ports; ++out)
            if (!inputs_to(out).empty()) does(out);
    }

    void latency();
    void body_latency();
    void pace();
    void stream();
    void withhold(std::uint32_t out, std::uint32_t flits);
    void reuse();
    bool waits_for_all_credits(std::uint32_t out);
    void next_head(std::uint32_t out);
    void room(std::uint32_t out);
    void credit_use(std::uint32_t out);
    void depth();
    std::vector<lane> one_of_each_vc(bool alone) const;
    void depth_by_loss(const std::vector<lane>& lanes, measured& result);
    measured places(const std::vector<lane>& lanes, std::uint32_t flits, bool& intact);
    void contend(std::uint32_t out, std::uint32_t flits);
    void hold_up(std::uint32_t out);
    bool leaves(const lane& l, std::uint32_t by, const lane& waits, std::uint32_t out);
    void packet_order();
    void flit_order();
    std::vector<round> rounds_of(const std::vector<lane>& lanes);
    void judge(order_hypotheses& seen, std::uint32_t out, const std::vector<round>& rounds);
    bool serves_oldest(const std::vector<lane>& lanes, std::uint32_t out);

    plugin_case m_case;  ///< the case, with the events of the probe run last
    data_sheet& m_sheet;
    std::map<std::uint32_t, blocked> m_blocked;  ///< results of withheld credits, by output port
};

}  // namespace sare::cosim
