// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"

#include <map>
#include <optional>

namespace sare::traffic {

/// The table of the computers' addresses: given by their peer, or learned from the frames that they send.
class mac_table {
  public:
    /// Number of addresses at which no further ones are learned: frames to others are flooded. So the table
    /// does not grow without bound.
    static constexpr std::size_t most_learned = 65536;

    /// Adds the addresses of a computer that its peer has given.
    void give(const computer& c) {
        for (const mac_address& m : c.macs) m_nodes[m] = {c.node, true};
    }
    /// Learns the address `m` of a frame that has left `node`. An address that was given stays.
    void learn(const mac_address& m, std::uint32_t node) {
        if (m.is_group()) return;
        const auto found = m_nodes.find(m);
        if (found != m_nodes.end()) {
            if (!found->second.given) found->second.node = node;
        } else if (m_nodes.size() < most_learned) {
            m_nodes[m] = {node, false};
        }
    }
    /// Returns the node of an address; nothing if it is not known.
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
