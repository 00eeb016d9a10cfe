// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/modules_speak.h"
#include "tests/support/told_traffic.h"
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/systemc/systemc_support.h"

#include <gtest/gtest.h>

/// Reset of networks and blocks, and links that sleep, from SystemC's processes.
namespace sare::test::systemc_reset_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

sc_time ns(double t) {
    return {t, SC_NS};
}

/// Calls `what` at some time.
struct alarm : sc_core::sc_module {
    alarm(const sc_core::sc_module_name& name, const sc_time& at, std::function<void()> f)
        : sc_core::sc_module(name), what(std::move(f)), when(at) {
        SC_HAS_PROCESS(alarm);
        SC_THREAD(run);
    }
    void run() {
        wait(when);
        what();
    }
    std::function<void()> what;
    sc_time when;
};

/// Reads of 8 bytes, one after another, each at the full `apart`; how they ended, and when.
struct reader : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<reader> socket;
    std::vector<tlm::tlm_response_status> status;
    std::vector<sc_time> took;
    sc_time apart = ns(1000);

    explicit reader(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        SC_HAS_PROCESS(reader);
        SC_THREAD(run);
    }
    void run() {
        for (int k = 0; k < 4; ++k) {
            wait(apart * (k + 1) - sc_core::sc_time_stamp());
            transaction& t = pool.take(false, 0x40, 8);
            sc_time delay = sc_core::SC_ZERO_TIME;
            socket->b_transport(t, delay);
            wait(delay);
            status.push_back(t.get_response_status());
            took.push_back(sc_core::sc_time_stamp() - apart * (k + 1));
            t.release();
        }
    }
    transaction_pool pool;
};

