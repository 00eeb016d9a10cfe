// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/modules.h"

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <vector>

namespace sare {

/// Which node owns which addresses. Its memory sees them from 0 on.
struct address_range {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint32_t node = 0;
};

/// The switchboard of all bridges of one engine: requests and responses on their way through the network.
/// Message class 0 carries requests; responses take the last class, so that with two classes they never wait
/// behind requests.
class memory_map final : private workload {
  public:
    /// `ranges` must not overlap.
    memory_map(cycle_engine& engine, std::vector<address_range> ranges);

  private:
    friend class memory_bridge;
    struct access {
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint32_t source = 0, target = 0;
        std::uint64_t base = 0;  ///< of the target's range
        std::uint64_t tag = 0;   ///< of its message that is on its way; 0: the access is over
        bool response = false;
    };

    const address_range* find(std::uint64_t address) const;
    void request(tlm::tlm_generic_payload& payload, std::uint32_t source, const address_range& range);
    void respond(std::uint32_t slot);
    void send(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool with_data,
              std::uint32_t message_class);
    static std::uint32_t slot_of(const message& m) { return static_cast<std::uint32_t>(m.tag); }
    void end(std::uint32_t slot);

    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery& d) override;
    void dropped(const message& m, const std::string& cause) override;
    generated_counts generated(cycle_t) override { return {}; }

    cycle_engine& m_engine;
    std::vector<address_range> m_ranges;
    std::vector<class memory_bridge*> m_bridges;  ///< by node
    pool<access> m_accesses;
    std::uint32_t m_messages = 0;  ///< sent so far: in their tags, for slots of accesses are used again
};

/// Any TLM-2.0 initiator or memory, or both, on a node: a generic-payload write or read that comes in by
/// `initiators` crosses the network to the node that owns the address, is done there by its `memory` socket,
/// and its response comes back. Loosely timed (b_transport blocks for as long as network and memory take) and
/// approximately timed (the base protocol, any number of transactions at once). Messages of one cycle are
/// with the NIC in the next one. If the network drops a packet of the request or the response, the initiator
/// gets TLM_GENERIC_ERROR_RESPONSE in the cycle of the drop.
class memory_bridge : public sc_core::sc_module {
  public:
    memory_bridge(const sc_core::sc_module_name& name, nic& interface, memory_map& map);

    tlm_utils::simple_target_socket_optional<memory_bridge> initiators;
    tlm_utils::simple_initiator_socket_optional<memory_bridge> memory;

  private:
    friend class memory_map;

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    const address_range* route(tlm::tlm_generic_payload& payload) const;
    void begin_requests();
    void requested(std::uint32_t slot);
    void serve();
    void responded(tlm::tlm_generic_payload& payload);
    void begin_responses();
    void end_response(const sc_core::sc_time& delay);

    struct blocked {
        tlm::tlm_generic_payload* payload;
        sc_core::sc_event* done;
    };

    nic& m_nic;
    memory_map& m_map;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_requests;  ///< whose time has not come yet
    std::vector<blocked> m_blocked;                                ///< calls of b_transport
    std::deque<std::uint32_t> m_to_serve;                          ///< slots: requests for our memory
    sc_core::sc_event m_serve;
    std::deque<tlm::tlm_generic_payload*> m_responses;  ///< for BEGIN_RESP, one after another
    tlm::tlm_generic_payload* m_responding = nullptr;   ///< between BEGIN_RESP and END_RESP
    sc_core::sc_time m_response_end;                    ///< the last END_RESP, as annotated
    sc_core::sc_event m_respond;
};

}  // namespace sare
