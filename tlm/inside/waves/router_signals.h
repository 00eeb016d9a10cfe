// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/inside/waves/fst_writer.h"

#include <functional>
#include <string>
#include <vector>

namespace sare {

class router_watch;

/// Signals of one router in an FST file: its state after each cycle, and requests and grants of its
/// allocators in the cycle. Names, widths and order of bits are those of rtl/sare_router.sv where the RTL has
/// such a signal. Input and output VCs are numbered port * VCs + VC. For router_waves.
class router_signals {
  public:
    /// Declares the signals of a router in the scope `name` (dots between names) of `to`. `packets` numbers
    /// the packets. All references must outlive this object.
    router_signals(fst_writer& to, const network_view& net, packet_trace& packets, std::uint32_t router,
                   const std::string& name);

    std::uint32_t router() const { return m_router; }  ///< number of the router
    /// Notes the events that a trace has found in a cycle of the router. Call before end_cycle().
    void note(const router_watch& watch, const std::vector<packet_event>& found);
    /// Finds the requests and grants of network cycle `t`, from the states before and after it. `follows`:
    /// false if cycles were left out since the last call, so that requests and grants are unknown (x).
    void end_cycle(cycle_t t, bool follows);
    /// Writes the requests and grants of the last cycle; `idle` true: writes zeros, for cycles without work
    /// that were left out.
    void write_cycle(bool idle) { write(true, idle); }
    void write_state() { write(false, false); }  ///< writes the state after the last cycle

  private:
    /// A signal, and the function that returns its value.
    struct shown {
        std::string scope, name;             ///< scope with dots between names; name in the scope
        fst_writer::signal signal;           ///< signal in the file
        std::function<std::string()> value;  ///< value for fst_writer::set(); empty: another name of `same`
        std::size_t same;  ///< index in m_shown of the signal with the value; itself if none
        bool of_cycle;     ///< true: a request or grant; false: a part of the state
    };
    /// Vectors of bits of sare_router.sv: requests and grants in the last cycle.
    enum : std::size_t { va_req, va_port, va_gnt, taken, sa_req, spec_req, sa_gnt, sel, vectors };

    void show_vc(const std::string& scope, std::uint32_t i);
    void show_arbiter(const std::string& scope, std::size_t n);
    void show(const std::string& scope, const std::string& name, std::uint32_t bits,
              std::function<std::string()> value, bool of_cycle = false) {
        m_shown.push_back({scope, name, {0, bits, {}}, std::move(value), m_shown.size(), of_cycle});
    }
    /// Declares another name for a signal: the last one shown or, in general, the one `before` places back.
    void also_show(const std::string& scope, const std::string& name, std::size_t before = 1) {
        const std::size_t same = m_shown.size() - before;
        m_shown.push_back({scope, name, m_shown[same].signal, {}, same, false});
    }
    void declare();
    /// Sets bit n of a vector, which has bit 0 at its end.
    void set(std::size_t of, std::size_t n, char to = '1') {
        m_vectors[of][m_vectors[of].size() - 1 - n] = to;
    }
    out_vc out(std::uint32_t o) const { return m_net.out(m_router, o / m_vcs, o % m_vcs); }
    bool bids(std::uint32_t i) const { return m_net.bids_for_vc(m_router, i / m_vcs, i % m_vcs); }
    std::vector<std::uint16_t> wants(std::uint32_t i) const;
    std::string front_packet(std::uint32_t i) const;
    std::uint32_t need_of(std::uint32_t i) const;
    void find_grants();
    void find_requests(std::uint32_t i);
    void remember();

    void write(bool of_cycle, bool idle);

    fst_writer& m_to;
    const network_view& m_net;
    const router_bank& m_bank;
    packet_trace& m_packets;
    const std::uint32_t m_router, m_vcs, m_ports, m_inputs;
    std::vector<router_arbiter> m_arbiters;  ///< arbiters after the last cycle
    const bool m_like_rtl;                   ///< true: the router has the stages of sare_router
    // The last cycle, by input VC or output VC.
    std::vector<out_vc> m_outs;                        ///< output VCs when the cycle began
    std::vector<std::vector<std::uint16_t>> m_wanted;  ///< output VCs that a head asked for when it began
    std::vector<std::uint32_t> m_got;                  ///< output VC that an input VC got; m_inputs: none
    std::vector<char> m_sent, m_lost;                  ///< 1: a flit left; 1: it lost switch allocation
    std::vector<packet_event> m_left;                  ///< events flit_out of the cycle
    std::string m_vectors[vectors];                    ///< values of the vectors, bit 0 last
    std::vector<shown> m_shown;                        ///< all signals
};

}  // namespace sare
