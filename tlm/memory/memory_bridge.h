// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access_id.h"
#include "tlm/memory/map/address_view.h"
#include "tlm/memory/memory_map.h"
#include "tlm/memory/params.h"
#include "tlm/memory/timing/port_counts.h"
#include "tlm/systemc/modules.h"

#include <memory>
#include <vector>

namespace sare {

class initiator_port;
class memory_port;

/// A memory bridge without its sockets, whose width is a template parameter of basic_memory_bridge.
class memory_bridge_base : public sc_core::sc_module {
  public:
    const char* kind() const override { return "sare::memory_bridge"; }
    /// Prints to `out` name, kind, node, and the counts of each initiator and memory.
    void dump(std::ostream& out = std::cout) const override;
    /// Parameters that the bridge was made with.
    const memory_bridge_params& params() const { return m_params; }
    /// Map of the addresses that its initiators reach.
    memory_map& map() { return m_map; }
    /// Number of its node.
    std::uint32_t node() const { return m_nic.node(); }
    /// Delay of its NIC in cycles.
    std::uint32_t nic_delay() const { return m_nic.params().delay; }
    /// Mode of accesses that begin now, of all initiators of this bridge.
    access_mode mode() const { return m_mode; }
    /// True if a memory takes reads and writes by two separate queues, neither of which waits for the other;
    /// false, the default: by one.
    virtual bool writes_apart() const { return false; }
    /// Sets the mode of accesses that begin from now on; the ones under way end in the mode in which they
    /// began. If the mode changes, initiators are told that their DMI is void.
    void set_mode(access_mode mode);
    /// Lets initiator `k` see the map by these windows only, for accesses that begin from now on; an empty
    /// list: the whole map. Its DMI becomes void. Windows that address_view refuses are reported as an error
    /// "/sare/config", an unknown `k`, as any is before elaboration ends, as an error "/sare/memory".
    void set_view(std::uint32_t k, std::vector<address_window> windows);
    /// Tells the initiators of this bridge that have asked for DMI that it is void for addresses `first` to
    /// `last` of the map.
    void forget_direct(std::uint64_t first, std::uint64_t last);
    /// @name Counts so far, by number of initiator or memory in the order of binding, from 0
    /// An unknown number, as all are before elaboration ends, is reported as an error "/sare/memory".
    /// @{
    /// Counts of an initiator.
    const initiator_counts& initiator_counts_of(std::uint32_t k) const;
    /// Counts of a memory.
    const memory_counts& memory_counts_of(std::uint32_t k) const;
    /// @}

    /// @name Called by access_report; an unknown number is an error as for the counts
    /// @{
    /// Number of initiators bound; 0 before elaboration ends.
    std::uint32_t initiators_bound() const { return static_cast<std::uint32_t>(m_initiators.size()); }
    /// Number of memories bound; 0 before elaboration ends.
    std::uint32_t memories_bound() const { return static_cast<std::uint32_t>(m_memories.size()); }
    /// Statistics of an initiator's accesses that are over.
    access_statistics& initiator_statistics(std::uint32_t k);
    /// Statistics of the accesses at a memory that are over.
    access_statistics& memory_statistics(std::uint32_t k);
    /// @}

    /// @name Modules bound to the sockets, by number in the order of binding; unknown: an error as above
    /// @{
    virtual tlm::tlm_bw_transport_if<>& initiator(std::uint32_t k) = 0;
    virtual tlm::tlm_fw_transport_if<>& memory_at(std::uint32_t k) = 0;
    /// @}

