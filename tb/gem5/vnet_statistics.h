// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/statistics.hh"

#include <string>

namespace sare::ruby {

/// Statistics by virtual network, with the names that Garnet's have. Latencies are in ticks, summed over
/// messages.
struct vnet_statistics {
    /// Numbers of messages that controllers have sent, and that were handed over to controllers; then of
    /// flits.
    gem5::statistics::Vector packets_injected, packets_received;
    gem5::statistics::Vector flits_injected, flits_received;
    gem5::statistics::Vector packet_network_latency;  ///< from the injection of the first flit to the
                                                      ///< consumption of the last one
    /// Time from the sending by a controller to the handing over to another, less packet_network_latency.
    gem5::statistics::Vector packet_queueing_latency;
    gem5::statistics::Formula average_packet_network_latency, average_packet_queueing_latency;
    gem5::statistics::Formula average_packet_latency;
    gem5::statistics::Scalar packets_in_flight;  ///< number of packets in the network when statistics are
                                                 ///< dumped
    gem5::statistics::Scalar flits_held_back;    ///< number of flits that wait at full MessageBuffers when
                                                 ///< statistics are dumped

    /// Registers all statistics with gem5. `name`: name of the network; `vnets`: number of virtual networks.
    void set_up(const std::string& name, unsigned vnets);
};

}  // namespace sare::ruby
