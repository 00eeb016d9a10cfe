// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/routing_support.h"
#include "tlm/topology/tree/fat_tree.h"

/// The common part of routing on fat and thin trees: up to a common ancestor, down by the destination's
/// digits.
namespace sare {

struct tree_parameters {
    bool keep_vc = false;
};

/// Ways go up, then down, so no cycle of channels closes, with any number of VCs and whichever they take.
class tree_routing : public routing_function {
  public:
    std::string name() const override { return m_name; }

  protected:
    /// Throws config::error for a network that is no tree.
    tree_routing(std::string name, const routing_context& context, const config::value& section,
                 bool keep_vc);

    struct switch_position {
        std::uint32_t level = 0;
        std::uint32_t down = 0;   ///< ports
        std::uint32_t first = 0;  ///< the lowest node below it
    };
    const switch_position& at(std::uint32_t r) const { return m_switches[r]; }
    const tree_shape& shape() const { return m_shape; }

    /// Whether node n lies below a switch.
    bool above(const switch_position& s, std::uint32_t n) const {
        return n - s.first < m_levels[s.level].below;  // modulo 2^32: false for lower nodes, too
    }
    /// The switch's down port that leads to node n, which lies below it: (n - first) / down^level, by a
    /// multiplication with ceil(2^57 / down^level); exact as n * down^level is below 2^56.
    std::uint32_t down_port(const switch_position& s, std::uint32_t n) const {
        return static_cast<std::uint32_t>(((n - s.first) * m_levels[s.level].reciprocal) >> 57);
    }
    /// Whether a packet that came into a switch by port `in` comes from its node.
    bool from_node(const switch_position& s, std::uint32_t in) const { return s.level == 0 && in < s.down; }
    /// The VCs that a packet may take on.
    std::uint32_t vcs(const switch_position& s, std::uint32_t in, std::uint32_t in_vc,
                      const route_header& h) const {
        return m_keep_vc && !from_node(s, in) ? 1U << (in_vc - h.vc_base) : m_all;
    }
    /// Goes down towards the packet's destination; to the node's port with all VCs.
    void go_down(const switch_position& s, std::uint32_t mask, const route_header& h, route_set& out) const {
        out.add(down_port(s, h.destination), s.level == 0 ? m_all : mask);
    }
    bool keeps_vc() const { return m_keep_vc; }

  private:
    struct level {
        std::uint32_t below = 1;       ///< nodes below a switch
        std::uint64_t reciprocal = 0;  ///< see down_port()
    };
    std::string m_name;
    tree_shape m_shape;
    bool m_keep_vc;
    std::uint32_t m_all = 1;  ///< all VCs of the class
    std::vector<switch_position> m_switches;
    std::vector<level> m_levels;
};

}  // namespace sare
