// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/broken/broken_case.h"

/// Mistakes in the section 'links', and the one line that answers each.
namespace sare::test::broken_links_test {
namespace {

const broken_case cases[] = {
    {"links_is_section", "check", "", 1, MESH TRAFFIC "links: {node: 3}\n",
     "case.yaml:3:8: 'links' must be a list, not a section"},
    {"links_of_numbers", "check", "", 1, MESH TRAFFIC "links: [5]\n",
     "case.yaml:3:9: an entry of 'links' says which: either '{between: [0, 1], ...}', two routers, or "
     "'{name: wide, ...}', or '{node: 0, ...}'"},
    {"links_of_both", "check", "", 1, MESH TRAFFIC "links: [{node: 3, between: [0, 1], latency: 2}]\n",
     "case.yaml:3:9: an entry of 'links' says which: either '{between: [0, 1], ...}', two routers, or "
     "'{name: wide, ...}', or '{node: 0, ...}'"},
    {"links_unnamed", "check", "", 1, MESH TRAFFIC "links: [{name: wide, latency: 2}]\n",
     "case.yaml:3:16: no link is called 'wide'; this network's links have no names, which an edge list "
     "gives"},
    {"links_of_node_classes", "check", "", 1, MESH TRAFFIC "links: [{node: 3, classes: [0]}]\n",
     "case.yaml:3:28: 'classes' is for links between routers; those of nodes carry all classes"},
    {"links_of_class_beyond", "check", "", 1,
     MESH TRAFFIC "routing: up_down\nlinks: [{between: [0, 1], classes: [1]}]\n",
     "case.yaml:4:36: there is no message class 1; this traffic has 1, 0 and up"},
    {"links_of_classes_by_dor", "check", "", 1, MESH TRAFFIC "links: [{between: [0, 1], classes: [0]}]\n",
     "case.yaml:1:1: routing is left out: 'links' gives some to certain message classes, and routing "
     "function 'dor' would "
     "take any; table, shortest_path, up_down and up_down_escape look at the class"},
    {"links_of_classes_that_fail", "check", "", 1,
     MESH TRAFFIC
     "routing: up_down\nlinks: [{between: [0, 1], classes: [0]}]\nfailures: {events: [{router: 1}]}\n",
     "case.yaml:4:8: 'links.classes' and 'failures' do not go together: where links fail, message classes "
     "have "
     "the same links"},
    {"bandwidth_not_whole", "check", "", 1, MESH TRAFFIC "links: [{between: [0, 1], bandwidth: 1.44}]\n",
     "case.yaml:3:38: 'bandwidth' is 1.44; it must be a whole number of tenths of a bit/s"},
    {"bandwidth_below_a_tenth", "check", "", 1,
     "network: {topology: star, n: 4, bandwidth: 0.05}\n" TRAFFIC "fidelity: analytic\n",
     "case.yaml:1:44: 'bandwidth' is 0.05; it must be a whole number of tenths of a bit/s"},
    {"links_of_classes_without_flits", "check", "", 1,
     MESH TRAFFIC "links: [{between: [0, 1], classes: [0]}]\nfidelity: analytic\n",
     "case.yaml:3:8: 'links.classes' is for links that carry flits, and 'fidelity' is analytic; leave one of "
     "them out"},
    {"links_of_classes_of_own_routing", "check", "", 1,
     MESH TRAFFIC "links: [{between: [0, 1], classes: [0]}]\nrouter: {kind: dally}\n",
     "case.yaml:3:8: 'links.classes' is for routers with VCs that a routing function chooses among; routers "
     "of "
     "kind dally have one way for all classes"},
    {"links_of_three", "check", "", 1, MESH TRAFFIC "links: [{between: [0, 1, 2], latency: 2}]\n",
     "case.yaml:3:19: 'between' has 3 routers; it must have two"},
    {"links_unchanged", "check", "", 1, MESH TRAFFIC "links: [{between: [0, 1]}]\n",
     "case.yaml:3:9: an entry of 'links' says what is different: 'latency', 'width', 'cycles_per_flit', "
     "'bit_error_rate', 'wake', 'idle', 'seconds', 'bandwidth', 'classes'"},
    {"links_width_twice", "check", "", 1,
     MESH TRAFFIC "links: [{between: [0, 1], width: 2, cycles_per_flit: 2}]\n",
     "case.yaml:3:9: an entry of 'links' has either 'width' or 'cycles_per_flit', which says the same"},
    {"links_unlinked", "check", "", 1, MESH TRAFFIC "links: [{between: [0, 5], latency: 2}]\n",
     "case.yaml:3:19: there is no link between router 0 and router 5; router 0 is linked to 1, 4"},
    {"links_router_beyond", "check", "", 1, MESH TRAFFIC "links: [{between: [0, 16], latency: 2}]\n",
     "case.yaml:3:19: there is no router 16; the network has 16, 0 and up"},
    {"links_node_beyond", "check", "", 1, MESH TRAFFIC "links: [{node: \"3-16\", latency: 2}]\n",
     "case.yaml:3:16: there is no node 16; the network has 16, 0 and up"},
    {"links_latency_zero", "check", "", 1, MESH TRAFFIC "links: [{node: 3, latency: 0}]\n",
     "case.yaml:3:28: 'latency' is 0; it must be from 1 to 65535"},
    {"links_unknown_key", "topo", "", 1, MESH TRAFFIC "links: [{node: 3, lantency: 2}]\n",
     "case.yaml:3:29: unknown key 'lantency' in 'links'; did you mean 'latency'?"},
};

using broken_links = broken_program;

TEST_P(broken_links, AreReportedInOneLine) {
    expect_one_line();
}

INSTANTIATE_TEST_SUITE_P(links, broken_links, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace sare::test::broken_links_test
