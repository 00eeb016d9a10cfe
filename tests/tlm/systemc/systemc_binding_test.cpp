// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/systemc/systemc_support.h"

#include <gtest/gtest.h>

/// Wrong bindings: one report each, with the name of the block.
namespace sare::test::systemc_binding_test {
namespace {

/// A row of two routers and their NICs, with nothing bound yet.
struct two_routers {
    router_params params;
    std::unique_ptr<topology> map = make_topology("mesh", {{"dims", "2,1"}});
    std::unique_ptr<routing_function> routing = make_routing("dor", *map, params.vcs);
    cycle_engine engine{"engine", params.vcs};
    router r0{"r0", engine, params, 5}, r1{"r1", engine, params, 5};
    nic n0{"n0", engine}, n1{"n1", engine};

    two_routers() { engine.set_routing(*map, *routing); }
    std::string start() {
        return report_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); });
    }
};

TEST(SystemcBinding, IsSilentWhenRight) {
    two_routers t;
    channel a("a", t.engine, t.r0.port(0), t.r1.port(1)), b("b", t.engine, t.r0.port(4), t.n0.port()),
        c("c", t.engine, t.n1.port(), t.r1.port(4));
    EXPECT_EQ(t.start(), "");
}

TEST(SystemcBinding, ReportsRoutersBoundWithoutALink) {
    two_routers t;
    channel b("b", t.engine, t.r0.port(4), t.n0.port()), c("c", t.engine, t.n1.port(), t.r1.port(4));
    t.r0.out(0).bind(t.r1.in(1));
    t.r1.out(1).bind(t.r0.in(0));
    EXPECT_EQ(t.start(),
              "r0.out0 is bound to something that is no sare::link; put a link between the two blocks");
}

TEST(SystemcBinding, ReportsAPortBoundTwice) {
    two_routers t;
    channel a("a", t.engine, t.r0.port(0), t.r1.port(1)), b("b", t.engine, t.r0.port(4), t.n0.port()),
        c("c", t.engine, t.n1.port(), t.r1.port(4));
    link again("again", t.engine);
    bind(t.r0.out(0), again, t.r1.in(2));
    const std::string report = t.start();
    EXPECT_NE(report.find("r0.out0"), std::string::npos) << report;
    EXPECT_NE(report.find("2 binds exceeds maximum of 1"), std::string::npos) << report;
}

TEST(SystemcBinding, ReportsALinkLeftOpen) {
    two_routers t;
    link open("open", t.engine);
    t.r0.out(0).bind(open.in);
    const std::string report = t.start();
    EXPECT_NE(report.find("port not bound: port 'open.out"), std::string::npos) << report;
}

TEST(SystemcBinding, ReportsAPortThatDoesNotExist) {
    two_routers t;
    EXPECT_EQ(report_of([&] { t.r1.out(5); }), "r1 has 5 ports, 0 and up; there is no port 5");
}

TEST(SystemcBinding, ReportsThatNothingIsBound) {
    two_routers t;
    EXPECT_EQ(t.start(), "r0: out(0) is bound to nothing; on the map it leads to router 1 port 1");
}

TEST(SystemcBinding, ReportsAnUnboundNic) {
    two_routers t;
    channel a("a", t.engine, t.r0.port(0), t.r1.port(1)), b("b", t.engine, t.r0.port(4), t.n0.port());
    link to_node("to_node", t.engine);
    bind(t.r1.out(4), to_node, t.n1.in());
    EXPECT_EQ(t.start(), "n1: out() is bound to nothing");
}

TEST(SystemcBinding, ReportsALinkThatContradictsTheMap) {
    two_routers t;
    channel a("a", t.engine, t.r0.port(0), t.r1.port(0)), b("b", t.engine, t.r0.port(4), t.n0.port()),
        c("c", t.engine, t.n1.port(), t.r1.port(4));
    EXPECT_EQ(t.start(),
              "a.forward leads from router 0 port 0 to router 1 port 0; on the map it is router 1 port 1");
}

TEST(SystemcBinding, ReportsAMissingMap) {
    cycle_engine engine("engine", 4);
    router r("r", engine, {}, 5);
    EXPECT_EQ(report_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
              "engine has no map: call set_routing() before the simulation starts");
}

TEST(SystemcBinding, ReportsTooFewModules) {
    const auto map = make_topology("mesh", {{"dims", "2,2"}});
    const auto routing = make_routing("dor", *map, 4);
    cycle_engine engine("engine", 4);
    engine.set_routing(*map, *routing);
    router r("r", engine, {}, 5);
    EXPECT_EQ(report_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
              "engine: the map has 4 routers and 4 nodes, but 1 routers and 0 NICs were made");
}

}  // namespace
}  // namespace sare::test::systemc_binding_test
