// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/bridge_pairs.h"
#include "cosim/axi/nodes.h"

#include <map>

namespace sare {
struct experiment;
}

namespace sare::axi {

/// Kind of a node's bridge and NIC.
enum class bridge_kind {
    model,  ///< the model, without Verilator
    rtl,    ///< the RTL
    /// Model and RTL with the same inputs; their outputs are compared in every cycle, and the network gets
    /// those of the model. After the first difference (see first_difference()) the model runs alone.
    lockstep
};

/// AXI nodes of a network, whose maker() puts them in the place of NICs. The experiment's traffic must
/// neither come from these nodes nor go to them. Must live as long as the network.
///
///     axi::network_parts axi(e);
///     axi.add_manager(0, cpu);
///     axi.add_subordinate(5, ram);
///     network net("net", e, 2, network::most_bound, axi.maker());
///     axi.manager(0).clock(clock); ...
class network_parts {
  public:
    explicit network_parts(const experiment& e, cosim::rtl_speed speed = cosim::rtl_speed::checked)
        : m_experiment(e), m_speed(speed) {}

    /// Adds a manager at a node. Call before the network is made. Throws config::error if the node was added
    /// before.
    void add_manager(std::uint32_t node, const manager_params& params, bridge_kind kind = bridge_kind::rtl);
    /// Adds a subordinate at a node. Call before the network is made. Throws config::error if the node was
    /// added before.
    void add_subordinate(std::uint32_t node, const subordinate_params& params,
                         bridge_kind kind = bridge_kind::rtl);
    /// Returns the maker to be given to the network. Making the network then reports "/sare/config" for a
    /// node that it does not have; for nodes with different parameters of pins and headers; for a manager
    /// whose addresses lead to a node that is no subordinate; for read_beats or write_beats below max_beats;
    /// and if its message classes, number of nodes or cosim.flit_width do not fit the bridges.
    foreign_maker maker();

    /// @name Parts of the network: call after it is made
    /// @{
    /// Returns the module of a manager's node; throws std::out_of_range if no manager was added there.
    manager_node& manager(std::uint32_t node) { return *m_managers.at(node).module; }
    /// Returns the module of a subordinate's node; throws std::out_of_range if no subordinate was added
    /// there.
    subordinate_node& subordinate(std::uint32_t node) { return *m_subordinates.at(node).module; }
    /// First difference of a bridge or NIC in lock step; "": none.
    std::string first_difference() const;
    /// @}

  private:
    template <class Params, class Node>
    struct part {
        Params params;
        bridge_kind kind;
        Node* module = nullptr;
    };
    using manager_part = part<manager_params, manager_node>;
    using subordinate_part = part<subordinate_params, subordinate_node>;

    template <class Parts>
    void check_nodes(const Parts& parts, std::uint32_t nodes) const;
    void check_beats(std::uint32_t node, const char* what, std::uint32_t has, std::uint32_t longest) const;
    void check(std::uint32_t nodes) const;
    std::unique_ptr<foreign_block> make(const sc_core::sc_module_name& name, const block_context& context);
    std::unique_ptr<node_nic> make_nic(const block_context& context, const format& f, bridge_kind kind);
    std::unique_ptr<manager_bridge> make_bridge(const manager_part& p, std::uint32_t node);
    std::unique_ptr<subordinate_bridge> make_bridge(const subordinate_part& p, std::uint32_t node);
    template <class Pair, class Pins>
    std::unique_ptr<Pins> paired(const std::string& name, std::unique_ptr<Pins> model,
                                 std::unique_ptr<Pins> rtl);
    std::shared_ptr<cosim::rtl_library> library(cosim::rtl_request request) const;

    const experiment& m_experiment;
    const cosim::rtl_speed m_speed;
    std::map<std::uint32_t, manager_part> m_managers;
    std::map<std::uint32_t, subordinate_part> m_subordinates;
    std::vector<const cosim::comparison*> m_pairs;
    std::unique_ptr<payload_board> m_board;
    bool m_checked = false;
};

}  // namespace sare::axi
