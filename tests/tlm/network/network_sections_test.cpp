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
TEST(Sections, ThatANetworkAloneMakesNothingOfAreSaid) {
    const std::string alone = ", which sare::network alone makes nothing of; ";
    EXPECT_EQ(made_of("nic: {retransmission: go_back_n}\n"),
              "/sare/config: a.yaml:1:1: 'nic.retransmission' is go_back_n" + alone +
                  "leave it out, and put a sare::go_back_n between the engine and its workload");
    EXPECT_EQ(made_of("observe: {timeline: true}\n"),
              "/sare/config: a.yaml:3:10: there is a section 'observe'" + alone + "leave it out");
    for (const char* fidelity : {"analytic", "crossbar"})
        EXPECT_EQ(
            made_of(std::string("fidelity: ") + fidelity + "\n"),
            std::string("/sare/config: a.yaml:1:1: 'fidelity' is ") + fidelity + alone + "leave it out");
    EXPECT_EQ(made_of("nic: {retransmission: none}\nobserve: {timeline: false}\nfidelity: flit\n"), "");
}

TEST(Sections, TrafficOfANetworkAloneIsAWarning) {
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

/// The model counts in bit/s and picoseconds; what is between two of them is no other value than it says.
TEST(Quantities, ThatWouldBeRoundedAreRefused) {
    const std::string mesh = "network: {topology: mesh, dims: [2, 2]", bits = "a whole number of bit/s",
                      whole_ps = "a whole number of picoseconds";
    for (const char* bandwidth : {"0.1", "0.5", "1.4", "1e9"}) {
        const std::string text = bandwidth, wrong = " is " + text + "; it must be " + bits;
        const bool right = text == "1e9";
        EXPECT_EQ(config_error_of(mesh + ", bandwidth: " + text + "}\n"),
                  right ? "" : "a.yaml:1:52: 'bandwidth'" + wrong);
        EXPECT_EQ(config_error_of(mesh + "}\nlinks: [{between: [0, 1], bandwidth: " + text + "}]\n"),
                  right ? "" : "a.yaml:2:38: 'bandwidth'" + wrong);
    }
    for (const char* seconds : {"4e-13", "1.5e-12", "0.32e-6", "7e-6", "1e-12", "0.123456789012"}) {
        const std::string text = seconds, wrong = " is " + text + "; it must be " + whole_ps;
        const bool right = text != "4e-13" && text != "1.5e-12";
        EXPECT_EQ(config_error_of(mesh + ", latency: " + text + "}\n"),
                  right ? "" : "a.yaml:1:50: 'latency'" + wrong);
        EXPECT_EQ(config_error_of(mesh + ", node_latency: " + text + "}\n"),
                  right ? "" : "a.yaml:1:55: 'node_latency'" + wrong);
        EXPECT_EQ(config_error_of(mesh + "}\nlinks: [{between: [0, 1], seconds: " + text + "}]\n"),
                  right ? "" : "a.yaml:2:36: 'seconds'" + wrong);
    }
}

TEST(Quantities, AClockThatWouldBeRoundedIsRefused) {
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
TEST(Sections, AClockIsAMultipleOfTheTimeResolution) {
    sc_core::sc_set_time_resolution(100, sc_core::SC_PS);
    EXPECT_EQ(
        made_of("clock_period: 1.25ns\n"),
        "/sare/config: a.yaml:3:15: 'clock_period' is '1.25ns'; it must be a multiple of SystemC's time "
        "resolution, which is 100 ps");
    EXPECT_EQ(made_of("clock_period: 1.3ns\n"), "");
}

TEST(Sections, AClockOfHalfPicosecondsNeedsAFinerResolution) {
    EXPECT_EQ(
        made_of("clock_period: 312.5ps\n"),
        "/sare/config: a.yaml:3:15: 'clock_period' is '312.5ps'; it must be a multiple of SystemC's time "
        "resolution, which is 1 ps");
}

}  // namespace
}  // namespace sare::test::network_sections_test
