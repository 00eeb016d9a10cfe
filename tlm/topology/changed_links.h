// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sare {

/// An entry of the section 'links': links, given by exactly one of `between`, `name` and `node`, and the
/// attributes in which they differ from the topology.
struct link_exception {
    /// Numbers of two routers: the entry is for all links between them, in both directions; empty: not given.
    std::vector<std::uint32_t> between;
    std::string name;  ///< name of links between routers, in which * stands for any text; "": not given
    /// nodes: the entry is for the links between them and their routers; empty: not given.
    config::number_set node;
    std::uint32_t latency = 0;          ///< latency in cycles; 0: unchanged
    std::uint32_t cycles_per_flit = 0;  ///< cycles from one flit to the next; 0: unchanged
    std::uint32_t width = 0;            ///< phits that the link carries in a cycle; 0: unchanged
    /// Cycles without a flit until the link falls asleep, and cycles until it is awake (link_attributes); 0:
    /// unchanged.
    std::uint32_t idle = 0, wake = 0;
    double bit_error_rate = -1;          ///< probability that a bit gets wrong; below 0: unchanged
    double seconds = 0, bandwidth = 0;   ///< latency in s; bandwidth in bit/s; 0: unchanged
    std::vector<std::uint32_t> classes;  ///< message classes that the links carry; empty: all

    /// Returns the links of `between` or `name`, one of which must be given: router and output port where
    /// each begins, each direction on its own. Throws config::error if there are no such links.
    std::vector<router_port> links_of(const topology& map) const;

    static config::schema<link_exception> fields();  ///< schema of the keys of an entry
    /// Returns the entries of the section 'links' in their order; none if `list` is null. Throws
    /// config::error for a wrong entry.
    static std::vector<link_exception> read(const config::value& list);

    config::location at;          ///< place of 'between', 'name' or 'node', for errors
    config::location classes_at;  ///< place of 'classes', for errors
    /// Place of 'bandwidth', or else of 'seconds', for errors; empty: neither is given.
    config::location times_at;
};

/// Rule by which latencies in seconds and bandwidths of links become cycles, for simulations of flits.
struct cycle_rule {
    double clock_seconds;     ///< clock period in seconds
    std::uint32_t flit_bits;  ///< bits of a flit
    config::location at;      ///< place of the clock period, for errors

    /// Returns `a` with `latency` computed from `picoseconds` if latency_follows, and `cycles_per_flit`
    /// computed from `decibits_per_second` if rate_follows. Throws config::error if whole cycles differ from
    /// the exact value by more than a tenth.
    link_attributes in_cycles(link_attributes a) const;
    /// Returns a text that says to which cycles the latencies in seconds and the bandwidths of a network were
    /// rounded; "" if no link has any.
    std::string text(const topology& map) const;
};

/// Returns `map` with links changed as `exceptions`, a section 'links' or null, says, and with cycles
/// computed by `rule`; `map` itself if there is nothing to change. Without `rule` seconds and bandwidths stay
/// as they are. Throws config::error for links that do not exist.
std::unique_ptr<topology> with_changed_links(std::unique_ptr<topology> map, const config::value& exceptions,
                                             const std::optional<cycle_rule>& rule = std::nullopt);

}  // namespace sare
