// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sare {

/// An entry of the section 'links': some links, named by `between`, `name` or `node`, and attributes in which
/// they differ from the topology.
struct link_exception {
    std::vector<std::uint32_t> between;  ///< two routers: all links between them, both directions
    std::string name;                    ///< names of links between routers; * stands for any text
    config::number_set node;             ///< nodes: links to and from their routers
    std::uint32_t latency = 0;           ///< cycles; 0: unchanged
    std::uint32_t cycles_per_flit = 0;   ///< cycles; 0: unchanged
    std::uint32_t width = 0;             ///< phits per cycle; 0: unchanged
    std::uint32_t idle = 0, wake = 0;    ///< cycles, see link_attributes; 0: unchanged
    double bit_error_rate = -1;          ///< probability of each bit; below 0: unchanged
    double seconds = 0, bandwidth = 0;   ///< latency in s, bit/s; 0: unchanged
    std::vector<std::uint32_t> classes;  ///< message classes that they carry; empty: all

    /// Returns the links of `between` or `name`, as the routers and output ports where they begin. Throws
    /// config::error if there are none.
    std::vector<router_port> links_of(const topology& map) const;

    static config::schema<link_exception> fields();
    /// Reads the section 'links'. Throws config::error for a wrong entry.
    static std::vector<link_exception> read(const config::value& list);

    config::location at;          ///< place of 'between', 'name' or 'node', for errors
    config::location classes_at;  ///< place of 'classes', for errors
    config::location times_at;    ///< place of 'bandwidth', or else of 'seconds', for errors
};

/// Rule that turns latencies in seconds and bandwidths of links into cycles.
struct cycle_rule {
    double clock_seconds;     ///< clock period in seconds
    std::uint32_t flit_bits;  ///< bits of a flit
    config::location at;      ///< place of the clock period, for errors

    /// Returns the attributes with cycles for a latency in seconds or a bandwidth. Throws config::error if
    /// whole cycles differ from the exact value by more than a tenth.
    link_attributes in_cycles(link_attributes a) const;
    /// Describes what the latencies in seconds and bandwidths of a network have become; "" if it has none.
    std::string text(const topology& map) const;
};

/// Returns `map` with the links of `exceptions` changed and with cycles by `rule`; `map` itself if there is
/// nothing to change. Throws config::error for unknown links.
std::unique_ptr<topology> with_changed_links(std::unique_ptr<topology> map, const config::value& exceptions,
                                             const std::optional<cycle_rule>& rule = std::nullopt);

}  // namespace sare
