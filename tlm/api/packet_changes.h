// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// What becomes of packets besides coming in and going out: copies and drops.
namespace sare {

/// Why hazards lose packets and messages: the causes that these are counted by.
namespace loss {
constexpr const char* failure = "failure";          ///< packets caught on a link or in a router that failed
constexpr const char* dead_end = "dead_end";        ///< a router that routes as before has no candidate left
constexpr const char* bit_error = "bit_error";      ///< packets that came to their NIC with a bad bit
constexpr const char* unreachable = "unreachable";  ///< messages to or from nodes that are cut off
}  // namespace loss

/// A message that was lost, in words.
inline std::string lost_text(std::uint32_t source, std::uint32_t destination, std::uint64_t generated,
                             std::uint64_t cycle, const std::string& cause) {
    return "from node " + std::to_string(source) + " to node " + std::to_string(destination) +
           ", generated in cycle " + std::to_string(generated) + ", lost in cycle " + std::to_string(cycle) +
           " (" + cause + ")";
}

struct packet_count {
    std::uint64_t packets = 0, flits = 0;
    void add(std::uint64_t of_flits) {
        ++packets;
        flits += of_flits;
    }
};

/// Where packets were dropped, and why.
struct drop_spot {
    std::uint32_t router = 0, port = 0;  ///< drop_location::no_port: at none of its outputs
    std::string cause;
    friend bool operator<(const drop_spot& a, const drop_spot& b) {
        return std::tie(a.router, a.port, a.cause) < std::tie(b.router, b.port, b.cause);
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(router, port, cause);
    }
};

/// Since the start. In packets and in flits: injected + copied = consumed + dropped + in the network.
struct packet_changes {
    packet_count copied, dropped;
    std::map<std::string, packet_count> dropped_by_cause;
    std::map<drop_spot, packet_count> dropped_at;        ///< by routers
    packet_count detoured;                               ///< sent by an emergency route
    std::uint64_t lost_messages = 0;                     ///< with a dropped packet
    std::map<std::string, std::uint64_t> lost_by_cause;  ///< of these, by that of the first one
    std::string first_lost;                              ///< a message, in words; "" where none was lost
    /// By node and message class, lost before packets were made of them: messages of which none was, flits.
    std::map<std::pair<std::uint32_t, std::uint32_t>, generated_counts> unsent;
    std::map<std::uint32_t, std::uint64_t> unsent_rests;  ///< by node, flits of packets lost while they left

    void count_unsent(const message& m, std::uint32_t flits) {
        if (flits != 0) unsent[{m.source, m.message_class}] += {flits == m.flits ? 1U : 0U, flits};
    }
    /// A packet of so many flits; gives where its cause is kept.
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

/// A drop of this cycle, of which the workload is still to be told.
struct packet_drop {
    drop_location at;
    std::uint32_t message, flits;
    const std::string* cause;  ///< in packet_changes
    /// Those of a router are told in this order, and in that of the calls. Of several processes hazards count
    /// what they take out.
    std::uint64_t order;
    static constexpr std::uint64_t first = 0;  ///< between cycles
    static constexpr std::uint64_t by_routers = std::uint64_t{1} << 63;
    static constexpr std::uint64_t by_nics = by_routers + 1;  ///< and the node: NICs of several parts
};

}  // namespace sare
