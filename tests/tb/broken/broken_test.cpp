// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/broken/broken_case.h"

#include <sys/resource.h>

/// Mistakes of users, and the one line that answers each.
namespace sare::test::broken_test {
namespace {

const broken_case yaml_and_values[] = {
    {"empty_file", "check", "", 1, "",
     "case.yaml:1:1: nothing in it; an experiment has sections such as network, routing and traffic"},
    {"comment_only", "check", "", 1, "# nothing\n",
     "case.yaml:1:1: nothing in it; an experiment has sections such as network, routing and traffic"},
    {"top_is_list", "check", "", 1, "- network\n",
     "case.yaml:1:1: not a map; an experiment has sections such as network, routing and traffic"},
    {"top_is_text", "check", "", 1, "network\n",
     "case.yaml:1:1: not a map; an experiment has sections such as network, routing and traffic"},
    {"two_documents", "check", "", 1,
     MESH TRAFFIC "---\n"
                  "seed: 1\n",
     "case.yaml:3:1: a second YAML document; one is wanted"},
    {"stray_comma", "check", "", 1, ",", "case.yaml:1:1: not valid YAML: ',' is out of place"},
    {"text_behind_a_list", "check", "", 1, "[a] b\n", "case.yaml:1:5: not valid YAML: 'b' is out of place"},
    {"too_deep", "check", "", 1, "a: " + std::string(5000, '[') + std::string(5000, ']'),
     "case.yaml:1:103: sections nested more than 100 deep"},
    {"too_large", "check", "", 1, std::string((4 << 20) + 1, ' '),
     "case.yaml:1:1: more than 4 MiB; YAML of that size is no experiment"},
    {"duplicate_key", "check", "", 1,
     MESH TRAFFIC "seed: 1\n"
                  "seed: 2\n",
     "case.yaml:4:1: 'seed' is given twice; the first is at case.yaml:3:7"},
    {"duplicate_nested_key", "check", "", 1,
     "network:\n"
     "  topology: mesh\n"
     "  topology: torus\n" TRAFFIC,
     "case.yaml:3:3: 'topology' is given twice; the first is at case.yaml:2:13"},
    {"key_is_list", "check", "", 1,
     "? [a, b]\n"
     ": 1\n",
     "case.yaml:1:3: a key must be a name"},
    {"alias_in_itself", "check", "", 1, "network: &n {topology: mesh, dims: *n}\n" TRAFFIC,
     "case.yaml:1:36: an alias within its own anchor"},
    {"unknown_alias", "check", "", 1, "network: *nowhere\n" TRAFFIC,
     "case.yaml:1:10: not valid YAML: no anchor of that name is above ('&name' makes one); a text that "
     "begins "
     "with '*' is quoted"},
    {"unknown_section", "check", "", 1, MESH TRAFFIC "rooter: {vcs: 2}\n",
     "case.yaml:3:9: unknown key 'rooter' in 'experiment'; did you mean 'router'?"},
    {"unknown_section_far", "check", "", 1, MESH TRAFFIC "zzzzzz: 1\n",
     "case.yaml:3:9: unknown key 'zzzzzz' in 'experiment'; known: name, seed, fidelity, clock_period, "
     "threads, network, names, routing, router, routers, links, domains, classes, marking, failures, nic, "
     "traffic, measurement, checks, observe, combining, cosim, power, plugins"},
    {"unknown_key", "check", "", 1,
     MESH TRAFFIC "router:\n"
                  "  vcz: 2\n",
     "case.yaml:4:8: unknown key 'vcz' in 'router'; did you mean 'vcs'?"},
    {"observed_backwards", "run", "--out o", 1,
     MESH "traffic: {workload: ring}\nobserve: {matrix: true, from: 10, to: 5}\n",
     "case.yaml:3:10: 'observe' is from cycle 10 to cycle 5: 'to' must be later, or 0"},
    {"network_missing", "check", "", 1, TRAFFIC, "case.yaml:1:1: section 'network' is missing"},
    {"traffic_missing", "check", "", 1, MESH, "case.yaml:1:1: section 'traffic' is missing"},
    {"no_topology_chosen", "check", "", 1, "network: {dims: [4, 4]}\n" TRAFFIC,
     "case.yaml:1:10: no topology chosen; write 'topology: ' and one of: "
     "butterfly, circulant, clique, clos, crossbar, dragonfly, dragonfly_plus, express_mesh, "
     "fully_connected, "
     "graph, hierarchical, hypercube, hyperx, kary_ntree, mesh, midimew, omega, planes, pt2pt, ring, ruche, "
     "slim_fly, star, thin_tree, torus, tree, triangular_torus, twisted_torus, xgft"},
    {"unknown_topology", "check", "", 1, "network: {topology: taurus}\n" TRAFFIC,
     "case.yaml:1:21: unknown topology 'taurus'; did you mean 'torus'?"},
    {"unknown_key_of_variant", "check", "", 1, "network: {topology: mesh, dim: [4, 4]}\n" TRAFFIC,
     "case.yaml:1:32: unknown key 'dim' in 'mesh'; did you mean 'dims'?"},
    {"key_of_other_variant", "check", "", 1, "network: {topology: mesh, wrap: true}\n" TRAFFIC,
     "case.yaml:1:33: unknown key 'wrap' in 'mesh'; known: topology, dims, concentration, link_latency, "
     "node_link_latency, link_cycles_per_flit, flit_phits, link_width, "
     "link_bit_error_rate, link_wake, link_idle, latency, node_latency, bandwidth"},
    {"section_is_number", "check", "", 1, MESH TRAFFIC "nic: 4\n",
     "case.yaml:3:6: 'nic' must be a section of 'key: value' lines, not a single value"},
    {"router_is_another_word", "check", "", 1, MESH TRAFFIC "router: banana\n",
     "case.yaml:3:9: unknown router kind 'banana'; one of: apenet, bubble, dally, deflection, multistage, "
     "spinet, spinnaker, vc"},
    {"router_is_list", "check", "", 1, MESH TRAFFIC "router: [vc]\n",
     "case.yaml:3:9: 'router kind' must be a name, not a list"},
    {"unknown_router_kind", "check", "", 1, MESH TRAFFIC "router: {kind: cv}\n",
     "case.yaml:3:16: unknown router kind 'cv'; did you mean 'vc'?"},
    {"router_kind_is_empty", "check", "", 1, MESH TRAFFIC "router: {kind: }\n",
     "case.yaml:3:9: no router kind chosen; write 'kind: ' and one of: apenet, bubble, dally, deflection, "
     "multistage, spinet, spinnaker, vc"},
    {"spinnaker_needs_its_torus", "run", "", 1, MESH TRAFFIC "router: {kind: spinnaker}\n",
     "case.yaml:3:9: router kind spinnaker is for a triangular_torus with links both ways, and not for mesh; "
     "kinds for that: apenet, bubble, dally, deflection, vc"},
    {"routing_left_out", "run", "", 1, "network: {topology: dragonfly}\nrouter: {vcs: 1}\n" TRAFFIC,
     "case.yaml:1:1: routing is left out: 'vcs' gives 1 to each port and message class; 'dragonfly_minimal' "
     "needs at least "
     "2: one for the local links of each of the two groups on a way"},
    {"apenet_packets_have_a_format", "check", "", 1,
     MESH TRAFFIC "router: {kind: apenet}\nnic: {max_packet_flits: 300}\n",
     "case.yaml:4:25: nic.max_packet_flits is 300; packets of routers of kind apenet have a header, up to "
     "256 "
     "words of payload and a footer: at most 258"},
    {"apenet_fifos_hold_a_packet", "check", "", 1,
     MESH "traffic: {workload: bernoulli, length: 64}\nrouter: {kind: apenet, depth: 60}\n",
     "case.yaml:3:31: router.depth is 60, but packets of 64 flits must fit in one buffer with this "
     "switching"},
    {"apenet_links_are_its_own", "check", "", 1,
     MESH TRAFFIC "router: {kind: apenet}\nrouters: [{at: 5, kind: vc, vcs: 2}]\n",
     "case.yaml:4:11: router 1 sends words of an APElink in cut_through, and router 5, which it is linked "
     "to, "
     "flits and credits; it must be the same at both ends of a link"},
    {"bubbles_need_room", "check", "", 1, MESH TRAFFIC "router: {kind: bubble, queue: 1}\n",
     "case.yaml:3:9: 'queue' is 1; bubble flow control needs queues of at least 2 packets"},
    {"local_bubble_of_no_queue", "check", "", 1, MESH TRAFFIC "router: {kind: bubble, local_bubble: 5}\n",
     "case.yaml:3:38: 'local_bubble' is 5; a queue has room for 4 packets, so no new packet would enter"},
    {"phits_of_a_queue", "check", "", 1, MESH TRAFFIC "router: {kind: dally, queue: 1000, packet: 4000}\n",
     "case.yaml:3:9: a queue has room for 4000000 phits (packets times 'packet'); at most 65535"},
    {"three_dateline_vcs", "check", "", 1, MESH TRAFFIC "router: {kind: dally, policy: basic, vcs: 3}\n",
     "case.yaml:3:43: 'vcs' is 3; this dateline policy divides them into two classes alike, so it must be "
     "even "
     "('policy: adaptive' takes any number from 3 on)"},
    {"own_routing_needs_vcs", "check", "", 1, MESH TRAFFIC "router: {kind: bubble, vcs: 1, request: smart}\n",
     "case.yaml:3:9: 'vcs' gives 1 to each port and message class; 'duato' needs at least 2: 1 escape VC and "
     "1 "
     "adaptive VC"},
    {"own_routing_needs_a_tree", "check", "", 1, MESH TRAFFIC "router: {kind: multistage}\n",
     "case.yaml:3:9: router kind multistage is for trees (kary_ntree, thin_tree, tree, xgft), and not for "
     "mesh; kinds for that: apenet, bubble, dally, deflection, vc"},
    {"own_routing_beside_another", "check", "", 1, MESH TRAFFIC "router: {kind: bubble}\nrouting: dor\n",
     "case.yaml:4:10: router kind bubble brings its own routing ({function: dor, dateline: none}); leave out "
     "'routing'"},
    {"packets_of_other_length", "check", "", 1,
     MESH TRAFFIC "router: {kind: bubble}\nrouters: [{at: 1, packet: 8}]\n",
     "case.yaml:4:11: router 1 has packets of 8 phits, and others of 16; 'packet' must be the same in the "
     "whole network"},
    {"rtl_of_another_clock", "run", "", 1,
     "network:\n  topology: hierarchical\n  levels: [{topology: ring, n: 3, clock: 2}, {topology: star, n: "
     "2}]\n"
     "routing: {function: hierarchical, levels: [dor, table]}\nrouter: {vcs: 4}\n" TRAFFIC
     "cosim: {shadow: [1, 4]}\n",
     "case.yaml:7:17: router 1 has clock 2; RTL runs with the network's, so name routers of clock 1 only"},
    {"unknown_key_of_router_kind", "check", "", 1, MESH TRAFFIC "router: {kind: vc, vcz: 2}\n",
     "case.yaml:3:25: unknown key 'vcz' in 'vc'; did you mean 'vcs'?"},
    {"integer_is_text", "check", "", 1,
     MESH TRAFFIC "router:\n"
                  "  vcs: two\n",
     "case.yaml:4:8: 'vcs' must be an integer, not 'two'"},
    {"integer_is_fraction", "check", "", 1, MESH TRAFFIC "router: {vcs: 2.5}\n",
     "case.yaml:3:15: 'vcs' must be an integer, not '2.5'"},
    {"integer_is_empty", "check", "", 1,
     MESH TRAFFIC "router:\n"
                  "  vcs:\n",
     "case.yaml:4:3: 'vcs' must be an integer, not nothing"},
    {"integer_is_list", "check", "", 1, MESH TRAFFIC "router: {vcs: [2]}\n",
     "case.yaml:3:15: 'vcs' must be an integer, not a list"},
    {"integer_too_large", "check", "", 1, MESH TRAFFIC "router: {vcs: 65}\n",
     "case.yaml:3:15: 'vcs' is 65; it must be from 1 to 64"},
    {"integer_negative", "check", "", 1, MESH TRAFFIC "router: {depth: -1}\n",
     "case.yaml:3:17: 'depth' is -1; it must be from 1 to 4096"},
    {"seed_negative", "check", "", 1, MESH TRAFFIC "seed: -3\n",
     "case.yaml:3:7: 'seed' is -3; it must be from 0 to 9223372036854775807"},
    {"flag_is_number", "check", "", 1, MESH TRAFFIC "router: {lookahead: 1}\n",
     "case.yaml:3:21: 'lookahead' must be true or false, not '1'"},
};

const broken_case exceptions[] = {
    {"too_many_queues", "check", "", 1,
     "network: {topology: ring, n: 4, concentration: 64}\n"
     "router: {kind: bubble, vcs: 16, injection_queues: 64}\n" TRAFFIC,
     "case.yaml:1:1: router 0 has 5152 queues (ports times VCs, and the injection queues of its nodes); at "
     "most 4096"},
    {"longest_path_needs_dimensions", "check", "", 1,
     "network: {topology: midimew, n: 20}\nrouter: {kind: bubble, injection: longest_path}\n" TRAFFIC,
     "case.yaml:1:1: router 0 of kind bubble has 'injection' longest_path, which is for grids and twisted "
     "tori"},
    {"spinnaker_needs_its_tables", "check", "", 1,
     "network: {topology: triangular_torus}\nrouter: {kind: spinnaker}\nrouting: up_down\n" TRAFFIC,
     "case.yaml:1:1: router 0 is of kind spinnaker, which needs 'routing: {function: multicast}' on a "
     "triangular_torus, and not up_down"},
    {"multicast_needs_copies", "check", "", 1,
     "network: {topology: triangular_torus}\nrouting: multicast\ntraffic: {workload: multicast}\n"
     "checks: {deadlock: false}\n",
     "case.yaml:3:10: workload 'multicast' needs 'fidelity: flit', no 'nic.retransmission', and a network of "
     "its own whose routers copy packets: 'router: {forking: asynchronous}' with 'routing: {function: "
     "multicast_tree}', or 'router: {kind: spinnaker}' with 'routing: {function: multicast}'"},
    {"planes_are_apart", "check", "", 1,
     "network: {topology: planes, planes: [{topology: crossbar, n: 4}, {topology: mesh, dims: [2, 2]}]}\n"
     "routing: dor\n" TRAFFIC,
     "case.yaml:2:10: 'function' is dor, which needs a mesh, torus, ring or hypercube, not a planes; "
     "functions "
     "that fit this network: planes"},
    {"shared_buffers_need_room", "check", "", 1,
     MESH TRAFFIC "router: {depth: 8, buffers: shared, reserved: 12}\n",
     "case.yaml:3:9: router.buffers is shared, and router.reserved is 12; it must be from 0 to router.depth, "
     "8"},
    {"trees_need_forking", "check", "", 1,
     "network: {topology: mesh, dims: [3, 3]}\nrouter: {vcs: 2}\nrouting: multicast_tree\n"
     "traffic: {workload: multicast}\n",
     "case.yaml:2:9: routing.function is multicast_tree, by which packets fork; routers of kind vc send them "
     "by one output only: take kind vc, and set router.forking"},
    {"spinnaker_has_one_vc", "check", "", 1,
     "network: {topology: triangular_torus}\nrouter: {kind: spinnaker}\nrouting: multicast\n"
     "traffic: {workload: request_reply}\n",
     "case.yaml:2:9: routers of kind spinnaker have 1 VC, which the 2 message classes of this traffic cannot "
     "share; it needs another kind of routers"},
    {"fan_out_beyond_the_network", "check", "", 1,
     "network: {topology: triangular_torus}\nrouter: {kind: spinnaker}\n"
     "routing: {function: multicast, fan_out: 20, radius: 2}\n" TRAFFIC,
     "case.yaml:3:41: 'fan_out' is 20; a node has 18 others within reach"},
    {"congestion_of_two_kinds", "check", "", 1,
     MESH TRAFFIC "router: {kind: bubble, global_limit: 0.5}\nrouters: [{at: 2, global_limit: 0.7}]\n",
     "case.yaml:1:1: routers 0 and 2 differ in 'global_limit' or 'global_interval', which are the network's"},
    {"routers_is_section", "check", "", 1, MESH TRAFFIC "routers: {at: 3, depth: 3}\n",
     "case.yaml:3:10: 'routers' must be a list, not a section"},
    {"routers_without_at", "check", "", 1, MESH TRAFFIC "routers: [{depth: 3}]\n",
     "case.yaml:3:11: an entry of 'routers' says which: '{at: [0, \"4-7\"], ...}' or '{at: all, ...}'"},
    {"routers_of_numbers", "check", "", 1, MESH TRAFFIC "routers: [3]\n",
     "case.yaml:3:11: an entry of 'routers' says which: '{at: [0, \"4-7\"], ...}' or '{at: all, ...}'"},
    {"routers_at_nowhere", "check", "", 1, MESH TRAFFIC "routers: [{at: x, depth: 3}]\n",
     "case.yaml:3:16: there is no router 'x'; routers are 0 to 15, and none has a name"},
    {"routers_beyond", "check", "", 1, MESH TRAFFIC "routers: [{at: [0, 16], depth: 4}]\n",
     "case.yaml:3:16: there is no router 16; the network has 16, 0 and up"},
    {"routers_unknown_key", "check", "", 1, MESH TRAFFIC "routers: [{at: 3, dept: 4}]\n",
     "case.yaml:3:25: unknown key 'dept' in 'router'; did you mean 'depth'?"},
    {"routers_unknown_kind", "check", "", 1, MESH TRAFFIC "routers: [{at: 3, kind: cv}]\n",
     "case.yaml:3:25: unknown router kind 'cv'; did you mean 'vc'?"},
    {"routers_out_of_range", "check", "", 1, MESH TRAFFIC "routers: [{at: 3, vcs: 65}]\n",
     "case.yaml:3:24: 'vcs' is 65; it must be from 1 to 64"},
    {"routers_disagree", "check", "", 1, MESH TRAFFIC "routers: [{at: 3, vcs: 2}]\n",
     "case.yaml:3:11: router 2 has 4 VCs, and router 3, which it is linked to, has 2; 'vcs' must be the same "
     "at both ends of a link"},
    {"routers_by_set", "check", "--set 'routers=[{at: 3, lookahead: true}]'", 1, MESH TRAFFIC,
     "--set routers: router 3 looks ahead, but router 2, which it is linked to, does not, and sends heads "
     "without the route they take there; 'lookahead' must be the same at both ends of a link"},
    {"failures_of_nothing", "check", "", 1, MESH TRAFFIC "failures: {events: [{at: 5}]}\n",
     "case.yaml:3:21: an entry of 'failures.events' says what fails: one of 'between: [0, 1]', 'router: 0', "
     "'links: 0.01'"},
    {"failures_of_two", "check", "", 1, MESH TRAFFIC "failures: {events: [{router: 1, links: 0.1}]}\n",
     "case.yaml:3:21: an entry of 'failures.events' says what fails: one of 'between: [0, 1]', 'router: 0', "
     "'links: 0.01'"},
    {"failures_unlinked", "check", "", 1,
     MESH TRAFFIC "failures: {events: [{between: [0, 5]}]}\nrouting: up_down\n",
     "case.yaml:3:21: there is no link between router 0 and router 5"},
    {"failures_router_beyond", "check", "", 1,
     MESH TRAFFIC "failures: {events: [{router: 16}]}\nrouting: up_down\n",
     "case.yaml:3:21: there is no router 16; the network has 16, 0 and up"},
    {"failures_seed_of_router", "check", "", 1, MESH TRAFFIC "failures: {events: [{router: 1, seed: 4}]}\n",
     "case.yaml:3:39: 'seed' is for 'links', which are drawn by it"},
    {"failures_by_dor", "check", "", 1, MESH TRAFFIC "failures: {events: [{router: 1}]}\n",
     "case.yaml:3:11: 'failures' says that links fail, and routing function 'dor' cannot go round them; "
     "up_down, table and adaptive ones such as duato can"},
    {"failures_of_no_flits", "check", "", 1,
     MESH TRAFFIC "failures: {events: [{router: 1}]}\nfidelity: analytic\n",
     "case.yaml:3:11: 'failures' is for links that carry flits, and 'fidelity' is analytic; leave one of "
     "them "
     "out"},
};

const broken_case what_does_not_fit[] = {
    {"choice_misspelled", "check", "", 1, MESH TRAFFIC "router: {switching: wormhoel}\n",
     "case.yaml:3:21: unknown switching 'wormhoel'; did you mean 'wormhole'?"},
    {"load_negative", "check", "", 1, MESH "traffic: {workload: bernoulli, load: -0.1}\n",
     "case.yaml:2:38: 'load' is -0.1; it must be from 0 to 1e+06"},
    {"load_is_text", "check", "", 1, MESH "traffic: {workload: bernoulli, load: high}\n",
     "case.yaml:2:38: 'load' must be a number, not 'high'"},
    {"load_not_possible", "check", "", 1, MESH "traffic: {workload: bernoulli, load: 3}\n",
     "case.yaml:2:38: 'load' is 3, more than a message of 1 flits every cycle; at most 1"},
    {"unknown_workload", "check", "", 1, MESH "traffic: {workload: bernouli}\n",
     "case.yaml:2:21: unknown workload 'bernouli'; did you mean 'bernoulli'?"},
    {"unknown_pattern", "check", "", 1, MESH "traffic: {workload: bernoulli, pattern: unifrom}\n",
     "case.yaml:2:41: unknown pattern 'unifrom'; did you mean 'uniform'?"},
    {"pattern_misfit", "check", "", 1,
     "network: {topology: mesh, dims: [3, 3]}\n"
     "traffic: {workload: bernoulli, pattern: butterfly}\n",
     "case.yaml:2:41: pattern 'butterfly' permutes the bits of node ids; 9 nodes are no power of two "
     "(from 2); complement, tornado and neighbour take any number"},
    {"unknown_length", "check", "", 1, MESH "traffic: {workload: bernoulli, length: fixd}\n",
     "case.yaml:2:40: unknown length 'fixd'; did you mean 'fixed'?"},
    {"length_zero", "check", "", 1, MESH "traffic: {workload: bernoulli, length: 0}\n",
     "case.yaml:2:40: 'length' is 0; it must be from 1 to 1048576"},
    {"dims_zero", "check", "", 1, "network: {topology: mesh, dims: [4, 0]}\n" TRAFFIC,
     "case.yaml:1:37: 'dims' is 0; it must be from 1 to 65536"},
    {"dims_empty", "check", "", 1, "network: {topology: mesh, dims: []}\n" TRAFFIC,
     "case.yaml:1:33: 'dims' is empty; give the size of at least one dimension"},
    {"wrap_of_wrong_size", "check", "", 1,
     "network: {topology: torus, dims: [4, 4], wrap: [true, false, true]}\n" TRAFFIC,
     "case.yaml:1:48: 'wrap' has 3 flags for 2 dimensions; give one for each, or one for all"},
    {"clock_without_unit", "check", "", 1, MESH TRAFFIC "clock_period: 5\n",
     "case.yaml:3:15: 'clock_period' is '5'; it must be a time from 1ps to 1s with its unit, such as 1ns"},
    {"clock_zero", "check", "", 1, MESH TRAFFIC "clock_period: 0ns\n",
     "case.yaml:3:15: 'clock_period' is '0ns'; it must be a time from 1ps to 1s with its unit, such as "
     "1ns"},
    {"unknown_routing", "check", "", 1, MESH TRAFFIC "routing: dorr\n",
     "case.yaml:3:10: unknown routing function 'dorr'; did you mean 'dor'?"},
    {"torus_with_one_vc", "check", "", 1,
     "network: {topology: torus, dims: [4, 4]}\n"
     "routing: dor\n"
     "router: {vcs: 1}\n" TRAFFIC,
     "case.yaml:2:10: 'vcs' gives 1 to each port and message class; 'dor' needs at least 2: one for "
     "each of the two classes of dateline trc on a network with wrap links"},
    {"deadlock_possible", "check", "", 1,
     "network: {topology: ring, n: 4}\n"
     "routing: {function: dor, dateline: none}\n"
     "router: {vcs: 1}\n" TRAFFIC,
     "case.yaml:2:10: routing function 'dor' can deadlock: r1.p1.vc0 -> r0.p1.vc0 -> r3.p1.vc0 -> "
     "r2.p1.vc0 -> r1.p1.vc0; checks.force runs it all the same"},
    {"table_deadlock", "check", "", 1,
     "network: {topology: ring, n: 8}\n"
     "routing: table\n"
     "router: {vcs: 1}\n" TRAFFIC,
     "case.yaml:2:10: routing function 'table' can deadlock: r1.p1.vc0 -> r0.p1.vc0 -> r7.p1.vc0 -> "
     "r6.p1.vc0 -> r5.p1.vc0 -> r4.p1.vc0 -> r3.p1.vc0 -> r2.p1.vc0 -> r1.p1.vc0; checks.force "
     "runs it all the same"},
    {"graph_without_file", "check", "", 1, "network: {topology: graph}\n" TRAFFIC,
     "case.yaml:1:10: 'file' is missing; give the name of a file"},
    {"graph_file_missing", "check", "", 1, "network: {topology: graph, file: nothing.txt}\n" TRAFFIC,
     "case.yaml:1:34: 'file' is nothing.txt; cannot read nothing.txt: No such file or directory"},
    {"graph_malformed", "check", "", 1,
     "network: {topology: graph, file: bad.graph}\n"
     "routing: up_down\n" TRAFFIC,
     "bad.graph:3: unknown line 'lnk'; one of: router, node, exit, link, arc"},
    {"graph_disconnected", "check", "", 1,
     "network: {topology: graph, file: islands.graph}\n"
     "routing: up_down\n" TRAFFIC,
     "islands.graph:3: the network is not connected: there is no way from router 0 to router 2"},
    {"classes_need_vcs", "check", "", 1,
     MESH "router: {vcs: 1}\n"
          "traffic: {workload: request_reply}\n",
     "case.yaml:2:15: router.vcs is 1; it must be a multiple of the 2 message classes of this traffic"},
    {"classes_do_not_divide", "check", "", 1,
     MESH "router: {vcs: 3}\n"
          "traffic: {workload: request_reply}\n",
     "case.yaml:2:15: router.vcs is 3; it must be a multiple of the 2 message classes of this traffic"},
    {"headroom_too_small", "check", "", 1,
     "network: {topology: star, n: 3, link_latency: 10}\n"
     "router: {vcs: 1, depth: 96, flow_control: pfc, headroom: 4}\n" TRAFFIC,
     "case.yaml:2:58: router.headroom is 4; port 0 of router 0 needs 85: a round trip of 23 cycles and a "
     "packet "
     "of 64 flits, less 2"},
    {"message_longer_than_a_packet", "check", "", 1,
     MESH "nic: {max_packet_flits: 8}\n"
          "router: {vcs: 2, depth: 16, forking: synchronous, switching: cut_through}\n"
          "routing: {function: multicast_tree, set: all}\n"
          "traffic: {workload: multicast, rate: 0.0005, length: 20}\n",
     "case.yaml:2:25: nic.max_packet_flits is 8; this workload needs 20"},
    {"flow_of_no_class", "check", "", 1,
     MESH "traffic: {workload: flows, flows: [{from: 0, to: 1, rate: 0.1, class: 40}]}\n",
     "case.yaml:2:71: 'class' is 40; it must be from 0 to 15"},
    {"packet_too_long_for_cut_through", "check", "", 1,
     MESH "router: {switching: cut_through, depth: 4}\n"
          "traffic: {workload: bernoulli, length: 5}\n",
     "case.yaml:2:41: router.depth is 4, but with cut_through switching a buffer must hold a whole "
     "packet: nic.max_packet_flits is 64"},
    {"trace_without_file", "check", "", 1, MESH "traffic: {workload: trace}\n",
     "case.yaml:2:10: workload 'trace' needs 'file: ' with the trace"},
    {"trace_file_missing", "check", "", 1, MESH "traffic: {workload: trace, file: nothing.trace}\n",
     "case.yaml:2:10: cannot read 'nothing.trace': No such file or directory"},
    {"trace_malformed", "run", "--quiet --no-report --out result", 1,
     MESH "traffic: {workload: trace, file: bad.trace}\n",
     "bad.trace:4:1: task 1, event 1: the size must be a number, not 'many'"},
    {"trace_stuck", "run", "--quiet --no-report --out result", 3,
     MESH "traffic: {workload: trace, file: stuck.trace}\n",
     "stuck: stuck.trace:3:1: task 0, event 1 (recv from 1, tag 0, 100 bytes) waits for a message from "
     "task 1, tag 0, that never comes"},
    {"trace_damaged", "run", "--quiet --no-report --out result", 1,
     MESH "traffic: {workload: trace, file: cut.trace.gz}\n",
     "cut.trace.gz:1:1: the compressed data is damaged or cut short"},
};

const broken_case files_and_options[] = {
    {"out_exists", "run", "--quiet --no-report --out three.trace", 1, MESH TRAFFIC,
     "three.trace: exists already; choose another --out or replace it with --overwrite"},
    {"out_below_a_file", "run", "--quiet --no-report --out three.trace/below", 1, MESH TRAFFIC,
     "three.trace/below: cannot be made: Not a directory"},
    {"out_not_to_be_made", "run", "--quiet --no-report --out /proc/sare/out", 1, MESH TRAFFIC,
     "/proc/sare/out: cannot be made: No such file or directory"},
    {"overwrite_leaves_strangers", "run", "--quiet --no-report --out strangers --overwrite", 1, MESH TRAFFIC,
     "strangers: is no result of sare, so --overwrite leaves it alone; choose another --out"},
    {"trace_too_many_tasks", "check", "", 1,
     "network: {topology: mesh, dims: [2]}\n"
     "traffic: {workload: trace, file: three.trace}\n",
     "case.yaml:2:10: the traffic needs 3 nodes, and the network has 2; take a larger network, or put "
     "several "
     "tasks on a node ('tasks_per_node')"},
    {"trace_unknown_format", "check", "", 1,
     MESH "traffic: {workload: trace, file: three.trace, format: vampir}\n",
     "case.yaml:2:10: unknown trace format 'vampir'; one of: chakra, clog2, dimemas, dumpi, fsin, goal, "
     "goal_binary, "
     "htsim, netrace, "
     "otf2, paraver, sare, sare_binary, simgrid"},
    {"too_many_ports", "check", "", 1, "network: {topology: crossbar, n: 1025}\n" TRAFFIC,
     "case.yaml:1:10: router 0 of this crossbar has 1025 ports; at most 1024, or any number without routers: "
     "'fidelity: analytic'"},
    {"binary_file", "check", "", 1, std::string("\000\001\002", 3),
     "case.yaml:1:1: not valid YAML: control character \\x00; is this a text in UTF-8?"},
    {"section_below_its_key", "check", "", 1,
     MESH TRAFFIC "rooter:\n"
                  "  vcs: 2\n",
     "case.yaml:3:1: unknown key 'rooter' in 'experiment'; did you mean 'router'?"},
    {"nested_choice", "check", "", 1,
     MESH "traffic:\n"
          "  workload: trace\n"
          "  file: three.trace\n"
          "  collectives: {barier: tree}\n",
     "case.yaml:5:25: unknown key 'barier' in 'collectives'; did you mean 'barrier'?"},
    {"force_without_value", "check", "", 1, MESH TRAFFIC "checks: {force: maybe}\n",
     "case.yaml:3:17: 'force' must be true or false, not 'maybe'"},
    {"aliases_of_aliases", "check", "", 1,
     "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
     "b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
     "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
     "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
     "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
     "f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
     "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n"
     "h: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g,*g]\n",
     "case.yaml:5:4: more than a million values; aliases of aliases?"},
    {"set_unknown", "check", "--set router.vcz=2", 1, MESH TRAFFIC,
     "--set router.vcz: unknown key 'vcz' in 'router'; did you mean 'vcs'?"},
    {"set_wrong_type", "check", "--set router.vcs=two", 1, MESH TRAFFIC,
     "--set router.vcs: 'vcs' must be an integer, not 'two'"},
    {"controls_of_a_value", "check", "", 1,
     "network: {topology: \"a\\e[31m\\u009b\\x7f\\nb\xc3\xa9\"}\n" TRAFFIC,
     "case.yaml:1:21: unknown topology 'a\\x1b[31m\\x9b\\x7f b\xc3\xa9'; one of: "
     "butterfly, circulant, clique, clos, crossbar, dragonfly, dragonfly_plus, express_mesh, "
     "fully_connected, "
     "graph, hierarchical, hypercube, hyperx, kary_ntree, mesh, midimew, omega, planes, pt2pt, ring, ruche, "
     "slim_fly, star, thin_tree, torus, tree, triangular_torus, twisted_torus, xgft"},
    {"set_stray_comma", "check", "--set seed=,", 1, MESH TRAFFIC,
     "--set seed: not valid YAML: ',' is out of place"},
    {"set_bad_yaml", "check", "--set 'network.dims=[4, 4'", 1, MESH TRAFFIC,
     "--set network.dims: not valid YAML: '[' is not closed; a ']' is missing"},
    {"set_through_value", "check", "--set seed.low=2", 1, MESH TRAFFIC,
     "--set seed.low: 'seed' must be an integer, not a section"},
    {"set_without_value", "check", "--set router.vcs", 2, MESH TRAFFIC,
     "--set router.vcs: write --set path=value, for instance --set router.vcs=2"},
    {"set_without_path", "check", "--set =2", 2, MESH TRAFFIC,
     "--set =2: write --set path=value, for instance --set router.vcs=2"},
    {"seed_not_a_number", "check", "--seed few", 1, MESH TRAFFIC,
     "--seed: 'seed' must be an integer, not 'few'"},
    {"seed_twice_negative", "check", "--seed -1", 1, MESH TRAFFIC,
     "--seed: 'seed' is -1; it must be from 0 to 9223372036854775807"},
};

/// The first bytes of a gzip file.
const char cut_gzip[] = {'\x1f', '\x8b', '\x08', '\x00', '\x00', '\x00', '\x00', '\x00', '\x02', '\x03',
                         '\x2b', '\x4e', '\x2c', '\x4a', '\xd5', '\x2d', '\x29', '\x4a', '\x4c', '\x4e',
                         '\x55', '\x30', '\xe4', '\x2a', '\x49', '\x2c', '\xce', '\x2e', '\x56', '\x30',
                         '\xe2', '\x32', '\x50', '\x28', '\x4e', '\xcd', '\x4b', '\x51', '\x30', '\x54'};

class broken : public broken_program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("bad.graph", "sare-graph 1\nlink 0 1\nlnk 1 2\nnode 0 0\n");
        write("islands.graph", "sare-graph 1\nlink 0 1\nlink 2 3\nnode 0 0\nnode 1 3\n");
        write("bad.trace", "sare-trace 1\ntasks 2\n0 send 1 100\n1 recv 0 many\n");
        write("three.trace", "sare-trace 1\ntasks 3\n0 send 1 100\n1 recv 0 100\n2 compute 1e-6\n");
        write("strangers/letter", "dear");
        write("stuck.trace", "sare-trace 1\ntasks 2\n0 recv 1 100\n");
        write("cut.trace.gz", std::string(std::begin(cut_gzip), std::end(cut_gzip)));
    }
};

