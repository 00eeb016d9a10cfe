// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "tlm/topology/topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sare {

/// An entry of the section 'links': some links that are not as the topology has them.
struct link_exception {
    std::vector<std::uint32_t> between;  ///< two routers: all links between them, both ways
    std::string name;                    ///< of links between routers; * stands for anything
    config::number_set node;             ///< nodes: their links with their routers, both ways
    std::uint32_t latency = 0;           ///< cycles; 0: as it is
    std::uint32_t cycles_per_flit = 0;   ///< 0: as it is
    std::uint32_t width = 0;             ///< phits per cycle; 0: as it is
    std::uint32_t idle = 0, wake = 0;    ///< cycles; 0: as it is
    double bit_error_rate = -1;          ///< of each bit; below 0: as it is
    double seconds = 0, bandwidth = 0;   ///< s, bit/s; 0: as it is
    std::vector<std::uint32_t> classes;  ///< of messages that it carries; none: all

    /// The links between routers that it is about, by the ports that they leave by. Throws config::error
    /// where there are none.
    std::vector<router_port> links_of(const topology& map) const;

    static config::schema<link_exception> fields();
    /// Throws config::error for an entry that cannot be read.
    static std::vector<link_exception> read(const config::value& list);

    config::location at;          ///< of 'between', 'name' or 'node'
    config::location classes_at;  ///< of 'classes'
};

/// What makes cycles of the times and bandwidths of links.
struct cycle_rule {
    double clock_seconds;
    std::uint32_t flit_bits;
    config::location at;  ///< for errors

    /// Returns the link with cycles where they follow. Throws config::error where they would be another link,
    /// by more than a tenth.
    link_attributes in_cycles(link_attributes a) const;
    /// Returns what the times and bandwidths of a network have become, "" where it has none.
    std::string text(const topology& map) const;
};

/// The topology with these links changed, and with cycles by `rule`; itself, where there is nothing to
/// change. Throws config::error for links that are not there.
std::unique_ptr<topology> with_changed_links(std::unique_ptr<topology> map, const config::value& exceptions,
                                             const std::optional<cycle_rule>& rule = std::nullopt);

}  // namespace sare
