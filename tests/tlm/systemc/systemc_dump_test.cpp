// SPDX-License-Identifier: Apache-2.0
#include "tests/support/modules_speak.h"
#include "tests/tlm/amba/axi_support.h"
#include "tests/tlm/amba/chi_support.h"
#include "tests/tlm/systemc/crossing_support.h"
#include "tlm/config/yaml.h"
#include "tlm/network/experiment.h"
#include "tlm/network/network.h"
#include "tlm/systemc/print_router.h"

#include <gtest/gtest.h>

/// What modules say of themselves, to SystemC and to a debugger.
namespace sare::test::systemc_dump_test {
namespace {

TEST(Modules, DumpTheirKindAndState) {
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
    EXPECT_EQ(router.rfind("name = m_r0\nkind = sare::router\nrouter 0 (vc, scanned) after cycle 19\n", 0),
              0U)
        << router;
    EXPECT_NE(router.find("0 to 3, flit"), std::string::npos) << router;
    EXPECT_NE(router.find("has +x vc"), std::string::npos) << router;
    EXPECT_NE(router.find("n0 vc"), std::string::npos) << router;  // owns the output VC
    EXPECT_NE(dumped(mesh.nics[0]).find("packets injected = 1\n"), std::string::npos);
    EXPECT_NE(dumped(mesh.engine).find("next cycle = 20\n"), std::string::npos);
    EXPECT_NE(dumped(mesh.channels[0]).find("from = router 0 port 4\nto = node 0\n"), std::string::npos)
        << dumped(mesh.channels[0]);
}

/// Whoever makes a module adds it here: before elaboration and after a run all of them speak.
TEST(Modules, HaveAKindAndADumpEach) {
    const std::set<std::string> all{
        "sare::axi::bridge",   "sare::axi::checker", "sare::channel",        "sare::chi::cache",
        "sare::chi::checker",  "sare::chi::home",    "sare::chi::interface", "sare::chi::memory_node",
        "sare::crossing",      "sare::cycle_engine", "sare::gateway",        "sare::link",
        "sare::memory_bridge", "sare::mid_cycle",    "sare::network",        "sare::nic",
        "sare::router"};
    chi_system coherent(2, 1, 1, 32, {}, {});
    axi_pair<> axi(10, axi_pair<>::by_phases(), {}, "axi");
    hand_mesh plain("plain", 2, 2, {}, 2);
    memory_map addresses(plain.engine, {});
    memory_bridge bridge("bridge", plain.nics[0], addresses);
    row a("a", 2, ps(1000)), b("b", 2, ps(700));
    crossing between("between", *a.edge, *b.edge);
    const auto small = config::parse_yaml("network: {topology: mesh, dims: [2, 2]}\n", "small");
    sare::network composed("composed", experiment::read(small, "."), 1);
    EXPECT_EQ(expect_modules_speak(), all);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    a.send_over(0, 0, 3);
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_EQ(expect_modules_speak(), all);
}

/// What else they say, while something is under way.
TEST(Modules, ShowWhatIsInACrossing) {
    row a("a", 2, ps(1000)), b("b", 2, ps(50000));
    crossing between("between", *a.edge, *b.edge, {2, 2});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    a.send_over(0, 0, 8);
    sc_core::sc_start(sc_core::sc_time(40, sc_core::SC_NS));
    EXPECT_NE(dumped(between).find("from = a_edge\nto = b_edge\nclass 0: flits on their way = 2, on"),
              std::string::npos)
        << dumped(between);
    const std::string gateway = dumped(*a.edge);
    EXPECT_NE(gateway.find("other side = b_edge\n"), std::string::npos) << gateway;
    EXPECT_EQ(gateway.find("FIFO = 0\n"), std::string::npos) << gateway;
}

TEST(Modules, PrintARouterByItsName) {
    router_params params;
    hand_mesh mesh("m", 2, 2, params);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto printed = [](const auto& print) {
        testing::internal::CaptureStdout();
        print();
        return testing::internal::GetCapturedStdout();
    };
    const std::string by_name = printed([] { sare_print_router("m_r3"); });
    EXPECT_EQ(by_name.rfind("m_r3: router 3 (vc, scanned) after cycle 0\nport", 0), 0U) << by_name;
    EXPECT_EQ("m_r3: " + printed([&] { sare_print_router_of(&mesh.engine, 3); }), by_name);
    EXPECT_EQ(printed([&] { sare_print_router_of(&mesh.engine, 4); }), "router 4 is none of 0 to 3\n");
    EXPECT_EQ(printed([] { sare_print_router("m_r4"); }), "there is no SystemC object m_r4\n");
    EXPECT_NE(printed([] { sare_print_router("m_n1"); }).find("kind = sare::nic\n"), std::string::npos);
}

}  // namespace
}  // namespace sare::test::systemc_dump_test
