// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare {

/// What a combiner does with a packet for which its table has no entry left.
enum class full_table : std::uint8_t {
    forward,  ///< it passes the packet on as it is
    block     ///< there is none: packets wait at their sources until their group has entries left
};

/// Values of the section `combining`: a combiner at each router.
struct combining_params : section_part_of<combining_params> {
    std::uint32_t entries = 0;  ///< packets that a combiner can hold at a time; 0: there are no combiners
    full_table when_full = full_table::forward;
    std::uint32_t groups = 1;           ///< full_table::block: groups that share a table in equal parts
    std::uint32_t ports = 1;            ///< ports of a combiner at its router, 1 or more
    std::uint32_t latency = 1;          ///< cycles from the last flit of a packet to the result, 1 or more
    std::uint32_t cycles_per_flit = 1;  ///< cycles in which a combiner takes a flit, 1 or more

    bool on() const { return entries != 0; }  ///< true: there are combiners
    /// Number of packets of a group that tables have entries for; no limit for full_table::forward.
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