struct ram : sc_core::sc_module {
    tlm_utils::simple_target_socket<ram> socket;
    explicit ram(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        socket.register_b_transport(this, &ram::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        delay += ns(10);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// An access that is on its way ends in the cycle of the reset; the next one knows nothing of it.
TEST(SystemcReset, EndsAnOpenAccessWithAnError) {
    hand_mesh net("m", 3, 3, {}, 2);
    memory_map map(net.engine, {{0, 0x1000, 8}});
    memory_bridge near("near", net.nics[0], map), far("far", net.nics[8], map);
    reader cpu("cpu");
    ram memory("memory");
    cpu.socket.bind(near.initiators);
    far.memory.bind(memory.socket);
    // The request is on its way; it is with the memory (10 ns, after 25 or so); the response is on its way.
    alarm at_request("at_request", ns(2010.3), [&] { net.engine.reset(); });
    alarm at_response("at_response", ns(3050.7), [&] { net.engine.reset(); });
    sc_core::sc_start(ns(6000));
    ASSERT_EQ(cpu.status.size(), 4U);
    const auto ok = tlm::TLM_OK_RESPONSE, lost = tlm::TLM_GENERIC_ERROR_RESPONSE;
    EXPECT_EQ(cpu.status, (std::vector<tlm::tlm_response_status>{ok, lost, lost, ok}));
    EXPECT_EQ(cpu.took[1], ns(11));
    EXPECT_EQ(cpu.took[2], ns(51));
    EXPECT_EQ(cpu.took[3], cpu.took[0]);
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
}

/// Messages take as many cycles, the memory as much time.
std::string reads_at_half_speed(access_mode mode) {
    hand_mesh net("m", 3, 3, {}, 2);
    memory_bridge_params params;
    params.mode = mode;
    memory_map map(net.engine, {{0, 0x1000, 8}});
    memory_bridge near("near", net.nics[0], map, params), far("far", net.nics[8], map);
    reader cpu("cpu");
    ram memory("memory");
    cpu.socket.bind(near.initiators);
    far.memory.bind(memory.socket);
    alarm slower("slower", ns(1499.5), [&] { net.engine.set_period(ns(2)); });
    sc_core::sc_start(ns(6000));
    if (cpu.took.size() != 4) return "not all came";
    const sc_time expected = (cpu.took[0] - ns(10)) * 2 + ns(10);
    if (cpu.took[0] < ns(40)) return "too fast";
    return cpu.took[1] == expected && cpu.took[3] == expected ? "" : cpu.took[1].to_string();
}

TEST(SystemcPeriod, KeepsTheCyclesOfAnAccess) {
    for (const access_mode mode : {access_mode::exact, access_mode::estimate})
        EXPECT_EQ(in_child([&] { return reads_at_half_speed(mode); }), "");
}

/// What is sent in the cycle of the reset comes after it.
TEST(SystemcReset, KeepsWhatIsSentInItsCycle) {
    hand_mesh net("m", 2, 2, {});
    told_messages traffic(1, 60, 0.5, 4);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    net.engine.run_until(50);
    sare::message m;
    m.source = 0;
    m.destination = 3;
    m.tag = 0;
    net.engine.send(m);
    net.engine.reset();
    net.engine.run_until(52);
    EXPECT_EQ(net.engine.net().view().changes().dropped_by_cause.count("reset"), 1U);
    for (const auto& [cycle, tag] : traffic.told) EXPECT_EQ(cycle, 51U) << tag;
    const std::uint64_t consumed = net.engine.net().view().packets_consumed();
    net.engine.run_until(1000);
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
    EXPECT_GE(net.engine.net().view().packets_consumed(), consumed + 1);
    EXPECT_GT(traffic.lost(), 5U);
}

/// Sends again what a reset takes away.
struct sends_again final : observer {
    explicit sends_again(cycle_engine& e) : engine(e) {}
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
    void message_consumed(const message_record&, cycle_t) override {}
    void packet_dropped(std::uint32_t, const packet&, cycle_t) override {
        sare::message m;
        m.source = 1;
        m.destination = 2;
        m.tag = 0;
        engine.send(m);
        ++sent;
    }
    cycle_engine& engine;
    std::uint64_t sent = 0;
};

/// While what else was asked for in that cycle is handed in, too.
TEST(SystemcReset, LetsAnObserverSendWhatItSeesLost) {
    hand_mesh net("m", 2, 2, {});
    net.engine.wiring().allow_block_resets();
    told_messages traffic(1, 60, 0.5, 4);
    sends_again observer(net.engine);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    net.engine.add_observer(observer);
    net.engine.run_until(50);
    for (auto& r : net.routers) r->reset();
    sare::message m;
    m.destination = 3;
    m.tag = 0;
    for (int k = 0; k < 3; ++k) net.engine.send(m);
    net.engine.run_until(1000);
    EXPECT_GT(observer.sent, 3U);
    EXPECT_EQ(traffic.deliveries[0], 1 + 3 + observer.sent);
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
}

TEST(SystemcReset, NeedsGeneralRoutersToResetABlock) {
    hand_mesh net("m", 2, 2, {});
    EXPECT_EQ(report_of([&] { net.engine.reset(); }), "m_engine cannot be reset: it is not elaborated yet");
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(report_of([&] { net.routers[1]->reset(); }),
              "m_engine cannot be reset: router 0 (vc, scanned) can only be reset with the whole network; "
              "routers are wide, which can, if allow_block_resets() is called before elaboration ends");
    EXPECT_EQ(report_of([&] { net.nics[1].reset(); }), report_of([&] { net.routers[1]->reset(); }));
}

TEST(SystemcReset, LosesOnlyWhatIsInABlock) {
    hand_mesh net("m", 3, 3, {});
    net.engine.wiring().allow_block_resets();
    told_messages traffic(1, 400, 0.2, 5);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    net.engine.set_workload(traffic);
    for (const cycle_t at : {50, 51, 120, 200}) {
        net.engine.run_until(at);
        net.routers[4]->reset();
        net.nics[2].reset();
    }
    net.engine.run_until(5000);
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
    EXPECT_EQ(traffic.unaccounted(), 0U);
    EXPECT_GT(traffic.lost(), 3U);
    EXPECT_LT(traffic.lost(), traffic.deliveries.size() / 4);
}

/// Two routers and their nodes; the links between the routers can sleep.
struct sleepy_row {
    explicit sleepy_row(std::uint32_t idle)
        : map(make_topology("mesh", {{"dims", "2,1"}})),
          routing(make_routing("dor", *map, params.vcs)),
          engine("engine", params.vcs) {
        engine.set_routing(*map, *routing);
        link_attributes between;
        between.idle = idle;
        between.wake = 20;
        for (std::uint32_t n = 0; n < 2; ++n) {
            routers.emplace_back(("r" + std::to_string(n)).c_str(), engine, params, 5);
            nics.emplace_back(("n" + std::to_string(n)).c_str(), engine);
            channels.emplace_back(("c" + std::to_string(n)).c_str(), engine, routers[n].port(4),
                                  nics[n].port());
        }
        channels.emplace_back("x", engine, routers[0].port(0), routers[1].port(1), between);
    }
    /// Cycles that a message takes that is sent in cycle `at`.
    cycle_t latency(cycle_t at) {
        engine.run_until(at);
        sare::message m;
        m.destination = 1;
        m.generated = at;
        engine.send(m);
        const std::uint64_t before = engine.net().view().packets_consumed();
        while (engine.net().view().packets_consumed() == before) engine.run_until(engine.cycle() + 1);
        return engine.cycle() - 1 - (at + 1);
    }
    router_params params;
    std::unique_ptr<topology> map;
    std::unique_ptr<routing_function> routing;
    cycle_engine engine;
    std::deque<router> routers;
    std::deque<nic> nics;
    std::deque<channel> channels;
};

TEST(SystemcLinkSleep, WorksByHand) {
    sleepy_row net(0);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    link& way = net.channels[2].forward;
    const cycle_t usual = zero_load(net.params, 2, 1);
    EXPECT_EQ(net.latency(1000), usual);
    net.engine.run_until(2000);
    way.power_down();
    EXPECT_EQ(net.latency(3000), usual + 20);
    EXPECT_EQ(way.wakings(), 1U);
    EXPECT_EQ(net.latency(4000), usual);
    net.engine.run_until(5000);
    way.power_down();
    net.engine.run_until(5100);
    EXPECT_TRUE(way.is_asleep());
    EXPECT_NE(dumped(way).find("sleeps after = power_down()\nwakes up in = 20 cycles\nis = asleep\n"),
              std::string::npos)
        << dumped(way);
    EXPECT_FALSE(net.channels[2].backward.is_asleep());
    way.power_up();  // in cycle 5101; awake from 5121 on
    EXPECT_EQ(net.latency(5200), usual);
    EXPECT_EQ(way.wakings(), 2U);
    EXPECT_NE(dumped(way).find("is = awake\ncycles asleep = "), std::string::npos) << dumped(way);
    EXPECT_GE(way.cycles_asleep(), 1000U + 100U);
    EXPECT_LE(way.cycles_asleep(), 1010U + 100U);
    EXPECT_EQ(net.channels[2].backward.cycles_asleep(), 0U);
    EXPECT_EQ(report_of([&] { net.channels[0].forward.power_down(); }),
              "c0.forward cannot sleep: its attributes have wake: 0, or elaboration is not over");
    EXPECT_EQ(report_of([&] { net.engine.set_power(2, false); }),
              "engine: of the links that can sleep there is no 2; there are 2");
    EXPECT_EQ(report_of([&] { net.engine.set_power(7, true); }),
              "engine: of the links that can sleep there is no 7; there are 2");
}

TEST(SystemcLinkSleep, BeginsWhenALinkIsIdle) {
    sleepy_row net(50);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const cycle_t usual = zero_load(net.params, 2, 1);
    EXPECT_EQ(net.latency(1000), usual + 20);
    EXPECT_EQ(net.latency(1060), usual);
    EXPECT_EQ(net.latency(1200), usual + 20);
    EXPECT_EQ(net.channels[2].forward.wakings(), 2U);
}

}  // namespace
}  // namespace sare::test::systemc_reset_test
