// SPDX-License-Identifier: Apache-2.0
#include "vnet_statistics.h"

namespace sare::ruby {

void vnet_statistics::set_up(const std::string& name, unsigned vnets) {
    namespace stats = gem5::statistics;
    const auto vector = [&](stats::Vector& v, const char* what, const char* meaning) {
        v.init(vnets).name(name + "." + what).desc(meaning).flags(stats::total | stats::oneline);
        for (unsigned k = 0; k < vnets; ++k) v.subname(k, "vnet-" + std::to_string(k));
    };
    vector(packets_injected, "packets_injected", "packets given to the network");
    vector(packets_received, "packets_received", "packets given to controllers");
    vector(flits_injected, "flits_injected", "flits given to the network");
    vector(flits_received, "flits_received", "flits of packets given to controllers");
    vector(packet_network_latency, "packet_network_latency",
           "ticks from the first flit sent to the last one consumed");
    vector(packet_queueing_latency, "packet_queueing_latency",
           "ticks in queues before and behind the network");

    average_packet_network_latency.name(name + ".average_packet_network_latency");
    average_packet_network_latency = stats::sum(packet_network_latency) / stats::sum(packets_received);
    average_packet_queueing_latency.name(name + ".average_packet_queueing_latency");
    average_packet_queueing_latency = stats::sum(packet_queueing_latency) / stats::sum(packets_received);
    average_packet_latency.name(name + ".average_packet_latency");
    average_packet_latency = average_packet_network_latency + average_packet_queueing_latency;
    packets_in_flight.name(name + ".packets_in_flight").desc("packets in the network now");
    flits_held_back.name(name + ".flits_held_back").desc("flits that full MessageBuffers refuse now");
}

}  // namespace sare::ruby
