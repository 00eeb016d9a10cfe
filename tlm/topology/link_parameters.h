// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

/// What every topology is told of its links, once for all.
namespace sare {

struct link_parameters {
    std::uint32_t link_latency = 1;
    std::uint32_t node_link_latency = 1;
    std::uint32_t link_cycles_per_flit = 1;
    std::uint32_t link_idle = 0, link_wake = 0;
    std::uint32_t flit_phits = 1, link_width = 0;
    double link_bit_error_rate = 0;
    /// Times and bandwidths, from which cycles follow where those above are left at 1, as a link without
    /// times has them.
    double latency = 0, node_latency = 0;  ///< s
    double bandwidth = 0;                  ///< bit/s
    /// Nodes are places of their own, behind a link as long as the others; else they are at their routers.
    /// No parameter: a matter of the kind of network.
    bool nodes_apart = false;

    link_attributes link() const;
    link_attributes node_link() const;
};

/// Why no link has these attributes: which one is beyond the bounds below; "" if one may. For links made in
/// C++.
std::string wrong_with(const link_attributes& a);

/// Cycles of a flit of so many phits on a link that takes `width` phits a cycle.
constexpr std::uint32_t cycles_of_flit(std::uint32_t phits, std::uint32_t width) {
    return (phits + width - 1) / width;
}

/// Picoseconds of seconds; link_attributes::in_cycles for 0, which stands for cycles.
std::uint64_t link_picoseconds(double seconds);

/// Latencies and serialisation are bounded so that a link's ring of slots stays small.
constexpr std::uint32_t most_link_cycles = 65535;
constexpr std::uint32_t most_wake_cycles = 4095;
constexpr std::uint32_t most_clock = 1'000'000;  ///< cycles of the network that one of a router's takes
constexpr std::uint32_t most_phits = 4096;       ///< of a flit
/// Of each bit; at more than this no flit comes through.
constexpr double most_bit_error_rate = 0.1;
/// So that the picoseconds of a path of 2^24 links can be counted.
constexpr double most_link_seconds = 1;
constexpr double most_bandwidth = 1e18;  ///< bit/s
/// Bounds of any topology: indices of routers and nodes, and the port masks of routers.
constexpr std::uint64_t most_routers = 1ULL << 24;
constexpr std::uint64_t most_nodes = 1ULL << 28;
constexpr std::uint32_t most_ports = 64;
/// Of a star, crossbar or tree without routers: in the contention-free model.
constexpr std::uint32_t most_ideal_ports = 65'535;

/// What links count bandwidths in; of a whole number of tenths of a bit/s.
std::uint64_t link_decibits_per_second(double bandwidth);

config::schema<link_parameters> link_fields();

constexpr const char* concentration_sentence = "nodes at each router";

/// "[4, 2]", as messages show lists.
std::string list_text(const std::vector<std::uint32_t>& numbers);

/// Where `key` of `section` was written; the section's own place where it was left out.
config::location place(const config::value& section, const char* key);

}  // namespace sare
