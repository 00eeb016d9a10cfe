// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/foreign_names.h"

#include <algorithm>
#include <cctype>

namespace sare::config {
namespace {

constexpr const char *booksim = "BookSim2", *noxim = "Noxim", *garnet = "Garnet", *supersim = "SuperSim";
constexpr const char* parameter = "";

/// Small letters, '_' for the dashes of Garnet's options.
std::string plain(const std::string& word) {
    std::string small = small_letters(word);
    std::replace(small.begin(), small.end(), '-', '_');
    return small;
}

}  // namespace

const std::vector<foreign_name>& foreign_names() {
    static const std::vector<foreign_name> all{
        // networks
        {"k", booksim, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"n", booksim, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"c", booksim, parameter, "network.concentration", ""},
        {"network_file", booksim, parameter, "network.file",
         "'topology: graph' reads it, in a form of its own"},
        {"link_failures", booksim, parameter, "failures.events", "{links: 0.01}: a share of all links"},
        {"mesh_dim_x", noxim, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"mesh_dim_y", noxim, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"mesh_rows", garnet, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"num_rows", garnet, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"dimension_widths", supersim, parameter, "network.dims", ""},
        {"internal_channel", supersim, parameter, "network.link_latency", ""},
        {"external_channel", supersim, parameter, "network.node_link_latency", ""},
        {"use_noc_latency", booksim, parameter, "network.link_latency", ""},
        {"subnets", booksim, parameter, "network.topology", "planes"},
        {"num_dirs", garnet, parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"internal_channels", supersim, parameter, "network.link_latency", ""},
        // routing
        {"routing_function", booksim, parameter, "routing.function", ""},
        {"routing_algorithm", "Noxim, Garnet", parameter, "routing.function", ""},
        {"routing_table_filename", noxim, parameter, "routing.file", "of {function: table}"},
        // routers
        {"num_vcs", "BookSim2, SuperSim", parameter, "router.vcs", ""},
        {"n_virtual_channels", noxim, parameter, "router.vcs", ""},
        {"vcs_per_vnet", garnet, parameter, "router.vcs", "those of all message classes"},
        {"vc_buf_size", booksim, parameter, "router.depth", ""},
        {"buf_size", booksim, parameter, "router.depth", "of one virtual channel"},
        {"buffer_depth", noxim, parameter, "router.depth", ""},
        {"buffers_per_data_vc", garnet, parameter, "router.depth", ""},
        {"buffers_per_ctrl_vc", garnet, parameter, "router.depth", ""},
        {"input_queue_depth", supersim, parameter, "router.depth", ""},
        {"architecture", supersim, parameter, "router.kind", ""},
        {"routing_delay", booksim, parameter, "router.rc_delay", ""},
        {"vc_alloc_delay", booksim, parameter, "router.va_delay", ""},
        {"sw_alloc_delay", booksim, parameter, "router.sa_delay", ""},
        {"st_prepare_delay", booksim, parameter, "router.st_delay", ""},
        {"st_final_delay", booksim, parameter, "router.st_delay", ""},
        {"router_latency", garnet, parameter, "router.rc_delay",
         "rc_delay, va_delay, sa_delay and st_delay add up"},
        {"vc_allocator", booksim, parameter, "router.va_allocator", ""},
        {"sw_allocator", booksim, parameter, "router.sa_allocator", ""},
        {"alloc_iters", booksim, parameter, "router.iterations", ""},
        {"wait_for_tail_credit", booksim, parameter, "router.reallocation", "1 is atomic"},
        {"vc_scheduler", supersim, parameter, "router.va_allocator", ""},
        {"crossbar_scheduler", supersim, parameter, "router.sa_allocator", ""},
        {"selection_strategy", noxim, parameter, "router.selection", ""},
        {"arb_type", booksim, parameter, "router.sa_arbiter", "and router.va_arbiter"},
        {"priority", booksim, parameter, "router.sa_arbiter", "age, priority, ..."},
        // network interfaces
        {"flit_size", noxim, parameter, "nic.flit_bytes", "in bytes"},
        {"ni_flit_size", garnet, parameter, "nic.flit_bytes", ""},
        {"link_width_bits", garnet, parameter, "nic.flit_bytes", "in bytes"},
        {"max_packet_size", "SuperSim, Noxim", parameter, "nic.max_packet_flits",
         "the length of messages is 'traffic.length'"},
        {"channel_width", booksim, parameter, "nic.flit_bytes", "in bytes"},
        // traffic
        {"injection_rate", "BookSim2, SuperSim", parameter, "traffic.load", "flits per node and cycle"},
        {"packet_injection_rate", noxim, parameter, "traffic.load", "flits per node and cycle, not packets"},
        {"injectionrate", garnet, parameter, "traffic.load", "flits per node and cycle, not packets"},
        {"packet_size", booksim, parameter, "traffic.length", ""},
        {"const_flits_per_packet", booksim, parameter, "traffic.length", ""},
        {"min_packet_size", noxim, parameter, "traffic.length", "{name: range, min: 2, max: 8}"},
        {"message_size_distribution", supersim, parameter, "traffic.length", ""},
        {"traffic_distribution", noxim, parameter, "traffic.pattern", ""},
        {"traffic_pattern", supersim, parameter, "traffic.pattern", ""},
        {"synthetic", garnet, parameter, "traffic.pattern", ""},
        {"injection_process", booksim, parameter, "traffic.workload", ""},
        {"request_injection_rate", supersim, parameter, "traffic.load", "flits per node and cycle"},
        {"use_read_write", booksim, parameter, "traffic.workload", "request_reply"},
        {"max_outstanding_requests", booksim, parameter, "traffic.outstanding",
         "of {workload: request_reply}"},
        {"read_request_size", booksim, parameter, "traffic.length", "of {workload: request_reply}"},
        {"read_reply_size", booksim, parameter, "traffic.reply_length", "of {workload: request_reply}"},
        {"batch_size", booksim, parameter, "traffic.messages", "of {workload: burst}"},
        {"batch_count", booksim, parameter, "traffic.bursts", "of {workload: burst}"},
        {"inj_vnet", garnet, parameter, "traffic.class", ""},
        // measurement
        {"warmup_periods", booksim, parameter, "measurement.warmup", "in cycles"},
        {"stats_warm_up_time", noxim, parameter, "measurement.warmup", ""},
        {"sample_period", booksim, parameter, "measurement.batch", ""},
        {"max_samples", booksim, parameter, "measurement.batches", ""},
        {"simulation_time", noxim, parameter, "measurement.batch", "a batch of 'measurement.batches'"},
        {"sim_cycles", garnet, parameter, "measurement.batch", "a batch of 'measurement.batches'"},
        {"garnet_deadlock_threshold", garnet, parameter, "measurement.watchdog", ""},
        {"rnd_generator_seed", noxim, parameter, "seed", ""},
        {"random_seed", supersim, parameter, "seed", ""},
        {"clock_period_ps", noxim, parameter, "clock_period", "with its unit: 1000ps"},
        {"warmup_thres", booksim, parameter, "measurement.convergence_tolerance", ""},
        {"deadlock_warn_timeout", booksim, parameter, "measurement.watchdog", ""},
        {"channel_cycle_time", supersim, parameter, "clock_period", "with its unit: 1ns"},
        // of no simulator
        {"rows", "", parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"columns", "", parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"width", "", parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"height", "", parameter, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"virtual_channels", "", parameter, "router.vcs", ""},
        {"buffer_size", "", parameter, "router.depth", "of one virtual channel"},
        {"rate", "", parameter, "traffic.load", "flits per node and cycle"},
        {"packet_length", "", parameter, "traffic.length", ""},
        {"message_length", "", parameter, "traffic.length", ""},
        {"warmup_cycles", "", parameter, "measurement.warmup", ""},
        {"cycles", "", parameter, "measurement.batch", "a batch of 'measurement.batches'"},
        {"measure", "", parameter, "measurement.batch", "a batch of 'measurement.batches'"},
        {"simulation", "", parameter, "measurement", "with warmup, batch and batches"},
        {"run", "", parameter, "measurement", "with warmup, batch and batches"},
        // variants
        {"fly", booksim, "topology", "butterfly", ""},
        {"cmesh", booksim, "topology", "mesh", ""},
        {"fattree", booksim, "topology", "kary_ntree", ""},
        {"fat_tree", supersim, "topology", "kary_ntree", ""},
        {"folded_clos", supersim, "topology", "kary_ntree", "or xgft"},
        {"leaf_spine", "", "topology", "xgft", "of two levels: {m: [8, 4], w: [1, 4]}"},
        {"full_mesh", "", "topology", "hyperx", "of one dimension: {dims: [8]}"},
        {"flattened_butterfly", "", "topology", "hyperx", ""},
        {"switch", "", "topology", "crossbar", ""},
        {"megafly", "", "topology", "dragonfly_plus", ""},
        {"flatfly", booksim, "topology", "hyperx", ""},
        {"dragonflynew", booksim, "topology", "dragonfly", ""},
        {"anynet", booksim, "topology", "graph", ""},
        {"mesh_xy", garnet, "topology", "mesh", ""},
        {"mesh_westfirst", garnet, "topology", "mesh", ""},
        {"cube", "", "topology", "torus", ""},
        {"crossbargarnet", garnet, "topology", "crossbar", ""},
        {"single_router", supersim, "topology", "crossbar", ""},
        {"xy", "Noxim, Garnet", "routing function", "dor", ""},
        {"yx", "", "routing function", "dor", ""},
        {"dim_order", booksim, "routing function", "dor", ""},
        {"dimension_order", supersim, "routing function", "dor", ""},
        {"xy_yx", booksim, "routing function", "o1turn", ""},
        {"min_adapt", booksim, "routing function", "duato", ""},
        {"fully_adaptive", noxim, "routing function", "duato", ""},
        {"dest_tag", booksim, "routing function", "destination_tag", ""},
        {"nca", booksim, "routing function", "tree_adaptive", "with 'router.selection: random'"},
        {"anca", booksim, "routing function", "tree_adaptive", ""},
        {"ugal", "BookSim2, SuperSim", "routing function", "ugal_l", ""},
        {"table_based", noxim, "routing function", "table", ""},
        {"updown", "", "routing function", "up_down", ""},
        {"dor_no_express", booksim, "routing function", "dor", ""},
        {"ran_min", booksim, "routing function", "hyperx_minimal", ""},
        {"min", booksim, "routing function", "shortest_path", "on a dragonfly 'dragonfly_minimal'"},
        {"adaptive_xy_yx", booksim, "routing function", "o1turn", ""},
        {"common_ancestor", supersim, "routing function", "tree_adaptive", ""},
        {"iq", booksim, "router kind", "vc", ""},
        {"input_queued", supersim, "router kind", "vc", ""},
        {"bitcomp", booksim, "pattern", "complement", ""},
        {"bit_complement", "Garnet, SuperSim", "pattern", "complement", ""},
        {"bitrev", booksim, "pattern", "reversal", ""},
        {"bit_reverse", garnet, "pattern", "reversal", ""},
        {"bit_reversal", "", "pattern", "reversal", ""},
        {"traffic_bit_reversal", noxim, "pattern", "reversal", ""},
        {"randperm", booksim, "pattern", "random_permutation", ""},
        {"bad_dragon", booksim, "pattern", "bad_dragonfly", ""},
        {"random", "", "pattern", "uniform", ""},
        {"uniform_random", "Garnet, SuperSim", "pattern", "uniform", ""},
        {"traffic_random", noxim, "pattern", "uniform", ""},
        {"traffic_hotspot", noxim, "pattern", "hotspot", ""},
        {"traffic_transpose1", noxim, "pattern", "transpose", ""},
        {"traffic_shuffle", noxim, "pattern", "shuffle", ""},
        {"traffic_butterfly", noxim, "pattern", "butterfly", ""},
        {"neighbor", "BookSim2, Garnet", "pattern", "neighbour", ""},
        {"synthetic", garnet, "workload", "bernoulli", ""},
        {"geometric", "", "workload", "bernoulli", ""},
        {"blast", supersim, "workload", "bernoulli", ""},
        {"stencil", supersim, "workload", "halo", ""},
        {"simple_mem", supersim, "workload", "request_reply", ""},
        {"islip", booksim, "va_allocator", "output_first", ""},
        {"separable_input_first", booksim, "va_allocator", "input_first", ""},
        {"separable_output_first", booksim, "va_allocator", "output_first", ""},
        {"rc_separable", supersim, "va_allocator", "output_first", ""},
        {"cr_separable", supersim, "va_allocator", "input_first", ""},
        {"islip", booksim, "sa_allocator", "output_first", ""},
        {"separable_input_first", booksim, "sa_allocator", "input_first", ""},
        {"separable_output_first", booksim, "sa_allocator", "output_first", ""},
        {"rc_separable", supersim, "sa_allocator", "output_first", ""},
        {"cr_separable", supersim, "sa_allocator", "input_first", ""},
        {"buffer_level", noxim, "selection", "most_credit", ""},
        {"lru", supersim, "va_arbiter", "matrix", ""},
        {"lslp", supersim, "va_arbiter", "round_robin", ""},
        {"lru", supersim, "sa_arbiter", "matrix", ""},
        {"lslp", supersim, "sa_arbiter", "round_robin", ""},
    };
    return all;
}

const foreign_name* find_foreign_key(const std::string& key) {
    for (const foreign_name& f : foreign_names())
        if (f.kind == parameter && f.name == plain(key)) return &f;
    return nullptr;
}

std::vector<const foreign_name*> find_foreign_variants(const std::string& word) {
    std::vector<const foreign_name*> found;
    for (const foreign_name& f : foreign_names())
        if (f.kind != parameter && f.name == plain(word)) found.push_back(&f);
    return found;
}

std::string text_of(const foreign_name& f, const std::string& as_written) {
    std::string tools(f.tools);
    if (const auto comma = tools.find(", "); comma != std::string::npos) tools.replace(comma, 2, " and ");
    return "'" + as_written + "'" + (tools.empty() ? "" : " of " + tools) + " is '" + std::string(f.ours) +
           "' here" + (f.note.empty() ? "" : ", " + std::string(f.note));
}

std::string small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace sare::config
