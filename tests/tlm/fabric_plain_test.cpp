// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing_support.h"
#include "tlm/fabric/fabric.h"

#include <gtest/gtest.h>

/// The short cut for plain routers against the general router: random networks, equal packet logs.
namespace sare::test {
namespace {

struct setting {
    std::string network, routing, load, length;
    std::uint32_t classes = 1;
    router_params router;
    nic_params nic;
    std::uint64_t seed = 0;
};

/// What became of every packet, in order, as the observer is told.
struct packet_log final : observer {
    std::vector<std::uint64_t> lines;

    void add(std::uint32_t node, const packet& p, cycle_t now, bool in) {
        lines.insert(lines.end(), {now * 2 + in, node, p.route.source, p.route.destination, p.flits, p.hops,
                                   p.generated, p.injected});
    }
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
        add(node, p, now, true);
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
        add(node, p, now, false);
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

void connect(fabric& f, const topology& net) {
    using kind = fabric::end::kind;
    for (std::uint32_t r = 0; r < net.routers(); ++r)
        for (std::uint32_t p = 0; p < net.ports(router_id(r)); ++p) {
            const port_peer to = net.peer(router_id(r), port_id(p));
            const link_attributes link = net.link(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) {
                f.connect({kind::router, r, p}, {kind::router, to.id, to.port}, link);
            } else if (to.what == port_peer::kind::node) {
                f.connect({kind::router, r, p}, {kind::nic, to.id, 0}, link);
                f.connect({kind::nic, to.id, 0}, {kind::router, r, p}, net.injection_link(node_id(to.id)));
            }
        }
}

/// Runs traffic for some time, then lets the network empty. Also notes whether the routers were plain.
packet_log run(const setting& s, bool plain, bool& was_plain) {
    const auto net = network(s.network);
    const auto function = routing(s.routing, *net, s.router.vcs / s.classes);
    fabric f(s.router.vcs, s.classes, s.seed);
    if (!plain) f.forbid_plain_blocks();
    f.set_routing(*net, *function);
    for (std::uint32_t r = 0; r < net->routers(); ++r) f.add_router(s.router, net->ports(router_id(r)));
    for (std::uint32_t n = 0; n < net->nodes(); ++n) f.add_nic(s.nic);
    connect(f, *net);
    f.finish();
    packet_log log;
    f.set_observer(&log);
    const auto traffic = workload_registry::instance().make(
        section("bernoulli stop_cycle=600 load=" + s.load + " length=" + s.length, "workload"),
        workload_context{"", net->nodes()});
    f.set_workload(traffic.get());
    was_plain = f.shape(0).plain;
    for (cycle_t t = 0; t != workload::never && t < 200000; t = f.next_work(t)) f.step(t);
    EXPECT_EQ(f.leftovers(), "");
    EXPECT_TRUE(traffic->finished());
    return log;
}

setting draw(rng& random) {
    const auto one_of = [&random](std::vector<std::string> all) {
        return all[random.below(static_cast<std::uint32_t>(all.size()))];
    };
    setting s;
    const bool torus = random.bernoulli(0.5);
    s.network = torus ? "torus" : "mesh";
    s.network += " dims=" + one_of({"4,4", "5,3", "2,2,3", "8,2", "9,9"});
    s.network += " concentration=" + std::to_string(1 + random.below(3));
    const std::string latency = std::to_string(1 + random.below(3));
    s.network += " link_latency=" + latency + " node_link_latency=" + latency;
    s.routing = torus ? "dor dateline=basic" : "dor";
    s.router.vcs = (torus ? 2 : 1) + random.below(torus ? 7 : 8);
    s.router.depth = 1 + random.below(random.bernoulli(0.5) ? 4 : 20);
    s.router.rc_delay = random.below(2);
    s.router.va_delay = random.below(2);
    s.router.sa_delay = random.below(2);
    s.router.st_delay = random.below(2);
    s.router.credit_delay = s.nic.credit_delay = random.below(3);
    if (s.router.vcs % (torus ? 4 : 2) == 0) s.classes = 1 + random.below(2);
    s.nic.max_packet_flits = 1 + random.below(9);
    s.load = one_of({"0.02", "0.1", "0.3", "0.8"});
    s.length = one_of({"1", "2", "5", "13"});
    s.seed = random.next();
    return s;
}

TEST(FabricPlain, SameAsTheGeneralRouter) {
    rng random(1, stream::test, 7);
    std::uint32_t plain = 0;
    for (int n = 0; n < 150; ++n) {
        const setting s = draw(random);
        bool first = false, second = true;
        const packet_log short_cut = run(s, true, first), general = run(s, false, second);
        ASSERT_FALSE(second);
        plain += first;
        ASSERT_FALSE(general.lines.empty());
        ASSERT_EQ(short_cut.lines, general.lines)
            << s.network << ", " << s.router.vcs << " VCs of " << s.router.depth << ", delays "
            << s.router.rc_delay << s.router.va_delay << s.router.sa_delay << s.router.st_delay << ", load "
            << s.load << " of " << s.length << " flits in packets of " << s.nic.max_packet_flits;
    }
    EXPECT_GT(plain, 100U);  // with many ports and VCs a router is not plain
}

}  // namespace
}  // namespace sare::test
