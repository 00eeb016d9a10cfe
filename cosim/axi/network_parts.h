// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/bridge_pairs.h"
#include "cosim/axi/nodes.h"

#include <map>

namespace sare {
struct experiment;
}

namespace sare::axi {

/// Form in which the bridge and the NIC of an AXI node are run.
enum class bridge_kind {
    model,  ///< models, without Verilator
    rtl,    ///< Verilated RTL
    /// Models and RTL with the same inputs: outputs are compared in every cycle, and the network gets those
    /// of the models. After the first difference (first_difference()) the models run alone.
    lockstep
};

/// The AXI nodes of a network; maker() puts them in the place of the nodes' NICs. The traffic of the
/// experiment must neither come from these nodes nor go to them: in the run, that is an error of the node.
/// Must live as long as the network.
///
/// axi::network_parts axi(e);
/// axi.add_manager(0, cpu);
/// axi.add_subordinate(5, ram);
/// network net("net", e, 2, network::most_bound, axi.maker());
/// axi.manager(0).clock(clock); ...
class network_parts {
  public:
    /// `e`: the experiment, which must outlive the object; `speed`: way of compiling RTL.
    explicit network_parts(const experiment& e, cosim::rtl_speed speed = cosim::rtl_speed::checked)
        : m_experiment(e), m_speed(speed) {}

    /// Makes node `node` the node of an AXI manager with the bridge `params`. Call before the network is
    /// made. Throws config::error if the node has a manager or subordinate already.
    void add_manager(std::uint32_t node, const manager_params& params, bridge_kind kind = bridge_kind::rtl);
    /// Makes node `node` the node of an AXI subordinate with the bridge `params`. Call before the network is
    /// made. Throws config::error if the node has a manager or subordinate already.
    void add_subordinate(std::uint32_t node, const subordinate_params& params,
                         bridge_kind kind = bridge_kind::rtl);
    /// Returns the functions that the network needs to make these nodes, valid as long as this object. Making
    /// the network reports an error "/sare/config" for a node that it does not have, for nodes with different
    /// widths, and for a manager with addresses of no subordinate. It also does so for read_beats or
    /// write_beats below max_beats, and if message classes, number of nodes or cosim.flit_width do not fit
    /// the bridges.
    foreign_maker maker();
    /// Sets axi_node::set_handler() of all nodes that are made from now on.
    void set_handler(const cosim::violation_handler& handler) { m_handler = handler; }

    /// @name Parts of the network; call only after the network is made (not checked)
    /// Returns the module of a manager's node, which the network owns. Throws std::out_of_range if the node
    /// has no manager.
    manager_node& manager(std::uint32_t node) { return *m_managers.at(node).module; }
    /// Returns the module of a subordinate's node, which the network owns. Throws std::out_of_range if the
    /// node has no subordinate.
    subordinate_node& subordinate(std::uint32_t node) { return *m_subordinates.at(node).module; }
    /// Returns the first difference of model and RTL in a bridge or NIC in lock step, as a line; empty: there
    /// was none.
    std::string first_difference() const;
    /// Returns the difference of the lowest cycle as a divergence (lockstep.h); nothing: there was none.
    std::optional<cosim::divergence> first_divergence() const;
    /// @}

  private:
    template <class Params, class Node>
    /// A node with its parameters.
    struct part {
        Params params;
        bridge_kind kind;
        Node* module = nullptr;  ///< the node's module, owned by the network; null: not made yet
    };
    using manager_part = part<manager_params, manager_node>;
    using subordinate_part = part<subordinate_params, subordinate_node>;

    template <class Parts>
    void check_nodes(const Parts& parts, std::uint32_t nodes) const;
    void check_beats(std::uint32_t node, const char* what, std::uint32_t has, std::uint32_t longest) const;
    void check(std::uint32_t nodes) const;
    std::unique_ptr<foreign_block> make(const sc_core::sc_module_name& name, const block_context& context);
    template <class Part>
    std::unique_ptr<foreign_block> make_node(const sc_core::sc_module_name& name,
                                             const block_context& context, Part& p);
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
    std::unique_ptr<payload_board> m_board;  ///< data of the packets between the nodes
    cosim::violation_handler m_handler;
    bool m_checked = false;  ///< true: check() has been called
};

}  // namespace sare::axi
