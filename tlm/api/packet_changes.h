// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sare {

/// Causes of drops, by name, as statistics list them. Further ones: reset_cause
/// (tlm/fabric/hazards/block_reset.h), given_up (tlm/retransmission/go_back_n.h), and causes that some kinds
/// of routers name.
namespace loss {
/// Packet was on a link that failed, held a VC of its output, or was in a router that failed or in the NIC of
/// a node of it.
constexpr const char* failure = "failure";
/// All outputs of a packet's route lead to failed links; while the network is emptied for new routes
/// (failure_state::empties()), also: the packet has lost its escape route.
constexpr const char* dead_end = "dead_end";
constexpr const char* bit_error = "bit_error";  ///< packet reached its NIC with a corrupted bit
/// Failures have left no path to the message's destination.
constexpr const char* unreachable = "unreachable";
}  // namespace loss

/// Returns a description of a lost message, on one line. `generated`: cycle in which it was generated;
/// `cycle`: cycle in which it was lost; `cause`: cause of its first dropped packet.
inline std::string lost_text(std::uint32_t source, std::uint32_t destination, std::uint64_t generated,
                             std::uint64_t cycle, const std::string& cause) {
    return "from node " + std::to_string(source) + " to node " + std::to_string(destination) +
           ", generated in cycle " + std::to_string(generated) + ", lost in cycle " + std::to_string(cycle) +
           " (" + cause + ")";
}

/// A number of packets, and the flits of all of them.
struct packet_count {
    std::uint64_t packets = 0, flits = 0;  ///< number of packets; flits of all of them
    /// Counts one packet of `of_flits` flits.
    void add(std::uint64_t of_flits) {
        ++packets;
        flits += of_flits;
    }
};

/// Router, output port and cause of a drop: the key by which dropped packets are counted.
struct drop_spot {
    std::uint32_t router = 0, port = 0;  ///< `port` is drop_location::no_port if no output had been chosen
    std::string cause;                   ///< name of the cause, see namespace loss
    friend bool operator<(const drop_spot& a, const drop_spot& b) {
        return std::tie(a.router, a.port, a.cause) < std::tie(b.router, b.port, b.cause);
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(router, port, cause);
    }
};

/// Packets copied and dropped, and messages lost, since the start. For packets, and for flits: injected +
/// copied = consumed + dropped + in the network.
struct packet_changes {
    /// Packets that routers have made as copies of others (multicast); packets dropped, by whatever cause.
    packet_count copied, dropped;
    std::map<std::string, packet_count> dropped_by_cause;  ///< dropped packets by cause
    std::map<drop_spot, packet_count> dropped_at;  ///< dropped packets by router, output port and cause
    /// Packets that a router has sent around a blocked link, once for each such detour.
    packet_count detoured;
    std::uint64_t lost_messages = 0;  ///< messages lost, each counted at its first dropped packet
    /// Lost messages by cause of their first dropped packet.
    std::map<std::string, std::uint64_t> lost_by_cause;
    std::string first_lost;  ///< description of the first lost message (lost_text()); "": none is lost
    /// Messages lost before any flit of them was injected, and flits lost before they were cut into packets;
    /// by node and message class.
    std::map<std::pair<std::uint32_t, std::uint32_t>, generated_counts> unsent;
    /// Flits not yet injected of packets that were dropped while they left their source; by source node.
    std::map<std::uint32_t, std::uint64_t> unsent_rests;

    /// Counts the last `flits` flits of `m` as lost at its source, and the message as well if these are all
    /// its flits. 0 counts nothing.
    void count_unsent(const message& m, std::uint32_t flits) {
        if (flits != 0) unsent[{m.source, m.message_class}] += {flits == m.flits ? 1U : 0U, flits};
    }
    /// Counts a dropped packet of `flits` flits in dropped, dropped_by_cause and dropped_at. Returns a
    /// pointer to the key of dropped_by_cause that equals `cause`, valid as long as this object.
    const std::string* count_drop(const std::string& cause, const drop_location& at, std::uint64_t flits) {
        const auto counted = dropped_by_cause.try_emplace(cause).first;
        counted->second.add(flits);
        dropped.add(flits);
        dropped_at[{at.router, at.port, cause}].add(flits);
        return &counted->first;
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(copied, dropped, dropped_by_cause, dropped_at, detoured, lost_messages, lost_by_cause, first_lost,
          unsent, unsent_rests);
    }
};

/// A dropped packet that still has to be reported to the workload (message_events::dropped_at()).
struct packet_drop {
    drop_location at;  ///< place where it was dropped
    /// Slot of its message in router_context::messages(); length of the packet in flits.
    std::uint32_t message, flits;
    const std::string* cause;  ///< name of the cause: a key of packet_changes::dropped_by_cause
    /// Order of the reports among drops at one router: lower numbers first, equal numbers as the drops
    /// happened. The value is one of the constants below, or, for failures in a network of several processes,
    /// `first` + 1, + 2, ... by packet.
    std::uint64_t order;
    /// Value of `order` for drops between two cycles, by failures and resets, in one process.
    static constexpr std::uint64_t first = 0;
    /// Value of `order` for drops by routers.
    static constexpr std::uint64_t by_routers = std::uint64_t{1} << 63;
    /// by_nics + n: value of `order` for drops by the NIC of node n.
    static constexpr std::uint64_t by_nics = by_routers + 1;
};

}  // namespace sare
