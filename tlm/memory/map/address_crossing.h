// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/memory_bridge.h"

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>

namespace sare {

/// Parameters of an address_crossing.
struct address_crossing_params {
    std::uint32_t stages = 2;   ///< flip-flops of each of the two synchronisers, 1 to 1,024
    std::uint32_t at_once = 8;  ///< most accesses under way in the crossing at a time, 1 to 1,024
};

/// A gateway that forwards accesses from one network into another, with the same clock or not. In the first
/// network it is a memory: a range of the first map belongs to its node, and an access goes on to the address
/// that it would have in that memory, by the second map. In the second network it is an initiator. A request
/// that has arrived whole passes a synchroniser into the second network, and its response passes one back.
/// The other direction needs another crossing.
class address_crossing final : public sc_core::sc_module {
  public:
    /// Makes the gateway at NIC `from` of the first network, whose map is `from_map`, and NIC `to` of the
    /// second, whose map is `to_map`; all must outlive it. Parameters out of range, or both maps in one
    /// network, are reported as an error "/sare/config".
    address_crossing(const sc_core::sc_module_name& name, nic& from, memory_map& from_map, nic& to,
                     memory_map& to_map, const address_crossing_params& params = {});

    const char* kind() const override { return "sare::address_crossing"; }
    /// Prints name, kind, its two bridges, and the number of accesses under way.
    void dump(std::ostream& out = std::cout) const override;
    /// Number of accesses whose request has come here and whose response has not been handed back to the
    /// first network; accesses in modes without messages do not count.
    std::uint32_t under_way() const { return m_under_way; }
    /// Returns the gateway's bridge in the second network, for access to its mode and counts.
    memory_bridge& in_second() { return m_far; }

  private:
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    tlm::tlm_sync_enum requested(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum answered(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return m_out->transport_dbg(p); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        return m_out->get_direct_mem_ptr(p, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
        m_in->invalidate_direct_mem_ptr(first, last);
    }
    /// Returns the time from now until a transaction sent `ahead` from now has crossed. It is written at the
    /// end of its cycle of `from`, and is there at the `stages`-th edge of `to` from then on.
    sc_core::sc_time until_across(const engine_clock& from, const engine_clock& to,
                                  const sc_core::sc_time& ahead = sc_core::SC_ZERO_TIME) const;
    void send();
    void respond();

    const engine_clock &m_first, &m_second;  ///< clocks of the two networks
    const address_crossing_params m_params;
    memory_bridge m_near, m_far;  ///< bridges in the first and in the second network
    tlm_utils::simple_target_socket<address_crossing> m_in;
    tlm_utils::simple_initiator_socket<address_crossing> m_out;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_to_second, m_to_first;  ///< synchronisers
    /// Requests that have crossed and wait for END_REQ of the request before.
    std::deque<tlm::tlm_generic_payload*> m_waiting;
    tlm::tlm_generic_payload* m_requesting = nullptr;  ///< request between BEGIN_REQ and END_REQ; null: none
    sc_core::sc_event m_free;                          ///< notified when m_requesting becomes null
    std::uint32_t m_under_way = 0;
};

}  // namespace sare
