// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"

#include <map>
#include <optional>

namespace sare::traffic {

/// Which computer has which address: as its peer gave it, or as learned from what it sends.
class mac_table {
  public:
    static constexpr std::size_t most_learned =
        65536;  ///< more are flooded: a flood of addresses costs no more

    void give(const computer& c) {
        for (const mac_address& m : c.macs) m_nodes[m] = {c.node, true};
    }
    /// A frame from `m` has left `node`. What was given stays.
    void learn(const mac_address& m, std::uint32_t node) {
        if (m.is_group()) return;
        const auto found = m_nodes.find(m);
        if (found != m_nodes.end()) {
            if (!found->second.given) found->second.node = node;
        } else if (m_nodes.size() < most_learned) {
            m_nodes[m] = {node, false};
        }
    }
    std::optional<std::uint32_t> find(const mac_address& m) const {
        const auto found = m_nodes.find(m);
        return found == m_nodes.end() ? std::nullopt : std::optional(found->second.node);
    }

  private:
    struct entry {
        std::uint32_t node = 0;
        bool given = false;
    };
    std::map<mac_address, entry> m_nodes;
};

}  // namespace sare::traffic
