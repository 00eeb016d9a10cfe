// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tlm/config/yaml.h"
#include "tlm/network/network.h"

#include <gtest/gtest.h>

/// What a network makes of the sections of an experiment, and of quantities that it would have to round.
namespace sare::test::network_sections_test {
namespace {

/// What a network that is made of this answers, but for the warning of a section 'traffic'.
std::string made_of(const std::string& more) {
    return error_of([&] {
        const std::string text = "network: {topology: mesh, dims: [2, 2]}\nrouter: {vcs: 2}\n" + more;
        sare::network net("net", experiment::read(config::parse_document(text, "a.yaml"), "."), 2);
    });
}

/// They would change what a run says, and only the program makes something of them.
TEST(Sections, AreRefusedByANetworkThatCannotUseThem) {
    const std::string alone = ", which sare::network alone makes nothing of; ";
    EXPECT_EQ(made_of("nic: {retransmission: go_back_n}\n"),
              "/sare/config: a.yaml:3:23: 'nic.retransmission' is go_back_n" + alone +
                  "leave it out, and put a sare::go_back_n between the engine and its workload");
    EXPECT_EQ(made_of("observe: {timeline: true}\n"),
              "/sare/config: a.yaml:3:10: there is a section 'observe'" + alone + "leave it out");
    for (const char* fidelity : {"analytic", "crossbar"})
        EXPECT_EQ(
            made_of(std::string("fidelity: ") + fidelity + "\n"),
            std::string("/sare/config: a.yaml:3:11: 'fidelity' is ") + fidelity + alone + "leave it out");
    EXPECT_EQ(made_of("nic: {retransmission: none}\nobserve: {timeline: false}\nfidelity: flit\n"), "");
}

TEST(Sections, CauseAWarningOfTrafficInANetworkAlone) {
    static std::string warnings;
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions& a) {
        if (r.get_severity() == sc_core::SC_WARNING)
            warnings += std::string(r.get_msg_type()) + ": " + r.get_msg();
        else
            sc_core::sc_report_handler::default_handler(r, a);
    });
    EXPECT_EQ(made_of("traffic: {workload: bernoulli}\n"), "");
    EXPECT_EQ(warnings,
              "/sare/config: a.yaml:3:10: there is a section 'traffic', which sare::network alone makes "
              "nothing of; give a workload to set_workload() of the engine");
}

