// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

/// Parameters of links that all topologies have.
namespace sare {

/// Parameters of the section 'network' for links, which all topologies have; link_fields() gives their
/// ranges. The parameters from link_cycles_per_flit to link_bit_error_rate hold for links between routers
/// only.
struct link_parameters {
    std::uint32_t link_latency = 1;          ///< latency of links between routers, in cycles
    std::uint32_t node_link_latency = 1;     ///< latency of links from and to nodes, in cycles
    std::uint32_t link_cycles_per_flit = 1;  ///< cycles from one flit to the next
    /// `link_idle`: cycles without a flit until a link falls asleep; 0: only when told to. `link_wake`:
    /// cycles until it is awake; 0: it cannot sleep.
    std::uint32_t link_idle = 0, link_wake = 0;
    /// `flit_phits`: phits of a flit; `link_width`: phits that a link carries in a cycle, 0: not given.
    std::uint32_t flit_phits = 1, link_width = 0;
    double link_bit_error_rate = 0;  ///< probability that a bit gets wrong on a link
    /// Latency in seconds of links between routers, and of links from and to nodes; 0: not given. Cycles are
    /// computed from it if link_latency, or node_link_latency, is left at 1.
    double latency = 0, node_latency = 0;
    /// Bandwidth of every link in bit/s; 0: not given. Cycles of a flit are computed from it if
    /// link_cycles_per_flit is 1 and link_width is 0.
    double bandwidth = 0;
    /// True if nodes are not beside their routers, so that `latency` holds for their links, too; set by the
    /// kind of network, as trees do.
    bool nodes_apart = false;

    link_attributes link() const;       ///< returns the attributes of a link between routers
    link_attributes node_link() const;  ///< returns the attributes of a link from or to a node
};

/// Returns an error text on the first attribute of a link that is out of the bounds below; "" if all are
/// within them. It is for links that a program makes, not a configuration.
std::string wrong_with(const link_attributes& a);

/// Returns the cycles that a flit of `phits` phits takes on a link of `width` phits a cycle, rounded up;
/// `width` must not be 0.
constexpr std::uint32_t cycles_of_flit(std::uint32_t phits, std::uint32_t width) {
    return (phits + width - 1) / width;
}

/// Returns a latency of `seconds` in picoseconds, rounded; link_attributes::in_cycles, which means a latency
/// in cycles, if it is 0.
std::uint64_t link_picoseconds(double seconds);

/// Largest latency, and largest number of cycles from one flit to the next, so that the memory for links
/// stays small.
constexpr std::uint32_t most_link_cycles = 65535;
constexpr std::uint32_t most_wake_cycles = 4095;  ///< longest wake-up time of a link, in cycles
constexpr std::uint32_t most_clock = 1'000'000;   ///< longest clock period of a router, in network cycles
constexpr std::uint32_t most_synchroniser = 16;   ///< most flip-flops of a synchroniser, in a row
constexpr std::uint32_t most_phits = 4096;        ///< most phits of a flit
/// Highest bit error rate; with more no flit would come through.
constexpr double most_bit_error_rate = 0.1;
/// Longest latency in seconds, so that 64 bits can count the picoseconds of a path of 2^24 links.
constexpr double most_link_seconds = 1;
constexpr double most_bandwidth = 1e18;  ///< highest bandwidth in bit/s
/// Most routers of any topology.
constexpr std::uint64_t most_routers = 1ULL << 24;
constexpr std::uint64_t most_nodes = 1ULL << 28;  ///< most nodes of any topology
/// Most ports of a router of a star, crossbar or tree in the contention-free model, for which most_ports does
/// not hold.
constexpr std::uint32_t most_ideal_ports = 65'535;

/// Returns a bandwidth in bit/s in tenths of a bit/s, rounded; 0 for 0, which means that none is given.
std::uint64_t link_decibits_per_second(double bandwidth);

/// Returns the schema of link_parameters.
config::schema<link_parameters> link_fields();

/// Sentence on the parameter `concentration`, for schemas.
constexpr const char* concentration_sentence = "nodes at each router";

/// Returns a list as text for messages: "[4, 2]"; "[]" for an empty list.
std::string list_text(const std::vector<std::uint32_t>& numbers);

/// Returns the place where `key` of `section` was written; the place of `section` if the key was left out or
/// `section` is no map.
config::location place(const config::value& section, const char* key);

}  // namespace sare
