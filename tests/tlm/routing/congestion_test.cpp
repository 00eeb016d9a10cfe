// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tlm/fabric/network_state.h"
#include "tlm/router_api/registry.h"
#include "tlm/routing/routing_support.h"

#include <gtest/gtest.h>

#include <map>

/// Routing functions that look at congestion.
namespace sare::test::congestion_test {
namespace {

using config::value;

/// Dimension order, by a function that says that it looks.
class looking : public routing_function {
  public:
    explicit looking(const routing_context& c) : m_plain(test::routing("dor", *c.network, c.vcs)) {}
    std::string name() const override { return "looking"; }
    bool tabular() const override { return m_plain->tabular(); }
    bool looks_at_congestion() const override { return true; }
    void begin(route_header& h, rng& random) const override { m_plain->begin(h, random); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        m_plain->every_header(plain, out);
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        m_plain->route(r, in, in_vc, h, out);
    }

  private:
    std::unique_ptr<routing_function> m_plain;
};

/// A ring, the shorter way or the other way round, decided at the source by queue times hops (UGAL-L): the
/// lower half of the VCs up to the link between the last router and router 0, the upper half from it on.
class ring_by_queues final : public routing_function {
  public:
    explicit ring_by_queues(const routing_context& c)
        : m_n(c.network->routers()), m_vcs(vc_classes(0, c.vcs)) {}
    std::string name() const override { return "ring_by_queues"; }
    bool deterministic() const override { return false; }
    bool looks_at_congestion() const override { return true; }

    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        for (const bool back : {false, true}) {
            out.push_back(plain);
            out.back().state = way(plain.source, plain.destination, back);
        }
    }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const std::uint32_t t = h.destination;
        if (r == t) return out.add(2, m_vcs.all);
        const bool back = (h.state & backward) != 0;
        const bool late = (h.state & crosses) != 0 && (back ? r == 0 || r > t : r == m_n - 1 || r < t);
        out.add(back ? 1 : 0, late ? m_vcs.high : m_vcs.low);
    }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override {
        if ((h.state & decided) == 0) {
            const std::uint32_t ahead = (h.destination + m_n - r) % m_n, back = m_n - ahead;
            const std::uint32_t shorter = ahead <= back ? 0 : 1, hops = std::min(ahead, back);
            const bool detour = here.queue(shorter) * hops > here.queue(1 - shorter) * (m_n - hops);
            h.state = way(r, h.destination, (shorter == 1) != detour);
        }
        route(r, in, in_vc, h, out);
    }

  private:
    static constexpr std::uint16_t decided = 1, backward = 2, crosses = 4;
    static std::uint16_t way(std::uint32_t s, std::uint32_t t, bool back) {
        return static_cast<std::uint16_t>(decided | (back ? backward : 0) |
                                          ((back ? t > s : t < s) ? crosses : 0));
    }
    std::uint32_t m_n;
    vc_classes m_vcs;
};

/// What watching::route_seeing() holds against what it is shown.
struct watched {
    const fabric* net = nullptr;
    std::map<cycle_t, std::vector<std::uint32_t>> queues;  ///< of all ports, after each cycle
    bool whole_packets = false;                            ///< those that are not all here do not wait yet
    bool phits = false;  ///< all heads bid at once, and nodes take packets unasked
    std::uint64_t looks = 0, busy = 0, waited = 0;
    std::string problem;

