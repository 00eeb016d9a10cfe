// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/systemc_support.h"
#include "tlm/systemc/print_router.h"

#include <gtest/gtest.h>

#include <sstream>

/// What modules say of themselves, to SystemC and to a debugger.
namespace sare::test {
namespace {

std::string dumped(const sc_core::sc_object& o) {
    std::ostringstream out;
    o.dump(out);
    return out.str();
}

TEST(Modules, SayWhatTheyAreAndHowTheyStand) {
    router_params params;
    params.vcs = 2;
    hand_mesh mesh("m", 2, 2, params);
    EXPECT_NE(dumped(*mesh.routers[0]).find("not elaborated"), std::string::npos);
    EXPECT_NE(dumped(mesh.nics[0]).find("node = 0"), std::string::npos);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    script traffic;
    traffic.add(2, 0, 3, 40);
    mesh.engine.set_workload(traffic);
    mesh.engine.run_until(20);
    EXPECT_STREQ(mesh.engine.kind(), "sare::cycle_engine");
    EXPECT_STREQ(mesh.routers[0]->kind(), "sare::router");
    EXPECT_STREQ(mesh.nics[0].kind(), "sare::nic");
    EXPECT_STREQ(mesh.channels[0].kind(), "sare::channel");
    EXPECT_STREQ(mesh.channels[0].forward.kind(), "sare::link");
    const std::string router = dumped(*mesh.routers[0]);
    EXPECT_EQ(router.rfind("name = m_r0\nkind = sare::router\nrouter 0 (vc, fast) after cycle 19\n", 0), 0U)
        << router;
    EXPECT_NE(router.find("0 to 3, flit"), std::string::npos) << router;
    EXPECT_NE(router.find("has +x vc"), std::string::npos) << router;
    EXPECT_NE(router.find("n0 vc"), std::string::npos) << router;  // owns the output VC
    EXPECT_NE(dumped(mesh.nics[0]).find("packets injected = 1\n"), std::string::npos);
    EXPECT_NE(dumped(mesh.engine).find("next cycle = 20\n"), std::string::npos);
    EXPECT_NE(dumped(mesh.channels[0]).find("from = router 0 port 4\nto = node 0\n"), std::string::npos)
        << dumped(mesh.channels[0]);
}

TEST(Modules, ARouterIsPrintedByItsName) {
    router_params params;
    hand_mesh mesh("m", 2, 2, params);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto printed = [](const auto& print) {
        testing::internal::CaptureStdout();
        print();
        return testing::internal::GetCapturedStdout();
    };
    const std::string by_name = printed([] { sare_print_router("m_r3"); });
    EXPECT_EQ(by_name.rfind("m_r3: router 3 (vc, fast) after cycle 0\nport", 0), 0U) << by_name;
    EXPECT_EQ("m_r3: " + printed([&] { sare_print_router_of(&mesh.engine, 3); }), by_name);
    EXPECT_EQ(printed([&] { sare_print_router_of(&mesh.engine, 4); }), "router 4 is none of 0 to 3\n");
    EXPECT_EQ(printed([] { sare_print_router("m_r4"); }), "there is no SystemC object m_r4\n");
    EXPECT_NE(printed([] { sare_print_router("m_n1"); }).find("kind = sare::nic\n"), std::string::npos);
}

}  // namespace
}  // namespace sare::test
