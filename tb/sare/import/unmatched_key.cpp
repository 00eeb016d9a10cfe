// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/import/unmatched_key.h"

#include <algorithm>
#include <iterator>

namespace sare::cli {
namespace {

/// True for parameters of replies where there are none, which BookSim2 ignores as well.
bool is_of_replies(const std::string& key) {
    return key.rfind("read_re", 0) == 0 || key.rfind("write_re", 0) == 0;
}

}  // namespace

const unmatched_key* find_unmatched(const std::string& key) {
    static constexpr const char *buffers = "each VC has a buffer of its own here",
                                *speculation = "requests that are not speculative win here",
                                *power = "the section power estimates energy, by tables of its own",
                                *outputs = "what BookSim2 prints; a run here writes its own files",
                                *unused = "BookSim2 makes nothing of it with this topology or traffic";

    static constexpr unmatched_key all[] = {
        {"internal_speedup", "1", "the switch has the clock of the links here; output_speedup comes near"},
        {"hold_switch_for_packet", "0", "packets share the switch flit by flit here"},
        {"output_buffer_size", "-1", "output queues are bounded by credits here"},
        {"output_delay", "0", "there is no such stage; router.st_delay can be longer"},
        {"noq", "0", "there are no queues by the next hop"},
        {"private_buf_start_vc", "-1", buffers},
        {"private_buf_end_vc", "-1", buffers},
        {"max_held_slots", "-1", buffers},
        {"feedback_aging_scale", "1", buffers},
        {"feedback_offset", "0", buffers},
        {"vc_busy_when_full", "0", "a VC without credit can be allocated here"},
        {"vc_prioritize_empty", "0", "VCs are equal in allocation here"},
        {"vc_priority_donation", "0", "flits have no priority of their own here"},
        {"vc_shuffle_requests", "0", "requests stay in their order here"},
        {"spec_check_elig", "1", speculation},
        {"spec_check_cred", "1", speculation},
        {"spec_mask_by_reqs", "0", speculation},
        {"spec_sw_allocator", "prio", speculation},
        {"vct", "0", "router.switching: cut_through is what it means"},
        {"priority", "none", "router.sa_arbiter: age, or nic.arbiter and message classes, come near"},
        {"class_priority", "0", "nic.arbiter: priority orders message classes"},
        {"link_failures", "0", "the section failures breaks links"},
        {"fail_seed", "", "the section failures breaks links"},
        {"channel_file", "", "the section links has lengths"},
        {"subnets", "1", "topology: planes has networks side by side"},
        {"physical_subnetworks", "1", "topology: planes has networks side by side"},
        {"in_ports", "", unused},
        {"out_ports", "", unused},
        {"limit", "", unused},
        {"c", "1", unused},
        {"x", "", ""},
        {"y", "", ""},
        {"xr", "", ""},
        {"yr", "", ""},
        {"batch_size", "", ""},
        {"batch_count", "", ""},
        {"max_outstanding_requests", "", ""},
        {"perm_seed", "", ""},
        {"burst_alpha", "", ""},
        {"burst_beta", "", ""},
        {"burst_r1", "", ""},
        {"network_file", "", ""},
        {"write_fraction", "", ""},
        {"warmup_thres", "0.05", "measurement.convergence_tolerance is what comes near"},
        {"acc_warmup_thres", "0.05", "measurement.convergence_tolerance is what comes near"},
        {"stopping_thres", "0.05", "a measurement has all of its batches here"},
        {"acc_stopping_thres", "0.05", "a measurement has all of its batches here"},
        {"latency_thres", "500.0", "saturation is seen by how latencies grow here"},
        {"measure_stats", "1", "all traffic is measured"},
        {"include_queuing", "1", "results have latencies from generation and from injection"},
        {"sim_count", "1", "--seeds of sare run repeats a run"},
        {"deadlock_warn_timeout", "256", "measurement.watchdog ends a run in which nothing moves"},
        {"pair_stats", "0", "measurement.matrix has what comes near"},
        {"print_activity", "0", outputs},
        {"print_csv_results", "0", outputs},
        {"viewer_trace", "0", outputs},
        {"watch_file", "", outputs},
        {"watch_flits", "", outputs},
        {"watch_packets", "", outputs},
        {"watch_transactions", "", outputs},
        {"watch_out", "", outputs},
        {"stats_out", "", outputs},
        {"sent_packets_out", "", outputs},
        {"sim_power", "0", power},
        {"power_output_file", "", power},
        {"tech_file", "", power},
        {"channel_width", "", power},
        {"channel_sweep", "", power},
    };

    static constexpr unmatched_key of_replies{"", "", ""};
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const unmatched_key& n) { return n.key == key; });
    if (found != std::end(all)) return found;
    return is_of_replies(key) ? &of_replies : nullptr;
}

}  // namespace sare::cli
