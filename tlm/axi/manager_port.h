// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/axi.h"
#include "tlm/axi/burst_carrier.h"
#include "tlm/memory/initiator_port.h"

namespace sare::axi {

class bridge_base;

/// The side of a bridge towards one manager, for reads (AR and R) or for writes (AW, W and B). Each of the
/// two is an initiator of its own for the memory bridge, so that neither waits for the other. The manager
/// sees a subordinate that takes, or gives, a beat in each cycle of the network.
class manager_port final : public tlm::tlm_bw_transport_if<> {
  public:
    /// Makes a port of `bridge`, which must outlive it. `manager`: number of the manager in the order of
    /// binding, from 0; `writes`: true: for writes; false: for reads.
    manager_port(bridge_base& bridge, std::uint32_t manager, bool writes);

    /// Does a burst loosely timed; called by the manager. Network and memory take their time within the call
    /// (mode exact) or as a part of `delay` (other modes); the burst's beats add a cycle each to `delay`. A
    /// burst that breaks a rule ends with TLM_BURST_ERROR_RESPONSE and a warning "/sare/burst"; a payload
    /// under way already is an error "/sare/protocol", and is not done again.
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    /// Takes a phase of a burst; called by the manager. A phase out of turn is reported as an error
    /// "/sare/protocol" and ignored; broken rules as for b_transport().
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);

    /// @name Called by the memory bridge, for which it is an initiator
    /// @{
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& carrier, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;
    /// @}

  private:
    tlm::tlm_sync_enum take_request(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay);
    bool is_next(const tlm::tlm_generic_payload& payload, bool last) const;
    /// Returns the rule that the burst breaks, the range of a manager's IDs included; "" if it breaks none.
    std::string wrong_with_manager(const extension& e, const tlm::tlm_generic_payload& payload) const;
    void warn(const tlm::tlm_generic_payload& payload, const std::string& why) const;
    bool refuse_open(const tlm::tlm_generic_payload& payload) const;
    burst_carrier& carry(tlm::tlm_generic_payload& payload);
    void take_beat(sc_core::sc_time& delay);
    void send_beat();
    void end_beat(const sc_core::sc_time& delay);
    initiator_port& network();
    backward_if& manager();
    void report(const std::string& what) const;

    bridge_base& m_bridge;
    const std::uint32_t m_manager;  ///< number of the manager in the order of binding
    const bool m_writes;            ///< true: a port for writes; false: for reads
    carrier_pool m_carriers;
    tlm::tlm_generic_payload* m_request = nullptr;  ///< burst of which beats come; null: none
    std::uint32_t m_beats_taken = 0;                ///< number of beats of m_request so far
    sc_core::sc_time m_made;                        ///< time of the first beat of m_request
    sc_core::sc_time m_beat_end;                    ///< time at which the last beat ended
    open_payloads m_payloads;                       ///< payloads of bursts that are not over
    burst_carrier* m_responding = nullptr;          ///< burst that is being answered; null: none
    std::uint32_t m_beats_left = 0;                 ///< number of beats of the response still to be sent
    bool m_beat_open = false;                       ///< true: the manager has not ended the current beat
    sc_core::sc_time m_next_beat_at;                ///< time before which no beat of a response may begin
    sc_core::sc_event m_next_beat;                  ///< wakes send_beat()
};

}  // namespace sare::axi
