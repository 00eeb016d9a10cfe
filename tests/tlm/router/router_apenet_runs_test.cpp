// SPDX-License-Identifier: Apache-2.0
#include "tests/support/audit.h"
#include "tests/support/seed.h"
#include "tlm/fabric/view/wait_for.h"
#include "tlm/routing/deadlock/deadlock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

/// Random networks of nodes of APEnet, watched cycle by cycle and emptied at the end: nothing is lost, links
/// keep their frames, credits are told no more often than they may be.
namespace sare::test::router_apenet_runs_test {
namespace {

/// Words on links between routers: how far apart they are.
class link_watch final : public flit_observer {
  public:
    link_watch(fabric& net, const config::value& kind, std::uint32_t cycles_per_flit, bool whole)
        : m_frame(static_cast<std::uint32_t>(std::stoul(kind.find("frame")->text()))),
          m_cycles(cycles_per_flit),
          m_whole(whole) {
        net.stepper().observe_flits(*this);
        for (const auto& [from, to] : net.stepper().observed_links())
            m_far.push_back(from.what == link_end::kind::router && to.what == link_end::kind::router);
        m_last.resize(m_far.size());
    }
    std::string problem;
    std::uint64_t words = 0;

    void flit_arrives(std::uint32_t link, const flit& f, const packet&, cycle_t now) override {
        if (!m_far[link]) return;
        last_word& last = m_last[link];
        const bool first = f.is_head() || f.packet != last.packet;
        if (m_whole && first && (!f.is_head() || !last.tail)) problem = "words of two packets are mixed";
        if (last.any && now < last.at + std::uint64_t{m_cycles} * (first ? m_frame + 1 : 1))
            problem = "a word came too early behind the one before";
        last = {true, f.is_tail(), f.packet, now};
        ++words;
    }

  private:
    struct last_word {
        bool any = false, tail = true;
        std::uint32_t packet = 0;
        cycle_t at = 0;
    };
    std::uint32_t m_frame, m_cycles;
    bool m_whole;
    std::vector<bool> m_far;
    std::vector<last_word> m_last;
};

/// Cycles between updates of credits, at every output port that leads to a router.
class credit_watch {
  public:
    credit_watch(const test_fabric& f, std::uint32_t interval) : m_f(f), m_interval(interval) {
        for (std::uint32_t r = 0; r < f.net.view().routers(); ++r)
            for (std::uint32_t p = 0; p < f.net.view().ports(r); ++p)
                if (f.map().peer(router_id(r), port_id(p)).what == port_peer::kind::router)
                    m_ports.push_back({r, p, told(r, p), 0, false});
    }
    std::string problem;
    std::uint64_t updates = 0;

    /// After every cycle.
    void look(cycle_t now) {
        for (port& at : m_ports) {
            const std::vector<std::uint32_t> seen = told(at.router, at.number);
            if (seen == at.seen) continue;
            if (at.any && now < at.last + m_interval) problem = "credits were told twice within the interval";
            at.seen = seen;
            at.last = now;
            at.any = true;
            ++updates;
        }
    }