  protected:
    /// Makes a bridge without ports; see basic_memory_bridge for the arguments and their errors.
    memory_bridge_base(const sc_core::sc_module_name& name, nic& interface, memory_map& map,
                       const memory_bridge_params& params);
    ~memory_bridge_base() override;
    /// Creates the ports of as many initiators and memories as are bound. Call it once, at the end of
    /// elaboration.
    void make_ports(std::uint32_t initiators, std::uint32_t memories);
    void start_of_simulation() override { m_map.check(); }
    void end_of_simulation() override { m_map.accesses().over(); }
    /// Returns `k` if it is below `all`; else reports "/sare/memory", and throws std::out_of_range if reports
    /// do not throw. `what`: "initiator", for example.
    std::uint32_t bound(const char* what, std::uint32_t k, std::size_t all) const;
    /// Returns `k` if it is the number of an initiator; errors as for bound().
    std::uint32_t bound_initiator(std::uint32_t k) const {
        return bound("initiator", k, m_initiators.size());
    }
    /// Returns `k` if it is the number of a memory; errors as for bound().
    std::uint32_t bound_memory(std::uint32_t k) const { return bound("memory", k, m_memories.size()); }
    /// Return the port of a memory, and of an initiator, which must be bound (not checked).
    const memory_port& port_of(std::uint32_t memory) const { return *m_memories[memory]; }
    initiator_port& initiator_of(int k) { return *m_initiators[static_cast<std::size_t>(k)]; }

    /// @name Calls by the sockets; `k`: number, not checked, of the initiator or memory that calls
    /// @{
    void b_transport(int k, tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    tlm::tlm_sync_enum nb_transport_fw(int k, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    unsigned transport_dbg(int k, tlm::tlm_generic_payload& p);
    tlm::tlm_sync_enum nb_transport_bw(int k, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    bool get_direct_mem_ptr(int k, tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi);
    void invalidate_direct_mem_ptr(int k, sc_dt::uint64 first, sc_dt::uint64 last);
    /// @}

  private:
    nic& m_nic;
    memory_map& m_map;
    const memory_bridge_params m_params;
    access_mode m_mode;                                         ///< see mode()
    std::vector<std::unique_ptr<initiator_port>> m_initiators;  ///< ports by number of the initiator
    std::vector<std::unique_ptr<memory_port>> m_memories;       ///< ports by number of the memory
};

/// The sockets of a bridge, defined in tlm/memory/bridge_sockets.h.
template <unsigned Width>
struct bridge_sockets;

/// Module that connects TLM-2.0 initiators and memories of any kind to a node, by sockets `Width` bits wide:
/// a power of 2, 8 to 1024 (for other widths include tlm/memory/bridge_sockets.h). Any number of modules,
/// also none, may be bound to each of the two sockets, and a node may have several bridges. A write or read
/// that comes in by `initiators` crosses the network to the node that owns the address. One of that node's
/// memories does it, and its response comes back. Accesses are loosely timed (b_transport blocks for as long
/// as network and memory take) or approximately timed (the base protocol, several transactions at once). A
/// message that a bridge sends in one cycle is in its NIC in the next. If the network drops a packet of the
/// request or the response, the access ends with TLM_GENERIC_ERROR_RESPONSE in the cycle of the drop.
template <unsigned Width = 32>
class basic_memory_bridge : public memory_bridge_base {
    const std::unique_ptr<bridge_sockets<Width>> m_sockets;

  public:
    /// Type of the sockets in the interface.
    template <template <unsigned, class, class, int, sc_core::sc_port_policy> class Socket>
    using socket = Socket<Width, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>, 0,
                          sc_core::SC_ZERO_OR_MORE_BOUND>;

    /// Makes a bridge. `interface`: NIC of the node; `map`: address map of the network; both must outlive it.
    /// A NIC and a map of two engines are reported as an error "/sare/memory", parameters out of range as an
    /// error "/sare/config".
    basic_memory_bridge(const sc_core::sc_module_name& name, nic& interface, memory_map& map,
                        const memory_bridge_params& params = {});
    ~basic_memory_bridge() override;

    /// Socket to be bound to initiators.
    socket<tlm::tlm_base_target_socket>& initiators;
    socket<tlm::tlm_base_initiator_socket>& memory;  ///< socket to be bound to memories
    /// Returns the two sockets by their tlm_utils types, to be bound to a multi socket of a module around the
    /// bridge.
    bridge_sockets<Width>& sockets() { return *m_sockets; }

    tlm::tlm_bw_transport_if<>& initiator(std::uint32_t k) override;
    tlm::tlm_fw_transport_if<>& memory_at(std::uint32_t k) override;

  private:
    friend bridge_sockets<Width>;
    void end_of_elaboration() override;
};

using memory_bridge = basic_memory_bridge<>;  ///< the usual bridge, 32 bits wide

}  // namespace sare
