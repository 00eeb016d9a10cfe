// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/systemc/modules.h"

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

namespace sare {

/// Which node owns which addresses.
struct address_range {
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint32_t node = 0;
};

/// The switchboard of all bridges of one engine: requests and responses on their way through the network. Message class
/// 0 carries requests; responses take the last class, so that with two classes they never wait behind requests.
class memory_map final : private workload {
  public:
    /// `ranges` must not overlap.
    memory_map(cycle_engine& engine, std::vector<address_range> ranges);

  private:
    friend class memory_bridge;
    struct access {
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint32_t source = 0, target = 0;
        bool response = false;
    };

    const address_range* find(std::uint64_t address) const;
    void request(tlm::tlm_generic_payload& payload, std::uint32_t source, std::uint32_t target);
    void respond(std::uint32_t slot);
    void send(std::uint32_t slot, std::uint32_t from, std::uint32_t to, bool with_data, std::uint32_t message_class);

    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery& d) override;
    generated_counts generated(cycle_t) override { return {}; }

    cycle_engine& m_engine;
    std::vector<address_range> m_ranges;
    std::vector<class memory_bridge*> m_bridges;  ///< by node
    pool<access> m_accesses;
};

/// Any TLM-2.0 initiator and memory on the network: a generic-payload write or read that comes in by `initiators` crosses
/// the network to the node that owns the address, is done there by its `memory` socket, and its response
/// comes back. Loosely timed (b_transport: blocks for as long as the network and the memory take) and approximately timed
/// (the four-phase base protocol, one transaction per initiator at a time or many).
class memory_bridge : public sc_core::sc_module {
  public:
    memory_bridge(const sc_core::sc_module_name& name, nic& interface, memory_map& map);

    tlm_utils::simple_target_socket<memory_bridge> initiators;
    tlm_utils::simple_initiator_socket<memory_bridge> memory;

  private:
    friend class memory_map;

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    bool route(tlm::tlm_generic_payload& payload, std::uint32_t& target) const;
    void requested(std::uint32_t slot) { m_served.notify(*new served{slot}, sc_core::SC_ZERO_TIME); }
    void responded(tlm::tlm_generic_payload& payload);
    void serve();
    void begin_requests();

    struct served {
        std::uint32_t slot;
    };
    struct waiting {
        tlm::tlm_generic_payload* payload;
        sc_core::sc_event* done;  ///< of a blocking call; null: non-blocking
    };

    nic& m_nic;
    memory_map& m_map;
    std::vector<waiting> m_waiting;
    tlm_utils::peq_with_get<served> m_served;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_requests;
};

}  // namespace sare
