// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare {

/// Rule for a packet that finds no free entry in the table of a combiner.
enum class full_table : std::uint8_t {
    forward,  ///< the combiner passes the packet on uncombined
    block  ///< no packet comes without one: packets wait at their sources until their group has entries left
};

/// Values of the section `combining`: a combiner at each router; see combiners.h.
struct combining_params : section_part_of<combining_params> {
    std::uint32_t entries = 0;  ///< partial sums that a combiner can hold, up to 2^20; 0: no combiners
    full_table when_full = full_table::forward;  ///< rule for a packet without a free entry
    std::uint32_t groups = 1;   ///< for full_table::block: groups that share a table in equal parts, from 1
    std::uint32_t ports = 1;    ///< ports of a combiner at its router, 1 or more
    std::uint32_t latency = 1;  ///< cycles from a packet's last flit until the combiner sends, 1 or more
    std::uint32_t cycles_per_flit = 1;  ///< cycles in which a port of a combiner takes a flit, 1 or more

    bool on() const { return entries != 0; }  ///< true: there are combiners
    /// Returns the number of entries of each table that a group may use at a time; 2^32 - 1 for
    /// full_table::forward, which has no limit.
    std::uint32_t share() const {
        return when_full == full_table::forward ? ~std::uint32_t{0} : entries / groups;
    }
    void check(const config::value* section) override;
    std::string needs_one_process() const override;
    bool is_of_runs() const override { return true; }
    bool changes_network() const override { return true; }
    static config::schema<combining_params> fields();
};

}  // namespace sare
