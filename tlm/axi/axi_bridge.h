// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/axi/manager_port.h"
#include "tlm/axi/params.h"
#include "tlm/axi/subordinate_port.h"
#include "tlm/memory/memory_bridge.h"

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

namespace sare::axi {

/// Number of IDs that a manager has: 0 to max_ids - 1. Subordinates see larger ones: max_ids times the
/// manager's number in the network (bridge_base::agent()) plus its ID.
inline constexpr std::uint32_t max_ids = 1U << 16;
inline constexpr std::uint32_t max_managers = 1U << 16;  ///< most managers that a network can have

/// An AXI4 bridge without its sockets, whose width is a template parameter of `bridge`. It is a memory bridge
/// for which each manager is two initiators, one for reads and one for writes, and each subordinate is a
/// memory.
class bridge_base : public memory_bridge_base {
  public:
    const char* kind() const override { return "sare::axi::bridge"; }
    /// Prints name, kind, node, bus width, and the counts of each manager and subordinate.
    void dump(std::ostream& out = std::cout) const override;
    /// Returns the parameters given to the constructor, in which an empty list of response classes has become
    /// the network's last class.
    const bridge_params& axi_params() const { return m_params; }
    /// Width of the bridge's AXI4 buses in bytes.
    std::uint32_t bus_bytes() const { return m_bus_bytes; }
    /// Returns the clock period of the network in the present cycle, the least time for a beat.
    sc_core::sc_time period() { return map().engine().period(); }
    /// Returns the number in the network, from 0, of manager `k` of this bridge, counted in the order of
    /// binding. Known after elaboration; `k` is not checked.
    std::uint32_t agent(std::uint32_t k) const { return m_first_agent + k; }
    /// @name Counts so far, by number in the order of binding, from 0; unknown: an error "/sare/memory"
    /// @{
    /// Returns the counts of the reads of a manager.
    const initiator_counts& reads_of(std::uint32_t manager) const {
        return initiator_counts_of(2 * bound_manager(manager));
    }
    /// Returns the counts of the writes of a manager.
    const initiator_counts& writes_of(std::uint32_t manager) const {
        return initiator_counts_of(2 * bound_manager(manager) + 1);
    }
    /// Returns the counts of the accesses at a subordinate.
    const memory_counts& subordinate_counts_of(std::uint32_t k) const { return memory_counts_of(k); }
    /// @}

    /// @name Called by its manager_ports and subordinate_ports; an unknown number is an error "/sare/memory"
    /// @{
    /// Returns the manager that was bound as number `k`.
    virtual backward_if& manager(std::uint32_t k) = 0;
    /// Returns the subordinate that was bound as number `k`.
    virtual forward_if& subordinate(std::uint32_t k) = 0;
    /// Returns the initiator of the memory bridge that carries the writes or the reads of a manager.
    initiator_port& way(std::uint32_t manager, bool writes) {
        return initiator_of(static_cast<int>(2 * bound_manager(manager) + (writes ? 1 : 0)));
    }
    /// Passes a phase of access `p`, which a subordinate has answered, on to the memory bridge; it holds from
    /// `delay` from now on.
    void answer(std::uint32_t subordinate, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                sc_core::sc_time& delay) {
        memory_bridge_base::nb_transport_bw(static_cast<int>(bound_memory(subordinate)), p, phase, delay);
    }
    bool writes_apart() const override { return true; }
    /// Return the port that stands for initiator `k`, and for memory `k`, of the memory bridge.
    tlm::tlm_bw_transport_if<>& initiator(std::uint32_t k) override { return *m_ways[bound_initiator(k)]; }
    tlm::tlm_fw_transport_if<>& memory_at(std::uint32_t k) override {
        return *m_subordinates[bound_memory(k)];
    }
    /// @}

  protected:
    /// Makes a bridge without ports, see `bridge`; `bus_bytes`: width of its buses in bytes.
    bridge_base(const sc_core::sc_module_name& name, nic& interface, memory_map& map, const bridge_params& p,
                std::uint32_t bus_bytes);
    /// Creates the ports for as many managers and subordinates as are bound. Call it at the end of
    /// elaboration. Reports "/sare/config" if the network gets more than max_managers managers.
    void make_axi_ports(std::uint32_t managers, std::uint32_t subordinates);
    /// Reports "/sare/memory" for address ranges in which a burst that crosses no 4 KiB boundary would cross
    /// one at its subordinate.
    void start_of_simulation() override;
    /// Returns `k` if it is the number of a manager; errors as for memory_bridge_base::bound().
    std::uint32_t bound_manager(std::uint32_t k) const { return bound("manager", k, m_ways.size() / 2); }

