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

/// Signals of one router in an FST file: its state after each cycle, and what was asked for and granted in
/// the cycle. Names, widths and order of bits are those of rtl/sare_router.sv where it has such a signal.
class router_signals {
  public:
    /// Declares the signals in the scope `name`. `packets` numbers the packets.
    router_signals(fst_writer& to, const network_view& net, packet_trace& packets, std::uint32_t router,
                   const std::string& name);

    std::uint32_t router() const { return m_router; }
    /// Notes what a trace has found in a cycle of the router, before end_cycle().
    void note(const router_watch& watch, const std::vector<packet_event>& found);
    /// Finds what was asked for and granted in cycle `t`, from the states before and after it. `follows`:
    /// false if cycles were left out since the last call, so that nothing of it is known.
    void end_cycle(cycle_t t, bool follows);
    /// Writes what was asked for and granted in the last cycle; `idle`: nothing, since cycles without work
    /// were left out.
    void write_cycle(bool idle) { write(true, idle); }
    void write_state() { write(false, false); }

  private:
    /// A signal, and what it shows.
    struct shown {
        std::string scope, name;
        fst_writer::signal signal;
        std::function<std::string()> value;  ///< empty: the same as `same`
        std::size_t same;                    ///< index in m_shown
        bool of_cycle;                       ///< true: of what was asked for and granted; false: of the state
    };
    /// Vectors of sare_router.sv, of what was asked for and granted in the last cycle.
    enum : std::size_t { va_req, va_port, va_gnt, taken, sa_req, spec_req, sa_gnt, sel, vectors };

    void show_vc(const std::string& scope, std::uint32_t i);
    void show_arbiter(const std::string& scope, std::size_t n);
    void show(const std::string& scope, const std::string& name, std::uint32_t bits,
              std::function<std::string()> value, bool of_cycle = false) {
        m_shown.push_back({scope, name, {0, bits, {}}, std::move(value), m_shown.size(), of_cycle});
    }
    /// Gives the last signal another name.
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
    std::vector<router_arbiter> m_arbiters;
    const bool m_like_rtl;  ///< true: the router has the stages of sare_router
    // The last cycle, by input VC or output VC.
    std::vector<out_vc> m_outs;                        ///< state when it began
    std::vector<std::vector<std::uint16_t>> m_wanted;  ///< output VCs that the head asks for; when it began
    std::vector<std::uint32_t> m_got;                  ///< output VC that it was granted; m_inputs: none
    std::vector<char> m_sent, m_lost;                  ///< 1: a flit left; it lost switch allocation
    std::vector<packet_event> m_left;                  ///< flits that left
    std::string m_vectors[vectors];
    std::vector<shown> m_shown;
};

}  // namespace sare
