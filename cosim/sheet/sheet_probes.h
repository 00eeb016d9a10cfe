// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_bench.h"
#include "cosim/bench/probe_writer.h"
#include "cosim/sheet/data_sheet.h"
#include "cosim/sheet/pin_record.h"

#include <set>

namespace sare::cosim {

/// Kinds of arbiters that explain the order in which one of them has served inputs.
class order_hypotheses {
  public:
    /// Takes ports that asked at once and the order in which they were served. `judged`: false for the first
    /// rounds, which only show in what state the arbiter is.
    void take(const std::vector<std::uint32_t>& served, bool judged);
    /// Forgets the state: what follows is another arbiter of the same kind.
    void next_arbiter() { m_last.reset(), m_times.clear(), m_before.clear(), m_ring.clear(); }
    order best() const;

  private:
    bool follows_ring(const std::vector<std::uint32_t>& served);

    bool m_fixed = true, m_round_robin = true, m_other_ring = true, m_least_recent = true;
    std::vector<std::uint32_t> m_ring;    ///< ports in the order in which they were first served, all at once
    std::size_t m_most = 0;               ///< largest number of ports that asked at once
    std::optional<std::uint32_t> m_last;  ///< port served last
    std::set<std::pair<std::uint32_t, std::uint32_t>>
        m_before;                                    ///< ports, the first served before the second
    std::map<std::uint32_t, std::uint32_t> m_times;  ///< number of the last service, by port
    std::uint32_t m_clock = 0;
};

/// Returns the order of inputs that are served in a fixed order by an idle output, and all alike by one that
/// they never leave idle. A fixed order would serve an input again once its next packet is ready, at the
/// latest after its head's latency: inputs beyond those needed until then would starve. `flits`: length of
/// the packets, `latency`: in cycles.
order fixed_but_fair(std::size_t inputs, std::uint32_t flits, double latency);

/// Probes whose results are measurements. Functions that measure write them into the sheet.
class sheet_probes : probe_writer {
  public:
    /// All arguments must outlive the object.
    sheet_probes(const plugin_place& at, const plugin_case& c, data_sheet& sheet);

    void measure();

  private:
    /// Output VCs of a port without a credit.
    struct blocked {
        std::uint32_t single = 0;                     ///< packets of one flit that leave
        std::map<std::uint32_t, std::uint32_t> most;  ///< flits that leave, by VC
    };
    /// A time at which inputs begin to ask for an output.
    struct round {
        cycle_t at;
        std::vector<std::uint32_t> inputs;  ///< ports that ask
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

    plugin_case m_case;
    data_sheet& m_sheet;
    std::map<std::uint32_t, blocked> m_blocked;  ///< by output port
};

}  // namespace sare::cosim