    /// @name Calls by the sockets; `k`: number, not checked, of the manager or subordinate that calls
    /// @{
    void b_transport(int k, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        way_of(k, p).b_transport(p, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(int k, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return way_of(k, p).nb_transport_fw(p, phase, delay);
    }
    unsigned transport_dbg(int k, tlm::tlm_generic_payload& p) {
        return memory_bridge_base::transport_dbg(2 * k, p);
    }
    bool get_direct_mem_ptr(int k, tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        return memory_bridge_base::get_direct_mem_ptr(2 * k + (p.is_write() ? 1 : 0), p, dmi);
    }
    tlm::tlm_sync_enum nb_transport_bw(int k, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        return m_subordinates[static_cast<std::size_t>(k)]->nb_transport_bw(p, phase, delay);
    }
    void invalidate_direct_mem_ptr(int k, sc_dt::uint64 first, sc_dt::uint64 last) {
        memory_bridge_base::invalidate_direct_mem_ptr(k, first, last);
    }
    /// @}

  private:
    /// Returns the port of manager `k` for reads or for writes, whichever `p` is.
    manager_port& way_of(int k, const tlm::tlm_generic_payload& p) {
        return *m_ways[2 * static_cast<std::size_t>(k) + (p.is_write() ? 1 : 0)];
    }

    const bridge_params m_params;     ///< see axi_params()
    const std::uint32_t m_bus_bytes;  ///< see bus_bytes()
    std::uint32_t m_first_agent = 0;  ///< agent(0)
    /// Ports of managers: element 2 k is manager k's port for reads, element 2 k + 1 its port for writes.
    std::vector<std::unique_ptr<manager_port>> m_ways;
    std::vector<std::unique_ptr<subordinate_port>> m_subordinates;  ///< ports by number of the subordinate
};

/// Module that connects AXI4 managers and subordinates, with buses `Width` bits wide, to a node. Any number,
/// also none, may be bound to each of the two sockets. A burst crosses the network as one request and one
/// response, whose message classes depend on its QoS. Bursts may be loosely timed (b_transport) or
/// approximately timed, beat by beat. Reads and writes do not wait for each other; reads of one manager and
/// ID are done and answered in order, and so are its writes of one ID.
template <unsigned Width = 64>
class bridge : public bridge_base {
    static_assert(Width >= 8 && Width <= 1024 && (Width & (Width - 1)) == 0, "AXI4's buses: 8 to 1,024 bits");

  public:
    /// Makes a bridge. `interface`: NIC of the node; `map`: address map of the network; both must outlive it.
    /// Wrong parameters are reported as an error "/sare/config", a NIC and a map of two engines as an error
    /// "/sare/memory".
    bridge(const sc_core::sc_module_name& name, nic& interface, memory_map& map, const bridge_params& p = {})
        : bridge_base(name, interface, map, p, Width / 8),
          managers("managers"),
          subordinates("subordinates") {
        managers.register_b_transport(this, &bridge::b_transport);
        managers.register_nb_transport_fw(this, &bridge::nb_transport_fw);
        managers.register_transport_dbg(this, &bridge::transport_dbg);
        managers.register_get_direct_mem_ptr(this, &bridge::get_direct_mem_ptr);
        subordinates.register_nb_transport_bw(this, &bridge::nb_transport_bw);
        subordinates.register_invalidate_direct_mem_ptr(this, &bridge::invalidate_direct_mem_ptr);
    }

    /// Socket to be bound to managers.
    tlm_utils::multi_passthrough_target_socket_optional<bridge_base, Width, protocol> managers;
    /// Socket to be bound to subordinates.
    tlm_utils::multi_passthrough_initiator_socket_optional<bridge_base, Width, protocol> subordinates;

    backward_if& manager(std::uint32_t k) override { return *managers[static_cast<int>(bound_manager(k))]; }
    forward_if& subordinate(std::uint32_t k) override {
        return *subordinates[static_cast<int>(bound_memory(k))];
    }

  private:
    void end_of_elaboration() override { make_axi_ports(managers.size(), subordinates.size()); }
};

}  // namespace sare::axi