    void note(cycle_t t) {
        std::vector<std::uint32_t>& all = queues[t];
        for (std::uint32_t r = 0; r < net->view().routers(); ++r)
            for (std::uint32_t p = 0; p < net->view().ports(r); ++p)
                all.push_back(
                    router_congestion(static_cast<const network_state&>(net->context()), r).queue(p));
        check_usual();
    }
    /// What a kind without a count of its own would show: of packets that bid or have an output VC.
    void check_usual() {
        for (std::uint32_t r = 0; r < net->view().routers(); ++r)
            for (std::uint32_t p = 0; p < net->view().ports(r); ++p) {
                const router_bank& bank = net->view().bank_of(r);
                const std::uint32_t k = net->view().in_bank(r);
                const std::uint32_t usual = bank.router_bank::waiting(k, p), all = bank.waiting(k, p);
                const bool between =
                    net->view().map()->peer(router_id(r), port_id(p)).what != port_peer::kind::node;
                if (usual > all || (phits && between && usual != all)) problem = "kinds count differently";
                waited += usual;
            }
    }
    void check_told(const congestion_view& here, std::uint32_t delay) {
        const cycle_t now = net->port().now();
        auto then = queues.upper_bound(now - delay);
        const bool none = now < delay || then == queues.begin();
        std::size_t place = 0;
        for (std::uint32_t r = 0; r < net->view().routers(); ++r)
            for (std::uint32_t p = 0; p < net->view().ports(r); ++p, ++place) {
                const std::uint32_t expected = none ? 0 : std::prev(then)->second[place];
                busy += expected != 0;
                if (here.told(r, p) != expected) problem = "the board tells another cycle's queues";
            }
    }
    /// All flits here wait for some port, but those behind the head that asks.
    void check_here(const congestion_view& here, std::uint32_t r, std::uint32_t in, std::uint32_t in_vc) {
        std::uint32_t flits = 0, waiting = 0;
        for (std::uint32_t p = 0; p < net->view().ports(r); ++p) {
            waiting += here.waiting(p);
            std::uint32_t queue = here.waiting(p);
            for (std::uint32_t v = 0; v < net->view().vcs(); ++v) {
                if (p != in || v != in_vc) flits += net->view().in(r, p, v).count;
                queue += here.used(p, v);
                if (here.free(p, v) != net->view().out(r, p, v).credits)
                    problem = "free places are not the credits";
                if (here.free(p, v) + here.used(p, v) != net->view().depth_beyond(r, p))
                    problem = "places are lost";
            }
            if (queue != here.queue(p)) problem = "a queue is not its parts";
        }
        if (waiting > flits || (waiting != flits && !whole_packets))
            problem = "flits wait that are not here, or the other way round";
        ++looks;
    }
};
watched* log = nullptr;

struct watching_parameters {
    std::uint32_t delay = 5;
};

class watching final : public looking {
  public:
    watching(const watching_parameters& p, const routing_context& c) : looking(c), m_delay(p.delay) {}
    std::string name() const override { return "watching"; }
    std::uint32_t board_delay() const override { return m_delay; }
    void route_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                      const congestion_view& here, route_set& out) const override {
        log->check_here(here, r, in, in_vc);
        if (m_delay != 0) log->check_told(here, m_delay);
        route(r, in, in_vc, h, out);
    }

  private:
    std::uint32_t m_delay;
};

using no = config::no_parameters;
const config::registration<routing_function, const routing_context&> plain_looking{
    "looking", "Test.", config::schema<no>(),
    [](const no&, const value&, const routing_context& c) { return new looking(c); }};
const config::registration<routing_function, const routing_context&> by_queues{
    "ring_by_queues", "Test.", config::schema<no>(),
    [](const no&, const value&, const routing_context& c) { return new ring_by_queues(c); }};
const config::registration<routing_function, const routing_context&> watcher{
    "watching", "Test.",
    config::schema<watching_parameters>().number("delay", &watching_parameters::delay, 0, 100, "cycles",
                                                 "until a router knows of the others"),
    [](const watching_parameters& p, const value&, const routing_context& c) { return new watching(p, c); }};

fabric_setting ring(const std::string& routing) {
    fabric_setting s;
    s.network = "ring n=8";
    s.routing = routing;
    s.router.vcs = 8;
    s.router.depth = 16;
    return s;
}

std::shared_ptr<const router_model> kind(const std::string& line) {
    return router_registry::instance().make(section(line, "kind"));
}

