// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_script.h"
#include "tests/support/test_fabric.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"
#include "tlm/router/allocator/any_problem.h"
#include "tlm/router/allocator/wavefront.h"
#include "tlm/topology/region/wrapped_topology.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

/// Routers of more than 64 ports.
namespace sare::test::many_ports_test {
namespace {

/// Another topology whose routers have more ports, at which nothing is.
class with_spare_ports final : public wrapped_topology {
  public:
    with_spare_ports(std::unique_ptr<topology> map, std::uint32_t more)
        : wrapped_topology(std::move(map)), m_more(more) {}
    std::uint32_t ports(router_id r) const override { return wrapped().ports(r) + m_more; }
    port_peer peer(router_id r, port_id p) const override {
        return p.value < wrapped().ports(r) ? wrapped().peer(r, p) : port_peer{};
    }
    port_peer source(router_id r, port_id p) const override {
        return p.value < wrapped().ports(r) ? wrapped().source(r, p) : port_peer{};
    }

  private:
    std::uint32_t m_more;
};

/// The wavefront, called as policies of plug-ins are.
const allocator_registration<on_any_problem<wavefront_policy>> registered("told_wavefront", "For a test.");

config::value one_of(rng& random, const std::vector<const char*>& names) {
    return config::value::scalar(names[random.below(static_cast<std::uint32_t>(names.size()))]);
}

/// Random parameters of a router and a network.
fabric_setting draw(rng& random) {
    static const std::vector<std::pair<const char*, const char*>> networks = {
        {"mesh dims=3,3", "dor"},
        {"torus dims=4,2", "duato"},
        {"kary_ntree k=3 n=2", "tree_adaptive"},
        {"hyperx dims=4,3 concentration=2", "dal"},
        {"crossbar n=64", "table"}};
    fabric_setting s;
    std::tie(s.network, s.routing) = networks[random.below(5)];
    router_params& p = s.router;
    p.vcs = 3 + random.below(3);
    p.depth = 4 + random.below(4);
    p.rc_delay = random.below(2);
    p.va_delay = random.below(3);
    p.sa_delay = random.below(3);
    p.va_allocator = one_of(random, {"input_first", "output_first"});
    p.sa_allocator = one_of(random, {"input_first", "output_first"});
    const std::vector<const char*> arbiters = {"round_robin", "matrix",   "age",    "fifo", "longest",
                                               "priority",    "weighted", "random", "fixed"};
    p.va_arbiter = one_of(random, arbiters);
    p.sa_arbiter = one_of(random, arbiters);
    p.speculative = random.bernoulli(0.3);
    p.iterations = 1 + random.below(2);
    p.input_speedup = 1 + random.below(2);
    p.output_speedup = 1 + random.below(2);
    p.credit_batch = random.bernoulli(0.3) ? 3 : 1;
    p.selection = static_cast<selection_policy>(random.below(4));
    p.reallocation = reallocation_rule::atomic;  // what the escape of some functions rests on
    s.nic.max_packet_flits = 4;
    return s;
}

/// What becomes of random packets, with `more` ports at every router that lead nowhere.
std::vector<std::uint64_t> log_of(const fabric_setting& s, std::uint32_t more, std::uint64_t seed,
                                  std::uint32_t threads = 1) {
    fabric_setting its = s;
    its.threads.threads = threads;
    test_fabric f(its, std::make_unique<with_spare_ports>(network(s.network), more));
    packet_log log;
    f.net.stepper().add_observer(log);
    rng random(seed, stream::test, 2);
    scripted_traffic traffic(random_script(random, f.map().nodes(), 7, 60, 0.15));
    f.net.stepper().set_workload(&traffic);
    f.run(0, 20000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(f.net.view().flits_consumed(), f.net.view().flits_injected());
    return log.lines;
}

/// Round robin, ages and all other orders are among those that ask, so ports that nobody uses change nothing.
/// Not so the order of diagonals of a wavefront.
TEST(ManyPorts, ChangeNothingWhereTheyAreUnused) {
    rng random(6, stream::test, 1);
    for (std::uint64_t n = 0; n < 40; ++n) {
        const fabric_setting s = draw(random);
        const std::vector<std::uint64_t> few = log_of(s, 0, n);
        EXPECT_FALSE(few.empty());
        EXPECT_EQ(log_of(s, 66 + random.below(200), n), few) << "case " << n << ", " << s.network;
    }
}

/// A wavefront that is compiled in serves as the same one by the interface of policies does.
TEST(ManyPorts, AreServedByOneWavefrontAsByAnother) {
    rng random(7, stream::test, 1);
    for (std::uint64_t n = 0; n < 8; ++n) {
        fabric_setting s = draw(random);
        s.router.iterations = 1;
        s.router.va_arbiter = s.router.sa_arbiter = config::value::scalar("round_robin");
        s.router.va_allocator = s.router.sa_allocator = config::value::scalar("wavefront");
        const std::uint32_t more = 66 + random.below(100);
        const std::vector<std::uint64_t> compiled = log_of(s, more, n);
        s.router.va_allocator = s.router.sa_allocator = config::value::scalar("told_wavefront");
        EXPECT_EQ(log_of(s, more, n), compiled) << "case " << n << ", " << s.network;
    }
}

TEST(ManyPorts, GiveTheSameByThreads) {
    fabric_setting s;
    s.network = "kary_ntree k=33 n=2";
    s.routing = "tree_adaptive";
    EXPECT_EQ(log_of(s, 0, 1, 2), log_of(s, 0, 1, 1));
}

/// Any radix and any setting: every step is checked, and nothing is lost. Packets of INSEE's switch, too.
TEST(ManyPorts, LoseNothingAtAnyRadix) {
    rng random(8, stream::test, 1);
    for (std::uint64_t n = 0; n < 12; ++n) {
        fabric_setting s = draw(random);
        s.network = "crossbar n=" + std::to_string(65 + random.below(n % 4 == 0 ? 960 : 200));
        s.routing = "table";
        s.checked = true;
        if (n % 3 == 0) s.router.va_allocator = s.router.sa_allocator = config::value::scalar("wavefront");
        EXPECT_FALSE(log_of(s, 0, n).empty());
    }
    for (const char* kind : {"multistage vcs=2 packet=4", "multistage vcs=3 packet=4 routing=adaptive"}) {
        fabric_setting s;
        s.network = "xgft m=70,3 w=1,64";
        s.kind = kind;
        EXPECT_FALSE(log_of(s, 0, 9).empty());
    }
}

/// Without a queue anywhere a packet takes the cycles of one link, the router, the other link and its flits,
/// from any port to any.
TEST(ManyPorts, TakeNoTimeOfTheirOwn) {
    fabric_setting s;
    s.network = "crossbar n=512";
    s.routing = "table";
    std::vector<sare::message> script;
    for (std::uint32_t k = 0; k < 100; ++k) {
        sare::message m;
        m.source = k * 37 % 512;
        m.destination = 511 - k * 53 % 511;
        m.flits = 1 + k % 5;
        m.generated = k * 50;
        script.push_back(m);
    }
    test_fabric f(s);
    packet_log log;
    f.net.stepper().add_observer(log);
    scripted_traffic traffic(script);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 10000);
    std::size_t consumed = 0;
    for (std::size_t k = 0; k < log.lines.size(); k += 8) {
        if (log.lines[k] % 2 != 0) continue;
        const std::uint64_t flits = log.lines[k + 4];
        EXPECT_EQ(log.lines[k] / 2 - log.lines[k + 6], f.model().head_cycles() + 2 + flits);
        ++consumed;
    }
    EXPECT_EQ(consumed, 100U);
}

/// Flits a node and cycle that a crossbar of 512 ports carries where every node has always more to send.
double saturated(fabric_setting s, const std::string& pattern) {
    constexpr cycle_t warmup = 400, cycles = 600;
    s.network = "crossbar n=512";
    s.routing = "table";
    s.nic.max_packet_flits = 1;
    test_fabric f(s);
    const auto traffic = traffic_of("bernoulli load=1 pattern=" + pattern, 512, "fixed");
    f.net.stepper().set_workload(traffic.get());
    f.run(0, warmup);
    const std::uint64_t before = f.net.view().flits_consumed();
    f.run(warmup, warmup + cycles);
    return static_cast<double>(f.net.view().flits_consumed() - before) / (512 * cycles);
}

/// With one FIFO an input, uniform traffic gets 2 - sqrt(2) of many ports (M. Karol et al., "Input versus
/// output queueing on a space-division packet switch", 1987); with 8 VCs more, and a permutation gets all.
TEST(ManyPorts, SaturateAsTheoryHasIt) {
    fabric_setting s;
    s.router.vcs = 1;
    s.router.depth = 16;
    s.router.rc_delay = s.router.va_delay = 0;  // a VC can send a packet of one flit in every cycle
    EXPECT_NEAR(saturated(s, "uniform"), 2 - std::sqrt(2), 0.01);
    EXPECT_NEAR(saturated(s, "random_permutation"), 1, 0.005);
    s.router.vcs = 4;
    s.router.sa_allocator = config::value::scalar("wavefront");
    const double with_vcs = saturated(s, "uniform");
    EXPECT_GT(with_vcs, 0.7);
    EXPECT_LE(with_vcs, 1);
}

/// HPCC's switch of 65 hosts (mix/topology.txt), an incast of 64 to 1: the last link is the bound, 16 bytes a
/// cycle.
TEST(ManyPorts, CarryTheIncastOf65Hosts) {
    const experiment e = experiment::read(config::parse_yaml("network: {topology: crossbar, n: 65}\n"
                                                             "traffic: {workload: incast, bytes: 5000}\n"
                                                             "nic: {flit_bytes: 16}\n",
                                                             "test"),
                                          "");
    simulation its(e);
    const run_result r = its.run(e);
    const double flits = 64 * std::ceil(5000. / 16);
    EXPECT_GE(static_cast<double>(r.cycles), flits);
    EXPECT_LE(static_cast<double>(r.cycles), flits + 20);
}

}  // namespace
}  // namespace sare::test::many_ports_test