  private:
    /// Credits that have come, by VC, and the depth.
    std::vector<std::uint32_t> told(std::uint32_t r, std::uint32_t p) const {
        std::vector<std::uint32_t> all;
        for (std::uint32_t v = 0; v < m_f.net.view().vcs(); ++v)
            all.push_back(m_f.net.view().out(r, p, v).credits + m_f.net.view().out(r, p, v).flits);
        return all;
    }
    struct port {
        std::uint32_t router, number;
        std::vector<std::uint32_t> seen;
        cycle_t last;
        bool any;
    };
    const test_fabric& m_f;
    std::uint32_t m_interval;
    std::vector<port> m_ports;
};

struct drawn {
    fabric_setting setting;
    std::uint32_t cycles_per_flit = 1, interval = 1;
    bool in_order = false;
};

template <class T, std::size_t N>
T one_of(rng& random, const T (&all)[N]) {
    return all[random.below(N)];
}

constexpr std::pair<const char*, const char*> ways[] = {
    {"torus dims=4,4", "dor dateline=basic"},
    {"torus dims=4,4", "smart_dor dateline=basic"},
    {"torus dims=5,3", "smart_dor dateline=trc"},
    {"torus dims=3,3,3", "dor dateline=trc"},
    {"torus dims=4,3,3", "duato"},
    {"torus dims=4,4 concentration=2", "duato"},
    {"torus dims=6,3", "dor dateline=improved"},
    {"mesh dims=4,3", "duato"},
    {"ring n=6", "dor dateline=basic"},
    {"dragonfly p=2 a=3 h=1 g=4", "dragonfly_minimal"},
    {"dragonfly p=1 a=4 h=2 g=5", "dragonfly_minimal"},
    {"dragonfly p=1 a=4 h=2 g=5", "ugal_l"},
    {"kary_ntree k=3 n=2", "tree_adaptive"},
    {"crossbar n=6", "table"},
};

drawn draw(std::uint64_t seed) {
    rng random(seed, stream::test, 6);
    drawn d;
    fabric_setting& s = d.setting;
    const auto [network, routing] = one_of(random, ways);
    constexpr std::uint32_t paces[] = {1, 1, 1, 2}, intervals[] = {1, 2, 7, 35}, classes[] = {1, 1, 2};
    d.cycles_per_flit = one_of(random, paces);
    d.interval = one_of(random, intervals);
    s.network = std::string(network) + " link_latency=" + std::to_string(1 + random.below(9)) +
                " link_cycles_per_flit=" + std::to_string(d.cycles_per_flit);
    s.routing = routing;
    s.classes = one_of(random, classes);
    s.seed = seed;
    s.nic.max_packet_flits = 1 + random.below(30);
    const std::uint32_t mode = random.below(3), vcs = 3 + random.below(3);
    constexpr switching_mode modes[] = {switching_mode::cut_through, switching_mode::store_and_forward,
                                        switching_mode::wormhole};
    constexpr const char* names[] = {"cut_through", "store_and_forward", "wormhole"};
    constexpr const char* services[] = {"arrival", "arrival", "round_robin", "random", "age"};
    s.router.switching = modes[mode];
    s.router.depth = (mode == 2 ? 1 : s.nic.max_packet_flits) + random.below(30);
    s.kind = std::string("apenet switching=") + names[mode] + " service=" + one_of(random, services) +
             " vcs=" + std::to_string(vcs * s.classes) + " depth=" + std::to_string(s.router.depth) +
             " output_depth=" + std::to_string(1 + random.below(20)) +
             " delay=" + std::to_string(random.below(3)) + " frame=" + std::to_string(random.below(4)) +
             " sync=" + std::to_string(random.below(6)) + " credit_interval=" + std::to_string(d.interval);
    s.traffic = s.classes == 2 ? "request_reply outstanding=4 requests=25"
                               : "bernoulli stop_cycle=900 load=0." + std::to_string(1 + random.below(9));
    s.length = s.classes == 2 ? "" : "range min=1 max=" + std::to_string(1 + random.below(60));
    return d;
}

/// The static check lets it run: escapes need whole packets.
bool may_run(const drawn& d) {
    const auto map = test::network(d.setting.network);
    const auto model = model_of(d.setting);
    try {
        const auto way = routing_of(d.setting, *model, *map);
        deadlock_question q;
        q.network = map.get();
        q.routing = way.get();
        q.vcs = model->terms().vcs / d.setting.classes;
        q.atomic_or_cut_through = model->terms().whole_packets;
        return check_deadlock(q).ok();
    } catch (const config::error&) {
        return false;
    }
}

class apenet : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(drawn, apenet, testing::Range<std::uint64_t>(1, 181));

TEST_P(apenet, LosesNothingAndKeepsItsFramesAndIntervals) {
    const drawn d = draw(GetParam());
    const fabric_setting& s = d.setting;
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + ": " + s.kind + " | " + s.network + " | " +
                 s.routing + " | " + s.traffic + " | " + s.length + " | packets of " +
                 std::to_string(s.nic.max_packet_flits));
    if (!may_run(d)) return;
    test_fabric f(s);
    const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
    audit watch(f, s, *traffic, false);
    link_watch links(f.net, section(s.kind, "kind"), d.cycles_per_flit,
                     s.router.switching != switching_mode::wormhole);
    credit_watch credits(f, d.interval);
    f.net.stepper().set_observer(&watch);
    f.net.stepper().set_workload(traffic.get());
    cycle_t t = 0;
    while (t < 1'000'000 && watch.problem().empty()) {
        f.net.stepper().step(t);
        credits.look(t);
        if (t % 97 < 3) watch.check(t);
        const cycle_t next = f.net.stepper().next_work(t);
        if (next == workload::never) break;
        t = next;
    }
    ASSERT_LT(t, 1'000'000U) << "it does not end: " << describe_wait_for_cycle(f.net.view());
    watch.check_end(f.net.port().now());
    EXPECT_EQ(watch.problem(), "");
    EXPECT_EQ(links.problem, "");
    EXPECT_EQ(credits.problem, "");
    EXPECT_GT(f.net.view().flits_consumed(), 200U);
    if (f.net.view().routers() == 1) return;  // no links between routers
    EXPECT_GT(links.words, 100U);
    EXPECT_GT(credits.updates, 20U);
}

/// Enough of what is drawn can run, of each mode, service and routing function.
TEST(Apenet, IsDrawnWithAllThatItCanDo) {
    std::map<std::string, int> seen;
    for (std::uint64_t seed = 1; seed <= 180; ++seed) {
        const drawn d = draw(seed);
        if (!may_run(d)) continue;
        const config::value kind = section(d.setting.kind, "kind");
        ++seen[kind.find("switching")->text()];
        ++seen[kind.find("service")->text()];
        ++seen[d.setting.routing.substr(0, d.setting.routing.find(' '))];
        ++seen["classes " + std::to_string(d.setting.classes)];
        ++seen["all"];
    }
    for (const auto& [name, count] : seen) EXPECT_GE(count, 5) << name;
    EXPECT_EQ(seen.size(), 3U + 4U + 7U + 2U + 1U);
    EXPECT_GE(seen["all"], 100);
}

/// Packets of one VC and one way stay in order, whoever is served first.
TEST(Apenet, KeepsTheOrderOfOneRoute) {
    for (const char* mode : {"cut_through", "store_and_forward", "wormhole"}) {
        drawn d;
        fabric_setting& s = d.setting;
        s.network = "mesh dims=4,4 link_latency=3";
        s.kind = std::string("apenet vcs=1 depth=20 sync=2 credit_interval=9 switching=") + mode;
        s.router.depth = 20;
        s.nic.max_packet_flits = 12;
        s.traffic = "bernoulli load=0.9 stop_cycle=800";
        s.length = "range min=1 max=40";
        test_fabric f(s);
        const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
        audit watch(f, s, *traffic, true);
        f.net.stepper().set_observer(&watch);
        f.net.stepper().set_workload(traffic.get());
        f.run(0, workload::never);
        watch.check_end(f.net.port().now());
        EXPECT_EQ(watch.problem(), "") << mode;
        EXPECT_EQ(watch.overtaken, 0U);
    }
}

/// Who is served first: of packets that wait for one port, that whose header came first.
TEST(Apenet, ServesTheHeaderThatCameFirst) {
    const auto order = [](const char* service) {
        fabric_setting s;
        s.network = "star n=5";
        s.routing = "table";
        s.kind = std::string("apenet vcs=1 sync=0 frame=0 credit_interval=1 service=") + service;
        s.nic.max_packet_flits = 40;
        test_fabric f(s);
        std::vector<sare::message> script;  // the port is busy with the first when the others come
        for (const std::uint32_t from : {1U, 4U, 2U, 3U}) {
            sare::message m;
            m.source = from;
            m.flits = 40;
            m.generated = script.size() * 5;
            script.push_back(m);
        }
        scripted_traffic traffic(script);
        struct sources final : observer {
            std::vector<std::uint32_t> all;
            void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
            void packet_consumed(std::uint32_t, const packet& p, cycle_t) override {
                all.push_back(p.route.source);
            }
            void message_consumed(const message_record&, cycle_t) override {}
        } seen;
        f.net.stepper().set_observer(&seen);
        f.net.stepper().set_workload(&traffic);
        f.run(0, workload::never);
        return seen.all;
    };
    EXPECT_EQ(order("arrival"), (std::vector<std::uint32_t>{1, 4, 2, 3}));
    EXPECT_EQ(order("age"), (std::vector<std::uint32_t>{1, 4, 2, 3}));
    EXPECT_EQ(order("round_robin"), (std::vector<std::uint32_t>{1, 2, 3, 4}));
}

/// A long packet gets its room though short ones of the same VC could always go first.
TEST(Apenet, KeepsRoomForLongPackets) {
    fabric_setting s;
    s.network = "mesh dims=3,1 concentration=3";
    s.kind = "apenet vcs=1 depth=64 sync=3 credit_interval=5";
    s.nic.max_packet_flits = 64;
    test_fabric f(s);
    std::vector<sare::message> script;
    for (std::uint32_t k = 0; k < 3000; ++k) {
        sare::message m;
        m.source = k % 2;
        m.destination = 8;
        m.flits = 3;
        script.push_back(m);
    }
    script[20].source = 2;
    script[20].flits = 64;
    scripted_traffic traffic(script);
    struct long_one final : observer {
        cycle_t came = 0;
        void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
        void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
            if (p.flits == 64) came = now;
        }
        void message_consumed(const message_record&, cycle_t) override {}
    } seen;
    f.net.stepper().set_observer(&seen);
    f.net.stepper().set_workload(&traffic);
    f.run(0, workload::never);
    EXPECT_GT(seen.came, 0U);
    EXPECT_LT(seen.came, 1500U);
    EXPECT_GT(f.net.port().now(), 6000U);
}

std::string refusal(const fabric_setting& s) {
    try {
        test_fabric f(s);
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

TEST(Apenet, RefusesPacketsThatItHasNoFormatFor) {
    fabric_setting s;
    s.kind = "apenet";
    s.nic.max_packet_flits = 259;
    EXPECT_EQ(refusal(s),
              "nic.max_packet_flits is 259; packets of routers of kind apenet have a header, up to 256 words "
              "of payload and a footer: at most 258");
    s.nic.max_packet_flits = 258;
    EXPECT_EQ(refusal(s), "");
    s.network = "mesh dims=2,1 link_latency=60000";
    s.kind = "apenet sync=4000";
    EXPECT_EQ(refusal(s),
              "the link of router 0 port 0 takes 68001 cycles with 'sync' at both ends; at most 65535");
}

}  // namespace
}  // namespace sare::test::router_apenet_runs_test
