// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/statistics.hh"

#include <string>

namespace sare::ruby {

/// Statistics by virtual network, under the names that Garnet's have; latencies in ticks.
struct vnet_statistics {
    gem5::statistics::Vector packets_injected, packets_received;
    gem5::statistics::Vector flits_injected, flits_received;
    gem5::statistics::Vector packet_network_latency;   ///< from the first flit sent to the last one consumed
    gem5::statistics::Vector packet_queueing_latency;  ///< before and behind that
    gem5::statistics::Formula average_packet_network_latency, average_packet_queueing_latency;
    gem5::statistics::Formula average_packet_latency;
    gem5::statistics::Scalar packets_in_flight;  ///< number of packets in the network at a dump
    gem5::statistics::Scalar flits_held_back;  ///< number of flits that full MessageBuffers refuse at a dump

    /// Names all of them. `name`: name of the network; `vnets`: number of virtual networks.
    void set_up(const std::string& name, unsigned vnets);
};

}  // namespace sare::ruby