/// All nodes of a ring of 8 send packets of 8 flits to the third on.
double accepted(const fabric_setting& s, double load,
                const std::shared_ptr<const router_model>& model = nullptr) {
    test_fabric f(s, nullptr, model);
    value all = section("bernoulli load=" + std::to_string(load), "workload");
    all.set("pattern", section("tornado", "name"));
    all.set("length", section("fixed flits=8", "name"));
    const auto traffic = workload_registry::instance().make(all, workload_context{"", f.net.view().nodes()});
    f.net.stepper().set_workload(traffic.get());
    f.run(0, 2000);
    const std::uint64_t before = f.net.view().flits_consumed();
    f.run(2000, 8000);
    return static_cast<double>(f.net.view().flits_consumed() - before) / (6000.0 * f.net.view().nodes());
}

TEST(Congestion, DetoursRoundARingWithoutDeadlock) {
    const deadlock_report report = check("ring_by_queues", *test::network("ring n=8"), 2);
    EXPECT_EQ(report.result, deadlock_report::verdict::acyclic) << report.text;
}

/// By the shorter way all packets go 3 links on, so the network takes a third of a flit a node and cycle.
/// Sent 5 / 8 that way and the rest by the 5 links of the other, they load all links alike: 8 / 15.
void expect_more_than_the_shorter_way(const fabric_setting& minimal,
                                      const std::shared_ptr<const router_model>& model = nullptr) {
    constexpr double load = 0.39;
    fabric_setting adaptive = minimal;
    adaptive.routing = "ring_by_queues";
    EXPECT_LE(accepted(minimal, load, model), 1.0 / 3);
    EXPECT_GE(accepted(adaptive, load, model), 0.98 * load);
    EXPECT_LE(accepted(adaptive, 1, model), 8.0 / 15);
}

TEST(Congestion, SpreadsTornadoTrafficOverBothWaysRoundARing) {
    expect_more_than_the_shorter_way(ring("dor"));
}

TEST(Congestion, SpreadsTornadoTrafficWithPhitRouters) {
    fabric_setting s = ring("dor");
    s.router.vcs = 2;
    s.nic.max_packet_flits = 8;
    expect_more_than_the_shorter_way(
        s, kind("dally vcs=2 queue=4 packet=8 injection=shortest injection_queues=2"));
}

/// Where nothing is congested, the shorter way is taken.
TEST(Congestion, LeavesLightTrafficOnTheShorterRoute) {
    test_fabric f(ring("ring_by_queues"));
    std::vector<sare::message> script;
    for (std::uint32_t n = 0; n < 8; ++n) {
        script.emplace_back();
        script.back().source = n;
        script.back().destination = (n + 3) % 8;
        script.back().generated = 100 * n;
    }
    scripted_traffic traffic(script);
    packet_log log_of;
    f.net.stepper().set_observer(&log_of);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 2000);
    EXPECT_EQ(f.net.view().flits_consumed(), 8u);
    EXPECT_EQ(f.net.view().flit_hops(), 8u * 4);
}

/// Watches a network until it is empty; gives what it found.
watched watch(fabric_setting s, const std::shared_ptr<const router_model>& model = nullptr) {
    watched found;
    log = &found;
    test_fabric f(s, nullptr, model);
    found.net = &f.net;
    found.phits = model != nullptr;
    found.whole_packets = s.router.switching == switching_mode::store_and_forward;
    const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
    f.net.stepper().set_workload(traffic.get());
    for (cycle_t t = 0; t < 1500; t = f.net.stepper().next_work(t)) {
        f.net.stepper().step(t);
        found.note(t);
    }
    found.net = nullptr;
    return found;
}

