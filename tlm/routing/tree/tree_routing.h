// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/equal_parts.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/tree/fat_tree.h"

namespace sare {

/// Parameters of routing functions on trees.
struct tree_parameters {
    /// True: packets keep the VC that they took at their first router, until the link to their node.
    bool keep_vc = false;
};

/// Base class of routing functions on fat and thin trees: up to a common ancestor of source and destination,
/// then down by the digits of the destination. Since no route goes up after it has gone down, no cycle of
/// channels closes, whatever the number and choice of VCs.
class tree_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }
    /// Returns the subtrees below the top switches, not null.
    const equal_parts* parts_alike() const override { return &m_parts; }

  protected:
    /// `name`: value of name(), also for error texts; `section`: section of the function, for places of
    /// errors. `keep_vc`: see tree_parameters. Throws config::error for a network that is no kary_ntree,
    /// thin_tree, tree or xgft.
    tree_routing(std::string name, const routing_context& context, const config::value& section,
                 bool keep_vc);

    /// Place of a switch in the tree.
    struct switch_position {
        std::uint32_t level = 0;  ///< level of the switch; 0: the level that has the nodes
        std::uint32_t down = 0;   ///< number of its ports that lead down, ports 0 and following
        std::uint32_t first = 0;  ///< lowest number of the nodes below the switch
    };
    /// Returns the place of switch `r`.
    const switch_position& at(std::uint32_t r) const { return m_switches[r]; }
    const tree_shape& shape() const { return m_shape; }

    /// True if node `n` is below a switch.
    bool above(const switch_position& s, std::uint32_t n) const {
        return n - s.first < m_levels[s.level].below;  // modulo 2^32: false for lower nodes, too
    }
    /// Returns the down port of a switch that leads to node `n`, which must be below the switch. It is (n -
    /// first) / (nodes below a down port), computed by a multiplication with ceil(2^shift / that number). For
    /// d down ports of b bits, shift is 64 - b, so that the product stays below 2^64. It is exact, since n
    /// times that number is at most 2^56 / d, less than 2^shift.
    std::uint32_t down_port(const switch_position& s, std::uint32_t n) const {
        const level& l = m_levels[s.level];
        return static_cast<std::uint32_t>((n - s.first) * l.reciprocal >> l.shift);
    }
    /// True if a packet that came into a switch by port `in` came from a node.
    bool from_node(const switch_position& s, std::uint32_t in) const { return s.level == 0 && in < s.down; }
    /// Returns the VCs that a packet may take next, as for route_candidate::vcs; `in`, `in_vc`: input port
    /// and VC by which it came.
    vc_mask vcs(const switch_position& s, std::uint32_t in, std::uint32_t in_vc,
                const route_header& h) const {
        return m_keep_vc && !from_node(s, in) ? vc_mask{1} << (in_vc - h.vc_base) : m_all;
    }
    /// Adds to `out` the down port of a switch that leads towards the packet's destination, with the VCs of
    /// `mask`. A port to the node itself gets all VCs of the class.
    void go_down(const switch_position& s, vc_mask mask, const route_header& h, route_set& out) const {
        out.add(down_port(s, h.destination), s.level == 0 ? m_all : mask);
    }
    /// Value of tree_parameters::keep_vc.
    bool keeps_vc() const { return m_keep_vc; }

  private:
    /// Properties that all switches of a level share.
    struct level {
        std::uint32_t below = 1;       ///< number of nodes below a switch
        std::uint32_t shift = 0;       ///< shift of down_port()
        std::uint64_t reciprocal = 0;  ///< 2^shift / (nodes below a down port), rounded up, for down_port()
    };
    void find_parts();

    std::string m_name;
    tree_shape m_shape;
    bool m_keep_vc;
    std::uint32_t m_all = 1;  ///< mask of all VCs of a message class
    std::vector<switch_position> m_switches;
    std::vector<level> m_levels;
    equal_parts m_parts;
};

}  // namespace sare
