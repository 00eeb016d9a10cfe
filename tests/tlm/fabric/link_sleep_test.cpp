// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/fabric/domain_runs.h"
#include "tlm/config/yaml.h"
#include "tlm/network/results/sleep_table.h"
#include "tlm/network/simulation.h"
#include "tlm/topology/changed_links.h"

#include <gtest/gtest.h>

/// Links that sleep, and routers that go off.
namespace sare::test::link_sleep_test {
namespace {

constexpr cycle_t apart = 2000;

/// Cycles from generation to consumption of packets that are alone, and how often links woke.
struct lone_run {
    std::vector<cycle_t> latencies;
    std::vector<std::uint32_t> hops;
    std::uint64_t wakings = 0, asleep = 0, cycles = 0, links = 0;
};

std::uint64_t network_size(const std::string& line) {
    return network(line)->routers();
}

lone_run run_alone(const fabric_setting& s, std::unique_ptr<topology> map = nullptr) {
    test_fabric f(s, std::move(map));
    std::vector<sare::message> script = lone_messages(f.map().nodes(), 3, apart);
    for (sare::message& m : script) m.generated += apart;  // when all links sleep
    scripted_traffic traffic(script);
    struct times final : observer {
        lone_run all;
        void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
        void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
            all.latencies.push_back(now - p.generated);
            all.hops.push_back(p.hops);
        }
        void message_consumed(const message_record&, cycle_t) override {}
    } seen;
    f.net.stepper().set_observer(&seen);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 10'000'000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    seen.all.cycles = f.net.port().now();
    using kind = link_end::kind;
    const auto add = [&](const link_end& from) {
        if (const link_sleep* l = f.net.view().sleeper_of(from)) {
            seen.all.wakings += l->wakings();
            seen.all.asleep += l->cycles_asleep(f.net.port().now());
            ++seen.all.links;
        }
    };
    for (std::uint32_t r = 0; r < f.net.view().routers(); ++r)
        for (std::uint32_t p = 0; p < f.net.view().ports(r); ++p) add({kind::router, r, p});
    for (std::uint32_t n = 0; n < f.net.view().nodes(); ++n) add({kind::nic, n, 0});
    for (const auto& [r, gate] : f.net.view().gates()) {
        seen.all.wakings += gate.wakings();
        seen.all.asleep += gate.cycles_asleep(f.net.port().now());
    }
    return seen.all;
}

/// A packet that is alone takes the time of waking longer for each sleeping link on its way; the links sleep
/// all the time but from the first flit's coming until they have been idle for so long.
TEST(LinkSleep, DelaysALonePacketAtEveryLink) {
    for (const char* kind : {"", "bubble", "dally", "apenet sync=3"})
        for (const std::uint32_t wake : {1u, 7u, 60u})
            for (const bool speculative : {false, true}) {
                fabric_setting s;
                s.network = *kind == 0 ? "mesh dims=4,4 link_latency=2" : "torus dims=4,4";
                s.kind = kind;
                s.router.speculative = speculative;
                s.nic.max_packet_flits = 3;
                const lone_run awake = run_alone(s);
                s.network += " link_idle=5 link_wake=" + std::to_string(wake);
                const lone_run slept = run_alone(s);
                SCOPED_TRACE(s.network + " " + kind);
                ASSERT_EQ(awake.latencies.size(), slept.latencies.size());
                ASSERT_GT(awake.latencies.size(), 10U);
                std::uint64_t links = 0;
                for (std::size_t k = 0; k < awake.latencies.size(); ++k) {
                    EXPECT_EQ(slept.latencies[k], awake.latencies[k] + wake * (slept.hops[k] - 1U));
                    links += slept.hops[k] - 1U;
                }
                EXPECT_EQ(slept.wakings, links);
                EXPECT_EQ(awake.links, 0U);
                EXPECT_LT(slept.asleep, slept.links * slept.cycles);
                EXPECT_GT(slept.asleep, slept.links * slept.cycles * 9 / 10);
            }
}

/// The links of nodes, too.
TEST(LinkSleep, WorksForLinksOfNodes) {
    fabric_setting s;
    s.network = "mesh dims=3,3";
    const auto map = [](std::uint32_t wake) {
        const config::value one = config::value::map({{"node", config::value::scalar("all")},
                                                      {"wake", config::value::scalar(std::to_string(wake))},
                                                      {"idle", config::value::scalar("4")}});
        return with_changed_links(network("mesh dims=3,3"), config::value::list({one}));
    };
    const lone_run awake = run_alone(s), slept = run_alone(s, map(9));
    for (std::size_t k = 0; k < awake.latencies.size(); ++k)
        EXPECT_EQ(slept.latencies[k], awake.latencies[k] + 2 * 9);
    EXPECT_EQ(slept.wakings, 2 * awake.latencies.size());
    EXPECT_EQ(slept.links, 18U);
}

/// A link that always has something to carry sleeps no more: nothing is different but the first waking.
TEST(LinkSleep, KeepsABusyLinkAwake) {
    const auto arrivals = [](const char* sleeps) {
        fabric_setting s;
        s.network = std::string("mesh dims=2,1") + sleeps;
        s.nic.max_packet_flits = 800;
        s.router.depth = 16;
        sare::message m;
        m.destination = 1;
        m.flits = 800;
        test_fabric f(s);
        scripted_traffic traffic(std::vector<sare::message>(1, m));
        struct times final : observer {
            std::vector<cycle_t> all;
            void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
            void packet_consumed(std::uint32_t, const packet&, cycle_t now) override { all.push_back(now); }
            void message_consumed(const message_record&, cycle_t) override {}
        } seen;
        f.net.stepper().set_observer(&seen);
        f.net.stepper().set_workload(&traffic);
        f.run(0, 100'000);
        EXPECT_EQ(f.net.view().leftovers(), "");
        const link_sleep* const l = f.net.view().sleeper_of({link_end::kind::router, 0, 0});
        EXPECT_TRUE(l == nullptr || l->wakings() == 1U);
        return seen.all;
    };
    const auto without = arrivals(""), with = arrivals(" link_idle=1 link_wake=40");
    ASSERT_EQ(without.size(), with.size());
    ASSERT_EQ(with.size(), 1U);
    for (std::size_t k = 0; k < with.size(); ++k) EXPECT_EQ(with[k], without[k] + 40);
}

TEST(LinkSleep, ListsLinksThatCanSleepInItsTable) {
    test_fabric plain(fabric_setting{});
    EXPECT_EQ(sleep_table(plain.net.view(), 1000), "");
    fabric_setting s;
    s.network = "mesh dims=2,1 link_idle=10 link_wake=3";
    sare::message m;
    m.destination = 1;
    m.generated = 100;
    test_fabric f(s);
    scripted_traffic traffic({m});
    f.net.stepper().set_workload(&traffic);
    f.run(0, 1000);
    // A NIC, a link, RC, VA: SA of the router wants the link; it is awake 3 cycles later, and asleep again 11
    // after that.
    const std::uint64_t woken = 100 + s.nic.delay + 1 + s.router.effective_rc_delay() + s.router.va_delay;
    const std::uint64_t asleep = woken - 10 + 200 - (woken + 3 + 1 + 10);
    EXPECT_EQ(asleep, 176U);
    EXPECT_EQ(sleep_table(f.net.view(), 200),
              "from,from_port,to,to_port,kind,asleep,share,wakings\n0,0,1,1,router,176,0.88,1\n"
              "1,1,0,0,router,190,0.95,0\n");
}

/// A run that ends when all has arrived: its last credits are still on their way then, and how far the engine
/// goes on with them depends on how quick the machine is.
TEST(LinkSleep, EndsItsTableWithTheRun) {
    const experiment e = experiment::read(
        config::parse_yaml(
            "network: {topology: torus, dims: [4], link_latency: 7, link_idle: 9, link_wake: 5}\n"
            "traffic: {workload: burst, pattern: neighbour}\n",
            "test"),
        ".");
    simulation its(e);
    const run_result r = its.run(e);
    const auto table = std::find_if(r.tables.begin(), r.tables.end(),
                                    [](const auto& named) { return named.first == sleep_file; });
    ASSERT_NE(table, r.tables.end());
    // Against the pattern nothing goes: asleep from cycle 9 on.
    const std::string unused = ",router," + std::to_string(r.cycles - 9) + ',';
    std::size_t found = 0;
    for (std::size_t at = 0; (at = table->second.find(unused, at)) != std::string::npos; ++at) ++found;
    EXPECT_EQ(found, 4U) << r.cycles << " cycles\n" << table->second;
}

/// Told to sleep again and again, while flits queue for it in cycle 10: it is woken once.
TEST(LinkSleep, DoesNotFallAsleepWithFlitsToCarry) {
    link_sleep l(0, 1000);
    l.power_down(5);
    cycle_t start = l.ready(10, 10);
    EXPECT_EQ(start, 1010U);
    for (cycle_t n = 1; n < 4; ++n) {
        l.carry(start, 1);
        l.power_down(10);
        start = l.ready(10, start + 1);
        EXPECT_EQ(start, 1010 + n);
    }
    EXPECT_EQ(l.wakings(), 1U);
}

TEST(LinkSleep, CountsCyclesAsleepAndWakings) {
    link_sleep l(10, 3);
    EXPECT_FALSE(l.is_asleep(9));
    EXPECT_TRUE(l.is_asleep(10));
    EXPECT_EQ(l.cycles_asleep(15), 5U);
    EXPECT_EQ(l.ready(20, 20), 23U);
    EXPECT_EQ(l.ready(21, 21), 23U);
    EXPECT_EQ(l.ready(24, 24), 24U);
    l.carry(24, 2);
    EXPECT_FALSE(l.is_asleep(35));
    EXPECT_TRUE(l.is_asleep(36));
    EXPECT_EQ(l.wakings(), 1U);
    EXPECT_EQ(l.cycles_asleep(40), 10U + 4U);
    l.power_up(40);
    EXPECT_EQ(l.ready(41, 41), 43U);
    l.power_down(44);
    EXPECT_TRUE(l.is_asleep(44));
    l.power_down(60);
    EXPECT_EQ(l.cycles_asleep(50), 14U + 6U);
    l.reset(50);
    EXPECT_FALSE(l.is_asleep(50));
    EXPECT_EQ(l.cycles_asleep(50), 20U);
    EXPECT_EQ(l.wakings(), 2U);

    link_sleep by_hand(0, 5);
    EXPECT_FALSE(by_hand.is_asleep(1'000'000));
    by_hand.carry(7, 4);
    by_hand.power_down(8);  // when it has carried what it was given
    EXPECT_FALSE(by_hand.is_asleep(10));
    EXPECT_TRUE(by_hand.is_asleep(11));
    EXPECT_EQ(by_hand.ready(12, 12), 17U);
}

/// A packet that is alone waits for each of the k routers on its way, and for nothing else.
TEST(RouterGate, DelaysALonePacketAtEveryRouter) {
    for (const std::uint32_t wake : {1u, 7u, 60u})
        for (const bool fast : {false, true})
            for (const char* const network :
                 {"mesh dims=4,4 link_latency=2", "torus dims=3,3 link_cycles_per_flit=2"}) {
                fabric_setting s;
                s.network = network;
                s.compact_allowed = fast;
                s.nic.max_packet_flits = 3;
                const lone_run on = run_alone(s);
                s.router.idle = 5;
                s.router.wake = wake;
                const lone_run gated = run_alone(s);
                SCOPED_TRACE(s.network + " wake " + std::to_string(wake));
                ASSERT_EQ(on.latencies.size(), gated.latencies.size());
                std::uint64_t visits = 0;
                for (std::size_t k = 0; k < on.latencies.size(); ++k) {
                    EXPECT_EQ(gated.latencies[k], on.latencies[k] + wake * gated.hops[k]);
                    visits += gated.hops[k];
                }
                EXPECT_EQ(gated.wakings, visits);
                EXPECT_GT(gated.asleep, network_size(s.network) * gated.cycles * 9 / 10);
            }
}

/// Routers that never get a chance to go off are as those without a gate; others depend on no order in which
/// routers are run.
TEST(RouterGate, DependsOnNoOrderOfEvaluation) {
    rng random(test_seed(3), stream::test, 52);
    for (int n = 0; n < 6; ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const auto all = script(network(net.line)->nodes(), s.seed, {}, {0.02, 900, 6});
        const rows on = sorted(log_of(s, network(net.line), all), itself);
        s.router.wake = 1 + random.below(20);
        s.router.idle = 20'000;
        ASSERT_EQ(on, sorted(log_of(s, network(net.line), all), itself)) << net.line;
        s.router.idle = 1 + random.below(12);
        const rows gated = sorted(log_of(s, network(net.line), all), itself);
        ASSERT_NE(on, gated) << net.line;
        ASSERT_EQ(gated, sorted(log_of(s, network(net.line), all, 5), itself)) << net.line;
    }
}

/// What each router spends is the sum of what it would have, less what it saved, and what wakings cost.
TEST(RouterGate, SavesAndCostsToTheAttojoule) {
    const auto energies = [](const std::string& gating) {
        return in_child([&] {
            const experiment e = experiment::read(
                config::parse_yaml(
                    "clock_period: 5ns\nnetwork: {topology: mesh, dims: [3, 3]}\n"
                    "router: {vcs: 2, depth: 4, wake: 7, idle: 9}\nnic: {flit_bytes: 4}\n"
                    "traffic: {workload: bernoulli, load: 0.02, length: 3}\n"
                    "measurement: {warmup: 300, convergence_count: 0, batch: 500, batches: 2}\n"
                    "power: {table: osu018, gating: {" +
                        gating + "}}\n",
                    "test"),
                ".");
            const run_result r = simulation(e).run(e);
            std::ostringstream all;
            all.precision(17);
            double off = 0, wakings = 0;
            for (std::size_t k = 0; k < r.router_places.size(); ++k) {
                off += r.column_of(scope::router, "off").number(k);
                wakings += r.column_of(scope::router, "wakings").number(k);
            }
            for (const char* const name : {"total", "clock", "leakage"})
                all << r.figure_of(std::string("power.energy.") + name) << ' ';
            all << r.figure_of("power.gating.saved") << ' ' << r.figure_of("power.gating.cost") << ' ' << off
                << ' ' << wakings;
            return all.str();
        });
    };
    struct figures {
        double total, clock, leakage, saved, cost, off, wakings;
    };
    const auto read = [&](const std::string& gating) {
        figures f{};
        std::istringstream(energies(gating)) >> f.total >> f.clock >> f.leakage >> f.saved >> f.cost >>
            f.off >> f.wakings;
        return f;
    };
    const figures only_clock = read("leakage: 1"), free = read("break_even: 0"),
                  dear = read("break_even: 40"), half = read("leakage: 0.5, break_even: 40");
    EXPECT_GT(only_clock.off, 9 * 500);
    EXPECT_GT(only_clock.wakings, 50);
    EXPECT_GT(only_clock.saved, 0);
    EXPECT_EQ(only_clock.cost, 0);
    EXPECT_EQ(free.cost, 0);
    EXPECT_GT(dear.cost, 0);
    constexpr double half_an_attojoule = 5e-7, rounded = 1e-5;  // in pJ
    const auto near = [](double a, double b) { EXPECT_NEAR(a, b, half_an_attojoule); };
    near(free.total - free.cost + free.saved, only_clock.total + only_clock.saved);
    near(dear.total - dear.cost + dear.saved, only_clock.total + only_clock.saved);
    near(half.total - half.cost + half.saved, only_clock.total + only_clock.saved);
    EXPECT_NEAR(half.cost, dear.cost / 2, rounded);
    EXPECT_NEAR(half.saved - only_clock.saved, (dear.saved - only_clock.saved) / 2, rounded);
    near(dear.clock, only_clock.clock);
}

/// The line in which a run is refused; "" if it is not.
std::string refusal(const std::string& more) {
    return in_child([&] {
        experiment e = experiment::read(
            config::parse_yaml("network: {topology: mesh, dims: [3, 3]}\n"
                               "traffic: {workload: bernoulli, load: 0.02}\nmeasurement: {warmup: 0, "
                               "convergence_count: 0, batch: 100, batches: 2}\n" +
                                   more,
                               "test"),
            ".");
        simulation s(e);
        s.run(e);
        return std::string();
    });
}

TEST(RouterGate, IsRefusedWhereItCannotBe) {
    const std::string gated = "router: {wake: 9}\n";
    EXPECT_EQ(refusal(gated), "");
    EXPECT_EQ(refusal("router: {depth: 8}\nrouters: [{at: [4], wake: 9}]\n"), "");
    for (const auto& [more, said] : {
             std::pair<std::string, const char*>{
                 gated + "domains: {a: {routers: 4, clock: 2}}\n",
                 "with its routers ('wake'), and is of routers of other clocks"},
             {gated + "routing: up_down\nfailures: {events: [{between: [1, 2], at: 50}]}\n",
              "and routers go off ('wake')"},
             {"router: {wake: 9, forking: asynchronous}\n",
              "'wake' lets routers go off, which count the flits"},
             {"router: {kind: bubble, wake: 9}\n", "unknown key 'wake'"},
             {"router: {wake: 5000}\n", "wake"},
             {"router: {wake: 5, idle: 0}\n", "idle"},
         }) {
        const std::string line = refusal(more);
        EXPECT_NE(line.find(said), std::string::npos) << more << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace sare::test::link_sleep_test
