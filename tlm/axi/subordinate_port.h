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

/// The subordinate's side of a bridge: a memory for the memory bridge, and for the subordinate a manager that
/// sends beat by beat, reads and writes by separate channels. An access that is wider than the subordinate's
/// bus, or no burst at all, goes in parts, one after another.
class subordinate_port final : public tlm::tlm_fw_transport_if<> {
  public:
    subordinate_port(bridge_base& bridge, std::uint32_t number);

    /// @name Calls of the memory bridge to its memory
    /// @{
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override;
    unsigned transport_dbg(tlm::tlm_generic_payload& p) override;
    /// @}
    /// Takes what the subordinate answers.
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);

  private:
    /// Requests of a direction: AR, or AW and W.
    struct channel {
        std::deque<tlm::tlm_generic_payload*> waiting;   ///< accesses to be sent, the next one first
        tlm::tlm_generic_payload* requesting = nullptr;  ///< access whose beats go; null: none
        std::uint32_t beats_left = 0;                    ///< beats of it that are still to go
        bool beat_open = false;         ///< true: the subordinate has not ended the current beat
        sc_core::sc_time next_beat_at;  ///< time before which no beat may begin
        sc_core::sc_event next_beat;
    };

    using parts = std::deque<burst_part>;

    /// Returns the parts in which an access goes; empty: as it is.
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
    const std::uint32_t m_number;
    std::array<channel, 2> m_channels;                        ///< reads, writes
    std::map<const tlm::tlm_generic_payload*, parts> m_rest;  ///< parts still to go, by access
    carrier_pool m_parts;
    /// Accesses that the subordinate has, or will have, with the beats of the response so far.
    std::map<const tlm::tlm_generic_payload*, std::uint32_t> m_open;
};

}  // namespace sare::axi
