// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/burst_carrier.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace sare::axi {

class bridge_base;

/// The side of a bridge towards one subordinate. The memory bridge sees a memory; the subordinate sees a
/// manager that sends beat by beat, reads and writes by separate channels. An access that is wider than the
/// subordinate's bus, or is no AXI4 burst at all, goes in parts, one after another.
class subordinate_port final : public tlm::tlm_fw_transport_if<> {
  public:
    /// Makes a port of `bridge`, which must outlive it. `number`: number of the subordinate in the order of
    /// binding, from 0.
    subordinate_port(bridge_base& bridge, std::uint32_t number);

    /// @name Called by the memory bridge, for which it is a memory
    /// @{
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& p) override;
    /// @}
    /// Takes a phase of a burst; called by the subordinate. A phase out of turn is reported as an error
    /// "/sare/protocol" and ignored.
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);

  private:
    /// The channel of requests of reads (AR) or of writes (AW and W).
    struct channel {
        std::deque<tlm::tlm_generic_payload*> waiting;   ///< accesses to be sent, the next one first
        tlm::tlm_generic_payload* requesting = nullptr;  ///< access of which beats are being sent; null: none
        std::uint32_t beats_left = 0;                    ///< number of beats of `requesting` still to be sent
        bool beat_open = false;         ///< true: the subordinate has not ended the current beat
        sc_core::sc_time next_beat_at;  ///< time before which no beat may begin
        sc_core::sc_event next_beat;    ///< wakes send_beat()
    };

    using parts = std::deque<burst_part>;  ///< parts of an access, the next one first

    /// Returns the parts in which an access goes to the subordinate; empty: it goes as it is.
    parts parts_for(const tlm::tlm_generic_payload& p) const;
    void enqueue(tlm::tlm_generic_payload& p);
    bool enqueue_part(tlm::tlm_generic_payload& whole);
    void send_beat(channel& c);
    void end_beat(channel& c, const sc_core::sc_time& delay);
    std::optional<bool> advance(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase,
                                const sc_core::sc_time& delay);
    void answered(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase, sc_core::sc_time delay);
    void respond(tlm::tlm_generic_payload& p, sc_core::sc_time delay);
    void report(const std::string& what) const;
    forward_if& subordinate();

    bridge_base& m_bridge;
    const std::uint32_t m_number;       ///< number of the subordinate in the order of binding
    std::array<channel, 2> m_channels;  ///< channel of reads; channel of writes
    std::map<const tlm::tlm_generic_payload*, parts> m_rest;  ///< parts still to be sent, by access
    carrier_pool m_parts;                                     ///< carriers of parts
    /// Accesses and parts that are sent or to be sent and not answered, with the number of beats of the
    /// response that have come.
    std::map<const tlm::tlm_generic_payload*, std::uint32_t> m_open;
};

}  // namespace sare::axi
