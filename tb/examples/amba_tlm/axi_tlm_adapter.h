// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/axi.h"

#include <axi/axi_tlm.h>

#include <systemc>

/// Adapters between Sare's AXI4 sockets and those of open-source interface libraries (namespace ::axi of
/// tlm2-interfaces and SystemC-Components), which are called "theirs" here. Fields and phases are converted
/// one by one; the payload is passed on with both extensions.
namespace sare::adapters {

/// Copies all fields of an AXI4 extension of the library (theirs) to one of Sare, or the reverse.
inline void copy_fields(const ::axi::axi4_extension& from, axi::extension& to) {
    to.id = from.get_id();
    to.type = static_cast<axi::burst>(from.get_burst());  // FIXED 0, INCR 1, WRAP 2 in both
    to.beats = static_cast<std::uint16_t>(from.get_length() + 1);
    to.size = from.get_size();
    to.qos = from.get_qos();
    to.exclusive = from.is_exclusive();
    to.cache = from.get_cache();
    to.prot = from.get_prot();
    to.region = from.get_region();
    to.user = from.get_user(::axi::common::id_type::CTRL);
    to.data_user = from.get_user(::axi::common::id_type::DATA);
    to.response_user = from.get_user(::axi::common::id_type::RESP);
    to.resp = static_cast<axi::response>(from.get_resp());  // OKAY 0, EXOKAY 1, SLVERR 2, DECERR 3 in both
}

inline void copy_fields(const axi::extension& from, ::axi::axi4_extension& to) {
    to.set_id(from.id);
    to.set_burst(static_cast<::axi::burst_e>(from.type));
    to.set_length(static_cast<std::uint8_t>(from.beats - 1));
    to.set_size(from.size);
    to.set_qos(from.qos);
    to.set_exclusive(from.exclusive);
    to.set_cache(from.cache);
    to.set_prot(from.prot);
    to.set_region(from.region);
    to.set_user(::axi::common::id_type::CTRL, from.user);
    to.set_user(::axi::common::id_type::DATA, from.data_user);
    to.set_user(::axi::common::id_type::RESP, from.response_user);
    to.set_resp(static_cast<::axi::resp_e>(from.resp));
}

/// Returns Sare's phase for a phase of the library; theirs() the library's phase for one of Sare. Phases of
/// TLM-2.0 stay as they are. (ACK is a phase of ACE; AXI4 does not have it.)
inline tlm::tlm_phase ours(const tlm::tlm_phase& theirs) {
    if (theirs == ::axi::BEGIN_PARTIAL_REQ) return axi::BEGIN_PARTIAL_REQ;
    if (theirs == ::axi::END_PARTIAL_REQ) return axi::END_PARTIAL_REQ;
    if (theirs == ::axi::BEGIN_PARTIAL_RESP) return axi::BEGIN_PARTIAL_RESP;
    if (theirs == ::axi::END_PARTIAL_RESP) return axi::END_PARTIAL_RESP;
    return theirs;
}
inline tlm::tlm_phase theirs(const tlm::tlm_phase& of_ours) {
    if (of_ours == axi::BEGIN_PARTIAL_REQ) return ::axi::BEGIN_PARTIAL_REQ;
    if (of_ours == axi::END_PARTIAL_REQ) return ::axi::END_PARTIAL_REQ;
    if (of_ours == axi::BEGIN_PARTIAL_RESP) return ::axi::BEGIN_PARTIAL_RESP;
    if (of_ours == axi::END_PARTIAL_RESP) return ::axi::END_PARTIAL_RESP;
    return of_ours;
}

/// Makes sure that a payload with an extension `From` has an extension `To` as well, and copies all fields
/// from the first to the second. Does nothing without a `From`.
template <class To, class From>
void bring_over(tlm::tlm_generic_payload& p) {
    const From* from = p.get_extension<From>();
    if (from == nullptr) return;
    To* to = p.get_extension<To>();
    if (to == nullptr) {
        to = new To;
        if (p.has_mm())
            p.set_auto_extension(to);
        else
            p.set_extension(to);
    }
    copy_fields(*from, *to);
}

/// Adapter between a manager with a socket of the library and an axi::bridge of Sare: the manager's socket is
/// bound to `from`, and `to` to `managers` of the bridge.
template <unsigned Width = 64>
class axi_manager_adapter final : public sc_core::sc_module,
                                  public tlm::tlm_fw_transport_if<::axi::axi_protocol_types>,
                                  public axi::backward_if {
    using mine = axi::extension;
    using other = ::axi::axi4_extension;

  public:
    ::axi::axi_target_socket<Width> from;
    tlm::tlm_base_initiator_socket<Width, axi::forward_if, axi::backward_if> to;

    explicit axi_manager_adapter(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), from("from"), to("to") {
        from.bind(*this);
        to.bind(*this);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
        bring_over<mine, other>(p);
        to->b_transport(p, delay);
        bring_over<other, mine>(p);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (phase == tlm::BEGIN_REQ || phase == ::axi::BEGIN_PARTIAL_REQ) bring_over<mine, other>(p);
        phase = ours(phase);
        const tlm::tlm_sync_enum answer = to->nb_transport_fw(p, phase, delay);
        phase = theirs(phase);
        if (answer == tlm::TLM_COMPLETED) bring_over<other, mine>(p);
        return answer;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        bring_over<other, mine>(p);
        phase = theirs(phase);
        const tlm::tlm_sync_enum answer = from->nb_transport_bw(p, phase, delay);
        phase = ours(phase);
        return answer;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return to->transport_dbg(p); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
        return to->get_direct_mem_ptr(p, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
        from->invalidate_direct_mem_ptr(first, last);
    }
};

/// Adapter between an axi::bridge of Sare and a subordinate with a socket of the library: `subordinates` of
/// the bridge is bound to `from`, and `to` to the subordinate's socket.
template <unsigned Width = 64>
class axi_subordinate_adapter final : public sc_core::sc_module,
                                      public axi::forward_if,
                                      public tlm::tlm_bw_transport_if<::axi::axi_protocol_types> {
    using mine = axi::extension;
    using other = ::axi::axi4_extension;

  public:
    tlm::tlm_base_target_socket<Width, axi::forward_if, axi::backward_if> from;
    ::axi::axi_initiator_socket<Width> to;

    explicit axi_subordinate_adapter(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), from("from"), to("to") {
        from.bind(*this);
        to.bind(*this);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
        bring_over<other, mine>(p);
        to->b_transport(p, delay);
        bring_over<mine, other>(p);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        bring_over<other, mine>(p);
        phase = theirs(phase);
        const tlm::tlm_sync_enum answer = to->nb_transport_fw(p, phase, delay);
        phase = ours(phase);
        if (answer != tlm::TLM_ACCEPTED) bring_over<mine, other>(p);
        return answer;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        bring_over<mine, other>(p);
        phase = ours(phase);
        const tlm::tlm_sync_enum answer = from->nb_transport_bw(p, phase, delay);
        phase = theirs(phase);
        return answer;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return to->transport_dbg(p); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
        return to->get_direct_mem_ptr(p, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
        from->invalidate_direct_mem_ptr(first, last);
    }
};

}  // namespace sare::adapters
