// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/foreign_names.h"

#include <algorithm>
#include <cctype>

namespace sare::config {
namespace {

constexpr const char *booksim = "BookSim2", *noxim = "Noxim", *garnet = "Garnet", *supersim = "SuperSim";

}  // namespace

const std::vector<foreign_key>& foreign_keys() {
    static const std::vector<foreign_key> all{
        // networks
        {"k", booksim, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"n", booksim, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"c", booksim, "network.concentration", ""},
        {"network_file", booksim, "network.file", "'topology: graph' reads it, in a form of its own"},
        {"link_failures", booksim, "failures.events", "{links: 0.01}: a share of all links"},
        {"mesh_dim_x", noxim, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"mesh_dim_y", noxim, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"mesh_rows", garnet, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"num_rows", garnet, "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"dimension_widths", supersim, "network.dims", ""},
        {"internal_channel", supersim, "network.link_latency", ""},
        {"external_channel", supersim, "network.node_link_latency", ""},
        // routing
        {"routing_function", booksim, "routing.function", ""},
        {"routing_algorithm", "Noxim, Garnet", "routing.function", ""},
        // routers
        {"num_vcs", "BookSim2, SuperSim", "router.vcs", ""},
        {"n_virtual_channels", noxim, "router.vcs", ""},
        {"vcs_per_vnet", garnet, "router.vcs", "those of all message classes"},
        {"vc_buf_size", booksim, "router.depth", ""},
        {"buf_size", booksim, "router.depth", "of one virtual channel"},
        {"buffer_depth", noxim, "router.depth", ""},
        {"buffers_per_data_vc", garnet, "router.depth", ""},
        {"buffers_per_ctrl_vc", garnet, "router.depth", ""},
        {"input_queue_depth", supersim, "router.depth", ""},
        {"architecture", supersim, "router.kind", ""},
        {"routing_delay", booksim, "router.rc_delay", ""},
        {"vc_alloc_delay", booksim, "router.va_delay", ""},
        {"sw_alloc_delay", booksim, "router.sa_delay", ""},
        {"st_prepare_delay", booksim, "router.st_delay", ""},
        {"st_final_delay", booksim, "router.st_delay", ""},
        {"router_latency", garnet, "router.rc_delay", "rc_delay, va_delay, sa_delay and st_delay add up"},
        {"vc_allocator", booksim, "router.va_allocator", ""},
        {"sw_allocator", booksim, "router.sa_allocator", ""},
        {"alloc_iters", booksim, "router.iterations", ""},
        {"wait_for_tail_credit", booksim, "router.reallocation", "1 is atomic"},
        {"vc_scheduler", supersim, "router.va_allocator", ""},
        {"crossbar_scheduler", supersim, "router.sa_allocator", ""},
        {"selection_strategy", noxim, "router.selection", ""},
        // network interfaces
        {"flit_size", noxim, "nic.flit_bytes", "in bytes"},
        {"ni_flit_size", garnet, "nic.flit_bytes", ""},
        {"link_width_bits", garnet, "nic.flit_bytes", "in bytes"},
        {"max_packet_size", "SuperSim, Noxim", "nic.max_packet_flits",
         "the length of messages is 'traffic.length'"},
        // traffic
        {"injection_rate", "BookSim2, SuperSim", "traffic.load", "flits per node and cycle"},
        {"packet_injection_rate", noxim, "traffic.load", "flits per node and cycle, not packets"},
        {"injectionrate", garnet, "traffic.load", "flits per node and cycle, not packets"},
        {"packet_size", booksim, "traffic.length", ""},
        {"const_flits_per_packet", booksim, "traffic.length", ""},
        {"min_packet_size", noxim, "traffic.length", "{name: range, min: 2, max: 8}"},
        {"message_size_distribution", supersim, "traffic.length", ""},
        {"traffic_distribution", noxim, "traffic.pattern", ""},
        {"traffic_pattern", supersim, "traffic.pattern", ""},
        {"synthetic", garnet, "traffic.pattern", ""},
        {"injection_process", booksim, "traffic.workload", ""},
        // measurement
        {"warmup_periods", booksim, "measurement.warmup", "in cycles"},
        {"stats_warm_up_time", noxim, "measurement.warmup", ""},
        {"sample_period", booksim, "measurement.batch", ""},
        {"max_samples", booksim, "measurement.batches", ""},
        {"simulation_time", noxim, "measurement.batch", "a batch of 'measurement.batches'"},
        {"sim_cycles", garnet, "measurement.batch", "a batch of 'measurement.batches'"},
        {"garnet_deadlock_threshold", garnet, "measurement.watchdog", ""},
        {"rnd_generator_seed", noxim, "seed", ""},
        {"random_seed", supersim, "seed", ""},
        {"clock_period_ps", noxim, "clock_period", "with its unit: 1000ps"},
        // of no simulator
        {"rows", "", "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"columns", "", "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"width", "", "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"height", "", "network.dims", "a list of the size of each dimension: [8, 8]"},
        {"virtual_channels", "", "router.vcs", ""},
        {"buffer_size", "", "router.depth", "of one virtual channel"},
        {"rate", "", "traffic.load", "flits per node and cycle"},
        {"packet_length", "", "traffic.length", ""},
        {"message_length", "", "traffic.length", ""},
        {"warmup_cycles", "", "measurement.warmup", ""},
        {"cycles", "", "measurement.batch", "a batch of 'measurement.batches'"},
    };
    return all;
}

const std::vector<foreign_word>& foreign_words() {
    static const std::vector<foreign_word> all{
        {"topology", "fly", "butterfly"},
        {"topology", "cmesh", "mesh"},
        {"topology", "fattree", "kary_ntree"},
        {"topology", "fat_tree", "kary_ntree"},
        {"topology", "folded_clos", "kary_ntree"},
        {"topology", "flatfly", "hyperx"},
        {"topology", "dragonflynew", "dragonfly"},
        {"topology", "anynet", "graph"},
        {"topology", "mesh_xy", "mesh"},
        {"topology", "mesh_westfirst", "mesh"},
        {"topology", "cube", "torus"},
        {"routing function", "xy", "dor"},
        {"routing function", "yx", "dor"},
        {"routing function", "dim_order", "dor"},
        {"routing function", "dimension_order", "dor"},
        {"routing function", "xy_yx", "o1turn"},
        {"routing function", "min_adapt", "duato"},
        {"routing function", "fully_adaptive", "duato"},
        {"routing function", "dest_tag", "destination_tag"},
        {"routing function", "nca", "tree_static"},
        {"routing function", "anca", "tree_adaptive"},
        {"routing function", "ugal", "ugal_l"},
        {"routing function", "table_based", "table"},
        {"routing function", "updown", "up_down"},
        {"router kind", "iq", "vc"},
        {"router kind", "input_queued", "vc"},
        {"pattern", "bitcomp", "complement"},
        {"pattern", "bit_complement", "complement"},
        {"pattern", "bitrev", "reversal"},
        {"pattern", "bit_reverse", "reversal"},
        {"pattern", "bit_reversal", "reversal"},
        {"pattern", "traffic_bit_reversal", "reversal"},
        {"pattern", "randperm", "random_permutation"},
        {"pattern", "bad_dragon", "bad_dragonfly"},
        {"pattern", "random", "uniform"},
        {"pattern", "uniform_random", "uniform"},
        {"pattern", "traffic_random", "uniform"},
        {"pattern", "traffic_hotspot", "hotspot"},
        {"pattern", "traffic_transpose1", "transpose"},
        {"pattern", "traffic_shuffle", "shuffle"},
        {"pattern", "traffic_butterfly", "butterfly"},
        {"workload", "synthetic", "bernoulli"},
        {"workload", "geometric", "bernoulli"},
        {"va_allocator", "islip", "input_first"},
        {"va_allocator", "separable_input_first", "input_first"},
        {"va_allocator", "separable_output_first", "output_first"},
        {"sa_allocator", "islip", "input_first"},
        {"sa_allocator", "separable_input_first", "input_first"},
        {"sa_allocator", "separable_output_first", "output_first"},
        {"selection", "buffer_level", "most_credit"},
    };
    return all;
}

/// Garnet's options have dashes.
static std::string underlined(const std::string& key) {
    std::string small = small_letters(key);
    std::replace(small.begin(), small.end(), '-', '_');
    return small;
}

const foreign_key* find_foreign_key(const std::string& key) {
    const auto& all = foreign_keys();
    const auto found = std::find_if(
        all.begin(), all.end(), [small = underlined(key)](const foreign_key& f) { return f.name == small; });
    return found == all.end() ? nullptr : &*found;
}

std::string our_name_of_word(const std::string& word, const std::string& kind) {
    const std::string small = small_letters(word);
    for (const foreign_word& f : foreign_words())
        if (f.name == small && f.kind == kind) return std::string(f.ours);
    return "";
}

std::string small_letters(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace sare::config
