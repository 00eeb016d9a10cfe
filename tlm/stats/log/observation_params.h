// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/section_part.h"

namespace sare {

/// Keys of the section `observe` for all observers: cycles to be observed, and the file for Perfetto, in
/// which packet_log shows packets.
struct observation_params : section_part_of<observation_params> {
    bool perfetto = false;           ///< write a file for Perfetto (see perfetto_file)
    bool packets = true;             ///< show packets, their hops and the loads of links in that file
    std::uint64_t from = 0, to = 0;  ///< cycles [from, to) that are shown; `to` 0: until the end of the run
    std::uint64_t interval = 100;    ///< cycles over which a link's load is averaged
    std::uint32_t links = 0;         ///< number of intervals of the statistic link_series; 0: it is not taken

    static config::schema<observation_params> fields();
    cycle_t end() const { return to == 0 ? workload::never : to; }

    bool is_of_runs() const override { return true; }
    void check(const config::value* section) override;
    void check_checkpoints() const override;
    std::vector<config::value> statistics() const override;
    std::unique_ptr<run_observer> observe(const run_context& run) const override;
};

/// Throws config::error at `at` if several processes run the network and its routers own the nodes' queues:
/// then `what` ("observe.perfetto"), which knows a packet in all processes by source and cycle of injection,
/// cannot tell packets apart.
void check_injections(const run_context& run, const std::string& what, const config::location& at);

}  // namespace sare