/// A name of the command line, which may hold bytes that are no UTF-8.
TEST_F(program, EscapesControlCharactersInErrors) {
    write("small.yaml", small);
    const outcome o = sare("check small.yaml --set router.$(printf \"\\xff\\x1b\\xc2\\x85\")=1");
    EXPECT_EQ(
        o.err.rfind("sare: --set router.\\xff\\x1b\\x85: unknown key '\\xff\\x1b\\x85' in 'router'; known: ",
                    0),
        0u)
        << o.err;
    EXPECT_EQ(sare("check $(printf \"\\x1b\")").err,
              "sare: \\x1b: cannot be read: No such file or directory\n");
    EXPECT_EQ(sare("$(printf \"\\x1b\")").err.rfind("sare: sare has no command '\\x1b';", 0), 0u);
}

TEST_F(program, RefusesAnEndlessFile) {
    const outcome o = sare("check /dev/zero");
    EXPECT_EQ(o.err, "sare: /dev/zero:1:1: more than 4 MiB; YAML of that size is no experiment\n");
    rusage used{};
    ASSERT_EQ(getrusage(RUSAGE_CHILDREN, &used), 0);
    EXPECT_LT(used.ru_maxrss, 500'000) << "KiB: reading ends before memory does";
}

TEST_P(broken, IsReportedInOneLine) {
    expect_one_line();
}

INSTANTIATE_TEST_SUITE_P(yaml_and_values, broken, testing::ValuesIn(yaml_and_values),
                         [](const auto& one) { return std::string(one.param.name); });
INSTANTIATE_TEST_SUITE_P(exceptions, broken, testing::ValuesIn(exceptions),
                         [](const auto& one) { return std::string(one.param.name); });
INSTANTIATE_TEST_SUITE_P(what_does_not_fit, broken, testing::ValuesIn(what_does_not_fit),
                         [](const auto& one) { return std::string(one.param.name); });
INSTANTIATE_TEST_SUITE_P(files_and_options, broken, testing::ValuesIn(files_and_options),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace sare::test::broken_test