/// What is wrong with an experiment of this text, or with its map; "" if nothing is.
std::string config_error_of(const std::string& text) {
    try {
        experiment::read(config::parse_document(text, "a.yaml"), ".").make_map();
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

struct second_of_a_name : section_part_of<second_of_a_name> {
    bool timeline = false;
    static config::schema<second_of_a_name> fields() {
        return config::schema<second_of_a_name>().flag("timeline", &second_of_a_name::timeline, "Another.");
    }
};

TEST(Sections, RefuseAKeyDeclaredTwice) {
    EXPECT_THROW(section_registration<second_of_a_name>("observe", 99), std::logic_error);
    EXPECT_THROW(section_parts().of<second_of_a_name>(), std::logic_error);
}

/// This program is linked without it.
TEST(Sections, NameThePartThatAProgramLacks) {
    EXPECT_EQ(config_error_of("network: {topology: mesh, dims: [2, 2]}\ncosim: {shadow: all}\n"),
              "a.yaml:2:8: the section 'cosim' is in a part that this program is built without; "
              "'scripts/setup --test', 'cmake -B build -DSARE_PARTS=all' and building again bring it, and a "
              "program of your own links sare::rtl");
}

/// What cannot be cycles is wrong at its own line, for links of routers and of nodes; the last entry holds.
TEST(Quantities, OfALinkThatCannotBeCyclesHaveTheirLine) {
    const std::string mesh = "network: {topology: mesh, dims: [2, 2]}\nlinks:\n", bad = "bandwidth: 4e11}\n",
                      good = "bandwidth: 128e9}\n", routers = "- {between: [0, 1], ", nodes = "- {node: 0, ";
    const std::string too_fast = "a link of 4e+11 bit/s carries a flit of 16 bytes in 0.32 cycles";
    EXPECT_EQ(config_error_of(mesh + routers + good), "");
    EXPECT_EQ(config_error_of(mesh + nodes + bad + nodes + good), "");
    for (const std::string& which : {routers, nodes}) {
        const std::string said = config_error_of(mesh + routers + good + which + bad);
        EXPECT_EQ(said.rfind("a.yaml:4:", 0), 0u) << said;
        EXPECT_NE(said.find(": " + too_fast), std::string::npos) << said;
    }
    const std::string said = config_error_of(mesh + routers + "seconds: 1.4e-9}\n");
    EXPECT_EQ(said.rfind("a.yaml:3:", 0), 0u) << said;
}

/// The model counts in bit/s and picoseconds; what is between two of them is no other value than it says.
TEST(Quantities, AreRefusedWhereTheyWouldBeRounded) {
    const std::string mesh = "network: {topology: mesh, dims: [2, 2]",
                      bits = "a whole number of tenths of a bit/s",
                      whole_ps = "a whole number of picoseconds",
                      analytic = "fidelity: analytic\n";  // flits want whole cycles
    for (const char* bandwidth : {"0.05", "1.44", "0.1", "0.5", "1.4", "1e9"}) {
        const std::string text = bandwidth, wrong = " is " + text + "; it must be " + bits;
        const bool right = text != "0.05" && text != "1.44";
        EXPECT_EQ(config_error_of(mesh + ", bandwidth: " + text + "}\n" + analytic),
                  right ? "" : "a.yaml:1:52: 'bandwidth'" + wrong);
        EXPECT_EQ(
            config_error_of(mesh + "}\nlinks: [{between: [0, 1], bandwidth: " + text + "}]\n" + analytic),
            right ? "" : "a.yaml:2:38: 'bandwidth'" + wrong);
    }
    for (const char* seconds : {"4e-13", "1.5e-12", "0.32e-6", "7e-6", "1e-12", "0.123456789012"}) {
        const std::string text = seconds, wrong = " is " + text + "; it must be " + whole_ps;
        const bool right = text != "4e-13" && text != "1.5e-12";
        EXPECT_EQ(config_error_of(mesh + ", latency: " + text + "}\n" + analytic),
                  right ? "" : "a.yaml:1:50: 'latency'" + wrong);
        EXPECT_EQ(config_error_of(mesh + ", node_latency: " + text + "}\n" + analytic),
                  right ? "" : "a.yaml:1:55: 'node_latency'" + wrong);
        EXPECT_EQ(config_error_of(mesh + "}\nlinks: [{between: [0, 1], seconds: " + text + "}]\n" + analytic),
                  right ? "" : "a.yaml:2:36: 'seconds'" + wrong);
    }
}

TEST(Quantities, RefuseAClockThatWouldBeRounded) {
    const std::string mesh = "network: {topology: mesh, dims: [2, 2]}\n", clock = "clock_period: ";
    EXPECT_EQ(config_error_of(mesh + clock + "1.5ps\n"), "");
    EXPECT_EQ(config_error_of(mesh + clock + "1000.5fs\n"),
              "a.yaml:2:15: 'clock_period' is '1000.5fs'; it must be a whole number of femtoseconds");
    EXPECT_EQ(config_error_of(mesh + clock + "1.5ps\nfidelity: analytic\n"),
              "a.yaml:2:15: 'clock_period' is '1.5ps'; it must be a whole number of picoseconds where "
              "'fidelity' is analytic");
    for (const char* right : {"1ns", "0.3ns", "625 ps", "2500fs", "3.3us", "1s"})
        EXPECT_EQ(config_error_of(mesh + clock + right + "\n"), "");
}

/// SystemC would round it in silence: 1.25 ns to 1.2 or 1.3.
TEST(Sections, RefuseAClockFinerThanTheTimeResolution) {
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    EXPECT_EQ(
        made_of("clock_period: 1.25ns\n"),
        "/sare/config: a.yaml:3:15: 'clock_period' is '1.25ns'; it must be a multiple of SystemC's time "
        "resolution, which is 100 ps");
    EXPECT_EQ(made_of("clock_period: 1.3ns\n"), "");
}

TEST(Sections, RefuseAClockOfHalfPicoseconds) {
    EXPECT_EQ(
        made_of("clock_period: 312.5ps\n"),
        "/sare/config: a.yaml:3:15: 'clock_period' is '312.5ps'; it must be a multiple of SystemC's time "
        "resolution, which is 1 ps");
}

TEST(Names, StandForNumbersWhereverPlacesAreNamed) {
    const std::string text =
        "name: A chip\n"
        "network: {topology: mesh, dims: [2, 2]}\n"
        "names: {routers: [io, cpu], nodes: {3: dram}}\n"
        "routers: [{at: [io, 3], depth: 16}]\n"
        "links: [{between: [cpu, io], latency: 3}, {node: dram, latency: 4}]\n"
        "failures: {events: [{between: [io, 2], at: 9}, {router: cpu, at: 10}]}\n"
        "observe: {inside: {csv: true, routers: [cpu, 2], sources: dram, destinations: [0, dram]}}\n"
        "traffic: {workload: bernoulli, pattern: {name: hotspot, nodes: [dram, 1]}}\n";
    const experiment e = experiment::read(config::parse_document(text, "a.yaml"), ".");
    const config::value all = e.resolved();
    EXPECT_EQ(flow_style(*all.find("routers")), "[{at: [0, 3], depth: 16}]");
    EXPECT_EQ(flow_style(*all.find("links")), "[{between: [1, 0], latency: 3}, {node: 3, latency: 4}]");
    EXPECT_EQ(flow_style(*all.find("failures")->find("events")),
              "[{between: [0, 2], at: 9}, {router: 1, at: 10}]");
    const config::value& inside = *all.find("observe")->find("inside");
    EXPECT_EQ(flow_style(*inside.find("routers")), "[1, 2]");
    EXPECT_EQ(flow_style(*inside.find("sources")), "[3]");
    EXPECT_EQ(flow_style(*inside.find("destinations")), "[0, 3]");
    EXPECT_EQ(flow_style(*all.find("traffic")->find("pattern")->find("nodes")), "[3, 1]");
    EXPECT_EQ(experiment::read(all, ".").structure(), e.structure());
    const auto map = e.make_map();
    EXPECT_EQ(map->names().text(place_kind::router, 1), "router cpu");
    EXPECT_EQ(map->names().text(place_kind::node, 3), "node dram");
    EXPECT_EQ(map->link(router_id(0), port_id(0)).latency, 3U);
}

TEST(Names, ReportEveryMistakeInOneLine) {
    const std::string mesh = "network: {topology: mesh, dims: [2, 2]}\n";
    const std::pair<const char*, const char*> cases[] = {
        {"names: {routers: [io, io]}\n", "2:23: 'io' is the name of router 0 already, and not of router 1"},
        {"names: {routers: [1, 2]}\n",
         "2:19: a router cannot be called '1'; a name is a letter or _, then letters, digits and _ - /, and "
         "not "
         "'all'"},
        {"names: {routers: [a, b, c, d, e]}\n", "2:31: 'e' is for router 4; the network has 4, 0 and up"},
        {"names: {nodes: {4: a}}\n", "2:20: 'names.nodes' is 4; it must be from 0 to 3"},
        {"names: {nodes: a}\n", "2:16: 'names.nodes' must be a list of names, or a map {0: cpu, 3: dram}"},
        {"names: {nodes: [dram]}\nlinks: [{node: drm, latency: 2}]\n",
         "3:16: there is no node 'drm'; did you mean 'dram'?"},
        {"names: {nodes: [dram, b]}\nlinks: [{node: x_yz, latency: 2}]\n",
         "3:16: there is no node 'x_yz'; nodes are 0 to 3, or by name: b, ..."},
        {"links: [{between: [io, 1], latency: 2}]\n",
         "2:20: there is no router 'io'; routers are 0 to 3, and none has a name"},
        {"names: {routers: [io, cpu, a, b]}\nlinks: [{between: [io, b], latency: 2}]\n",
         "3:19: there is no link between router io and router b; router io is linked to cpu, a"},
    };
    for (const auto& [text, problem] : cases)
        EXPECT_EQ(config_error_of(mesh + text), std::string("a.yaml:") + problem) << text;
}

/// A program that was linked without the whole of libsare.a.
TEST(Sections, SayWhatToDoWhereNoVariantIsLinked) {
    struct dropped {};
    auto& none = config::registry<dropped>::instance();
    none.name_kind("topology", "topology");
    std::string said;
    try {
        none.chosen(config::value::scalar("mesh"));
    } catch (const config::error& problem) {
        said = problem.what();
    }
    EXPECT_NE(said.find("this program has no topology at all: "), std::string::npos) << said;
    EXPECT_NE(said.find("-Wl,--whole-archive"), std::string::npos) << said;
}

}  // namespace
}  // namespace sare::test::network_sections_test
