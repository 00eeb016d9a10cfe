// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/workload.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

/// What becomes of packets besides coming in and going out: copies and drops.
namespace sare {

struct packet_count {
    std::uint64_t packets = 0, flits = 0;
    void add(std::uint64_t of_flits) {
        ++packets;
        flits += of_flits;
    }
};

/// Where packets were dropped, and why.
struct drop_spot {
    std::uint32_t router = 0, port = 0;  ///< drop_place::no_port: at none of its outputs
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
    std::map<drop_spot, packet_count> dropped_at;  ///< by routers
    packet_count detoured;                         ///< sent by an emergency route
    std::uint64_t lost_messages = 0;               ///< with a dropped packet
    template <class Archive>
    void serialize(Archive& a) {
        a(copied, dropped, dropped_by_cause, dropped_at, detoured, lost_messages);
    }
};

/// A drop of this cycle, of which the workload is still to be told.
struct packet_drop {
    drop_place at;
    std::uint32_t message, flits;
    const std::string* cause;  ///< in packet_changes
};

}  // namespace sare
