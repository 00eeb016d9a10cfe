// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Counts of packets copied and dropped in the network, and of messages lost.
namespace sare {

/// Causes by which dropped packets and lost messages are counted.
namespace loss {
constexpr const char* failure = "failure";          ///< packet was on a link or in a router that failed
constexpr const char* dead_end = "dead_end";        ///< all outputs of a packet's route lead to failed links
constexpr const char* bit_error = "bit_error";      ///< packet reached its NIC with a corrupted bit
constexpr const char* unreachable = "unreachable";  ///< failures separate the message's nodes
}  // namespace loss

/// Returns a description of a lost message; `generated` and `cycle`, of its loss, are cycles.
inline std::string lost_text(std::uint32_t source, std::uint32_t destination, std::uint64_t generated,
                             std::uint64_t cycle, const std::string& cause) {
    return "from node " + std::to_string(source) + " to node " + std::to_string(destination) +
           ", generated in cycle " + std::to_string(generated) + ", lost in cycle " + std::to_string(cycle) +
           " (" + cause + ")";
}

/// A number of packets, and the flits of all of them.
struct packet_count {
    std::uint64_t packets = 0, flits = 0;
    /// Counts one packet of `of_flits` flits.
    void add(std::uint64_t of_flits) {
        ++packets;
        flits += of_flits;
    }
};

/// Router, output port and cause by which dropped packets are counted.
struct drop_spot {
    std::uint32_t router = 0, port = 0;  ///< port drop_location::no_port: no output had been chosen
    std::string cause;
    friend bool operator<(const drop_spot& a, const drop_spot& b) {
        return std::tie(a.router, a.port, a.cause) < std::tie(b.router, b.port, b.cause);
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(router, port, cause);
    }
};

/// Counts since the start. For packets, and for flits: injected + copied = consumed + dropped + in the
/// network.
struct packet_changes {
    packet_count copied, dropped;
    std::map<std::string, packet_count> dropped_by_cause;
    std::map<drop_spot, packet_count> dropped_at;        ///< dropped packets by router, output and cause
    packet_count detoured;                               ///< packets sent by an emergency route
    std::uint64_t lost_messages = 0;                     ///< messages with a dropped packet
    std::map<std::string, std::uint64_t> lost_by_cause;  ///< lost messages by cause of their first drop
    std::string first_lost;                              ///< lost_text() of the first lost message, or ""
    /// Messages lost before their first packet was made, and flits lost that no packet was made of yet; by
    /// (node, message class).
    std::map<std::pair<std::uint32_t, std::uint32_t>, generated_counts> unsent;
    /// Flits not yet injected of packets that were dropped while they left their source; by node.
    std::map<std::uint32_t, std::uint64_t> unsent_rests;

    /// Adds to `unsent` the last `flits` flits of `m`, and the message itself if these are all its flits.
    void count_unsent(const message& m, std::uint32_t flits) {
        if (flits != 0) unsent[{m.source, m.message_class}] += {flits == m.flits ? 1U : 0U, flits};
    }
    /// Counts a dropped packet of `flits` flits. Returns the cause as a key of dropped_by_cause, which stays.
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

/// A packet dropped in this cycle, which the workload has not been told of yet.
struct packet_drop {
    drop_location at;
    std::uint32_t message, flits;  ///< slot in the message pool; length of the packet in flits
    const std::string* cause;      ///< key of packet_changes::dropped_by_cause
    /// Rank among the drops of one router: the workload is told of low ranks first, of equal ranks in the
    /// order of the drops. If several processes run the network, failures number the packets they take out.
    std::uint64_t order;
    static constexpr std::uint64_t first = 0;  ///< drops between two cycles, by failures and resets
    static constexpr std::uint64_t by_routers = std::uint64_t{1} << 63;  ///< drops by routers
    static constexpr std::uint64_t by_nics = by_routers + 1;  ///< plus the node's number: drops by NICs
};

}  // namespace sare
