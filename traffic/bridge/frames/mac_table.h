// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/peer.h"

#include <map>
#include <optional>

namespace sare::traffic {

/// The table that finds the node of an Ethernet address: addresses that peers have given for their computers,
/// and addresses learned from the frames that computers send.
class mac_table {
  public:
    /// Number of addresses in the table from which on no more are learned, so that it does not grow without
    /// bound; give() still adds. Frames to unknown addresses are flooded.
    static constexpr std::size_t most_learned = 65536;

    /// Adds the addresses that the peer of a computer has given for it.
    void give(const computer& c) {
        for (const mac_address& m : c.macs) m_nodes[m] = {c.node, true};
    }
    /// Learns that `m`, the source address of a frame, belongs to `node`. Ignores addresses of groups, and
    /// addresses that were given.
    void learn(const mac_address& m, std::uint32_t node) {
        if (m.is_group()) return;
        const auto found = m_nodes.find(m);
        if (found != m_nodes.end()) {
            if (!found->second.given) found->second.node = node;
        } else if (m_nodes.size() < most_learned) {
            m_nodes[m] = {node, false};
        }
    }
    /// Returns the node of an address; nullopt if the address is not in the table.
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
