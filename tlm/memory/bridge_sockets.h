// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/memory_bridge.h"

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

namespace sare {

/// The two sockets of a memory bridge, `Width` bits wide, for widths that memory_bridge.h does not declare.
/// Other programs include memory_bridge.h alone, which compiles faster.
template <unsigned Width>
struct bridge_sockets {
    /// Makes the sockets of `owner` and passes their calls on to it.
    explicit bridge_sockets(basic_memory_bridge<Width>& owner) : initiators("initiators"), memory("memory") {
        using bridge = basic_memory_bridge<Width>;
        initiators.register_b_transport(&owner, &bridge::b_transport);
        initiators.register_nb_transport_fw(&owner, &bridge::nb_transport_fw);
        initiators.register_transport_dbg(&owner, &bridge::transport_dbg);
        initiators.register_get_direct_mem_ptr(&owner, &bridge::get_direct_mem_ptr);
        memory.register_nb_transport_bw(&owner, &bridge::nb_transport_bw);
        memory.register_invalidate_direct_mem_ptr(&owner, &bridge::invalidate_direct_mem_ptr);
    }

    /// Target socket, to be bound to any number of initiators.
    tlm_utils::multi_passthrough_target_socket_optional<memory_bridge_base, Width> initiators;
    /// Initiator socket, to be bound to any number of memories.
    tlm_utils::multi_passthrough_initiator_socket_optional<memory_bridge_base, Width> memory;
};

template <unsigned Width>
basic_memory_bridge<Width>::basic_memory_bridge(const sc_core::sc_module_name& name, nic& interface,
                                                memory_map& map, const memory_bridge_params& params)
    : memory_bridge_base(name, interface, map, params),
      m_sockets(std::make_unique<bridge_sockets<Width>>(*this)),
      initiators(m_sockets->initiators),
      memory(m_sockets->memory) {}

template <unsigned Width>
basic_memory_bridge<Width>::~basic_memory_bridge() = default;

template <unsigned Width>
tlm::tlm_bw_transport_if<>& basic_memory_bridge<Width>::initiator(std::uint32_t k) {
    return *m_sockets->initiators[static_cast<int>(bound_initiator(k))];
}

template <unsigned Width>
tlm::tlm_fw_transport_if<>& basic_memory_bridge<Width>::memory_at(std::uint32_t k) {
    return *m_sockets->memory[static_cast<int>(bound_memory(k))];
}

template <unsigned Width>
void basic_memory_bridge<Width>::end_of_elaboration() {
    make_ports(m_sockets->initiators.size(), m_sockets->memory.size());
}

}  // namespace sare
