// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

/// Parameters of links that all topologies have.
namespace sare {

struct link_parameters {
    std::uint32_t link_latency = 1;                ///< cycles of links between routers
    std::uint32_t node_link_latency = 1;           ///< cycles of links of nodes
    std::uint32_t link_cycles_per_flit = 1;        ///< cycles from one flit to the next
    std::uint32_t link_idle = 0, link_wake = 0;    ///< cycles, see link_attributes
    std::uint32_t flit_phits = 1, link_width = 0;  ///< phits of a flit; phits a cycle, 0: not given
    double link_bit_error_rate = 0;                ///< probability of each bit
    /// Latencies in seconds and bandwidth, from which cycles are computed if the cycles above are left at 1.
    /// 0: not given.
    double latency = 0, node_latency = 0;  ///< s
    double bandwidth = 0;                  ///< bit/s
    /// True if nodes lie apart from their routers, behind links as long as others; set by the kind of
    /// network.
    bool nodes_apart = false;

    link_attributes link() const;       ///< attributes of a link between routers
    link_attributes node_link() const;  ///< attributes of a link of a node
};

/// Returns which attribute of a link is out of the bounds below; "" if none is. For links made in C++.
std::string wrong_with(const link_attributes& a);

/// Cycles that a flit of `phits` takes on a link of `width` phits a cycle.
constexpr std::uint32_t cycles_of_flit(std::uint32_t phits, std::uint32_t width) {
    return (phits + width - 1) / width;
}

/// Converts seconds to picoseconds; 0, which means a latency in cycles, to link_attributes::in_cycles.
std::uint64_t link_picoseconds(double seconds);

/// Largest latency and cycles per flit, in cycles, so that the planes of links stay small.
constexpr std::uint32_t most_link_cycles = 65535;
constexpr std::uint32_t most_wake_cycles = 4095;  ///< longest wake-up time of a link, in cycles
constexpr std::uint32_t most_clock = 1'000'000;   ///< longest clock period of a router, in network cycles
constexpr std::uint32_t most_phits = 4096;        ///< most phits of a flit
/// Highest bit error rate; with more no flit would come through.
constexpr double most_bit_error_rate = 0.1;
/// Longest latency in seconds, so that 64 bits can count the picoseconds of a path of 2^24 links.
constexpr double most_link_seconds = 1;
constexpr double most_bandwidth = 1e18;  ///< highest bandwidth in bit/s
/// Largest numbers of routers, nodes and ports of a router in any topology.
constexpr std::uint64_t most_routers = 1ULL << 24;
constexpr std::uint64_t most_nodes = 1ULL << 28;
constexpr std::uint32_t most_ports = 64;
/// Most ports of a star, crossbar or tree in the contention-free model, which has no routers.
constexpr std::uint32_t most_ideal_ports = 65'535;

/// Converts a bandwidth in bit/s, a whole number of tenths, to tenths of a bit/s.
std::uint64_t link_decibits_per_second(double bandwidth);

config::schema<link_parameters> link_fields();

constexpr const char* concentration_sentence = "nodes at each router";

/// Text of a list in messages: "[4, 2]".
std::string list_text(const std::vector<std::uint32_t>& numbers);

/// Place where `key` of `section` was written; the place of the section if the key was left out.
config::location place(const config::value& section, const char* key);

}  // namespace sare