TEST(Congestion, IsSeenInTheRouterAndReportedByOthers) {
    rng draw(7, stream::test, 0);
    for (int k = 0; k < 24; ++k) {
        fabric_setting s;
        s.network = k % 2 == 0 ? "torus dims=4,4" : "mesh dims=3,5 link_latency=3";
        // Light traffic, too: then there are cycles that are never run.
        s.traffic = "bernoulli load=" + std::string(k % 3 == 0 ? "0.01" : "0.5");
        s.length = "range min=1 max=6";
        s.routing = "watching delay=" + std::to_string(draw.below(12));
        s.router.vcs = 4;
        s.router.depth = 8;
        s.router.rc_delay = draw.below(3);
        s.router.va_delay = draw.below(3);
        s.nic.max_packet_flits = 8;
        s.router.switching = static_cast<switching_mode>(draw.below(3));
        const watched w = watch(s);
        EXPECT_EQ(w.problem, "") << s.routing << ", " << s.network;
        EXPECT_GT(w.looks, 100u);
        EXPECT_TRUE(w.waited > 100 || k % 3 == 0);  // light traffic need not wait
        EXPECT_EQ(w.busy != 0, s.routing != "watching delay=0");
    }
}

TEST(Congestion, IsSeenInPhitRouters) {
    fabric_setting s;
    s.network = "mesh dims=4,4";
    s.traffic = "bernoulli load=0.5";
    s.length = "fixed flits=4";
    s.routing = "watching delay=3";
    s.router.vcs = 2;
    s.nic.max_packet_flits = 4;
    const watched w = watch(s, kind("multistage vcs=2 queue=4 packet=4"));
    EXPECT_EQ(w.problem, "");
    EXPECT_GT(w.busy, 1000u);
    EXPECT_GT(w.waited, 1000u);
}

/// A router in RTL, or of somebody else's, does not show what is in it.
TEST(Congestion, NeedsRoutersThatShowIt) {
    struct : foreign_endpoint {
        void flit_arrived(const flit&) override {}
        void credit_arrived(std::uint32_t, std::uint32_t) override {}
    } block;
    using end = link_end;
    const auto map = test::network("mesh dims=2,1");
    const auto way = test::routing("looking", *map, 1);
    router_params p;
    p.vcs = 1;
    fabric net(1, 1, 1);
    net.builder().set_routing(*map, *way);
    for (std::uint32_t r = 0; r < 2; ++r)
        net.builder().add_router(std::make_shared<vc_model>(p), map->ports(router_id(r)));
    net.builder().connect({end::kind::router, 0, 0},
                          {end::kind::foreign, net.builder().add_foreign(block), 0}, {},
                          end{end::kind::router, 1, 1});
    try {
        net.builder().finish();
        FAIL() << "a network with a router that shows nothing was built";
    } catch (const config::error& e) {
        EXPECT_STREQ(e.what(),
                     "routing looking looks at congestion, of which router 1 tells nothing: it is no "
                     "router of the model's");
    }
}

/// A board that is not asked for is not there.
TEST(Congestion, IsNotReportedWithoutABoard) {
    test_fabric f(ring("looking"));
    EXPECT_THROW(router_congestion(static_cast<const network_state&>(f.net.context()), 0).told(1, 0),
                 std::logic_error);
}

/// Fast routers do not show what is in them; readable ones do, and do the same.
TEST(Congestion, ChangesNothingForAFunctionThatIgnoresIt) {
    std::vector<std::uint64_t> lines[2];
    for (const bool looks : {false, true}) {
        fabric_setting s;
        s.routing = looks ? "looking" : "dor";
        s.traffic = "bernoulli load=0.6";
        test_fabric f(s);
        EXPECT_EQ(f.net.view().routes().exists(), !looks);
        EXPECT_EQ(f.net.view().bank_of(0).variant() == "vc, wide", looks)
            << f.net.view().bank_of(0).variant();
        const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
        packet_log all;
        f.net.stepper().set_observer(&all);
        f.net.stepper().set_workload(traffic.get());
        f.run(0, 1000);
        lines[looks] = all.lines;
    }
    EXPECT_EQ(lines[0], lines[1]);
}

}  // namespace
}  // namespace sare::test::congestion_test
