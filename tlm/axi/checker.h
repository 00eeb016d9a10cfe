// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/burst.h"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <deque>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace sare::axi {

/// Checks AXI4's rules at one socket. Its user must tell it of each phase, in ascending order of time. Rules:
/// wrong_with() of bursts; order of beats and handshakes of AR, W, R and B; responses of an ID in the order
/// of its requests, reads and writes apart; attributes that must not change; responses that fit the request.
class checker_rules {
  public:
    /// Makes a checker for a bus of `bus_bytes` bytes. Throws std::out_of_range for another width than
    /// AXI4's.
    explicit checker_rules(std::uint32_t bus_bytes) : m_bus_bytes(bus_bytes) { check_bus(bus_bytes); }

    /// Checks a phase of payload `p`, whose delay ends at time `at`. An unknown phase is a violation.
    void phase(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& at);
    /// Checks payload `p`, whose request was answered by TLM_COMPLETED at time `at`, so that its remaining
    /// phases are left out.
    void completed(tlm::tlm_generic_payload& p, const sc_core::sc_time& at);
    /// Checks a payload before a call of b_transport; such a payload counts in neither `bursts` nor open().
    void before_blocking(const tlm::tlm_generic_payload& p);
    /// Checks a payload after a call of b_transport.
    void after_blocking(const tlm::tlm_generic_payload& p);

    std::vector<std::string> violations;                ///< the first ten: "time of the check: rule"
    std::uint64_t bursts = 0;                           ///< number of bursts begun by phases
    std::size_t open() const { return m_open.size(); }  ///< number of bursts that are not over

  private:
    /// A burst that is not over, with its attributes at its beginning.
    struct state {
        extension e;
        tlm::tlm_command command;
        std::uint64_t address;
        unsigned length;
        unsigned char* data;
        std::uint32_t requested = 0, answered = 0;  ///< number of beats begun of the request; of the response
        bool sent = false;                          ///< true: the last beat of the request has ended
    };
    /// The channel of requests of reads (AR) or of writes (AW and W), or the channel of their responses (R or
    /// B).
    struct channel {
        tlm::tlm_generic_payload* burst = nullptr;  ///< burst of which further beats must come; null: none
        /// Payload of the beat that has begun and not ended; null: none.
        tlm::tlm_generic_payload* beat = nullptr;
        bool last = false;     ///< true: `beat` is the last of its burst
        sc_core::sc_time end;  ///< time at which the last beat ended
    };
    /// Channels of reads, or of writes.
    struct direction {
        channel request, response;
        /// Requests without a response, in order, by ID.
        std::map<std::uint32_t, std::deque<const tlm::tlm_generic_payload*>> order;
    };

    void begin_request(tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at);
    void begin_response(tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at);
    void begin_beat(channel& c, tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at);
    void end_beat(channel& c, tlm::tlm_generic_payload& p, bool last, const sc_core::sc_time& at);
    void finish(tlm::tlm_generic_payload& p);
    void check_response(const tlm::tlm_generic_payload& p, const extension& at_start);
    /// Returns `right`. If it is false, notes that `rule` is violated now, unless ten violations are noted.
    bool expect(bool right, const std::string& rule);

    const std::uint32_t m_bus_bytes;
    std::map<const tlm::tlm_generic_payload*, state> m_open;  ///< bursts that are not over
    std::array<direction, 2> m_directions;                    ///< channels of reads; channels of writes
};

/// Module between a manager's socket and a subordinate's (or a bridge's) that passes all calls on and checks
/// both sides by checker_rules. `Width`: width of the bus in bits.
template <unsigned Width = 64>
class checker : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<checker, Width, protocol> from;   ///< to be bound to the manager
    tlm_utils::simple_initiator_socket<checker, Width, protocol> to;  ///< to be bound to the subordinate
    checker_rules rules{Width / 8};                                   ///< rules, with the violations so far

    const char* kind() const override { return "sare::axi::checker"; }
    /// Prints name, kind, the numbers of bursts seen and not over, and the violations.
    void dump(std::ostream& out = std::cout) const override {
        sc_core::sc_object::dump(out);
        out << "bursts = " << rules.bursts << ", open = " << rules.open() << '\n';
        for (const std::string& v : rules.violations) out << "violation: " << v << '\n';
    }

    explicit checker(const sc_core::sc_module_name& name) : sc_core::sc_module(name), from("from"), to("to") {
        from.register_b_transport(this, &checker::b_transport);
        from.register_nb_transport_fw(this, &checker::nb_transport_fw);
        from.register_transport_dbg(this, &checker::transport_dbg);
        from.register_get_direct_mem_ptr(this, &checker::get_direct_mem_ptr);
        to.register_nb_transport_bw(this, &checker::nb_transport_bw);
        to.register_invalidate_direct_mem_ptr(this, &checker::invalidate_direct_mem_ptr);
    }

  private:
    static sc_core::sc_time at(const sc_core::sc_time& delay) { return sc_core::sc_time_stamp() + delay; }

    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        rules.before_blocking(p);
        to->b_transport(p, delay);
        rules.after_blocking(p);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return pass_on([&] { return to->nb_transport_fw(p, phase, delay); }, p, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return pass_on([&] { return from->nb_transport_bw(p, phase, delay); }, p, phase, delay);
    }
    /// Checks a phase, calls the other side, and checks the phase that comes back by the return path, if any.
    template <class Call>
    tlm::tlm_sync_enum pass_on(const Call& call, tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay) {
        const tlm::tlm_phase begun = phase;
        rules.phase(p, phase, at(delay));
        const tlm::tlm_sync_enum answer = call();
        if (answer == tlm::TLM_UPDATED) rules.phase(p, phase, at(delay));
        if (answer == tlm::TLM_COMPLETED && begun == tlm::BEGIN_REQ) rules.completed(p, at(delay));
        if (answer == tlm::TLM_COMPLETED && begun == tlm::BEGIN_RESP)
            rules.phase(p, tlm::END_RESP, at(delay));
        return answer;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return to->transport_dbg(p); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        return to->get_direct_mem_ptr(p, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
        from->invalidate_direct_mem_ptr(first, last);
    }
};

}  // namespace sare::axi
