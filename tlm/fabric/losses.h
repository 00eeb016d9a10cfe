// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
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

/// Since the start. In packets and in flits: injected + copied = consumed + dropped + in the network.
struct packet_changes {
    packet_count copied, dropped;
    std::map<std::string, packet_count> dropped_by_cause;
    std::uint64_t lost_messages = 0;  ///< with a dropped packet
    template <class Archive>
    void serialize(Archive& a) {
        a(copied, dropped, dropped_by_cause, lost_messages);
    }
};

/// A drop of this cycle, of which the workload is still to be told.
struct packet_drop {
    std::uint32_t router, message, flits;
    const std::string* cause;  ///< in packet_changes
};

}  // namespace sare
