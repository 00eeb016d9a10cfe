// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare {

/// Keys of the section `observe` of an experiment that all observers share: network cycles to be shown, and
/// whether to write a file for Perfetto, in which packet_log shows packets.
struct observation_params : section_part_of<observation_params> {
    bool perfetto = false;           ///< true: write the file for Perfetto, perfetto_file
    bool packets = true;             ///< true: perfetto_file shows packets, their hops and the loads of links
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to) that are shown; `to` 0: until the end of the run
    std::uint64_t interval = 100;    ///< cycles over which the load of a link is averaged for Perfetto
    std::uint32_t links = 0;  ///< most intervals of the statistic link_series; 0: the statistic is not taken

    static config::schema<observation_params> fields();  ///< names, ranges and explanations of the keys
    /// Returns the first cycle that is not shown any more; workload::never: the run is shown to its end.
    cycle_t end() const { return to == 0 ? workload::never : to; }

    bool is_of_runs() const override { return true; }
    /// Throws config::error unless `to` is 0 or above `from`. `section` is not used.
    void check(const config::value* section) override;
    void check_checkpoints() const override;  ///< throws config::error if packets go to Perfetto
    std::vector<config::value> statistics() const override;  ///< link_series if `links` is not 0
    /// Returns a packet_log; null unless `perfetto` and `packets`. Throws as check_injections().
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

/// Throws config::error at `at` if several processes run the network and its routers own the injection queues
/// of nodes: a node may then inject several packets in a cycle, and `what` ("observe.perfetto"), which
/// identifies a packet in all processes by source and cycle of injection, cannot tell them apart.
void check_injections(const run_context& run, const std::string& what, const config::location& at);

}  // namespace sare
