// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing_support.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router/vc/model.h"

#include <gtest/gtest.h>

#include <set>

/// Fast routers against readable ones: random networks, equal packet logs.
namespace sare::test {
namespace {

struct setting {
    std::string network, routing, load, length;
    std::uint32_t classes = 1;
    router_params router;
    nic_params nic;
    std::uint64_t seed = 0;
    cycle_t second_start = 0;
};

/// Which of the short cuts a run took.
struct short_cuts {
    bool plain = false, in_list = false, foresees = false;

    void note(const fabric& f) {
        std::set<std::string> variants;
        for (std::uint32_t r = 0; r < f.routers(); ++r) {
            variants.insert(f.bank_of(r).variant());
            foresees = foresees || f.bank_of(r).foresight() != 0;
        }
        in_list = variants.count("vc, fast, in a list") != 0;
        plain = in_list || variants.count("vc, fast") != 0;
    }
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

/// A network of a setting, ready to run.
struct built {
    std::unique_ptr<topology> net;
    std::unique_ptr<routing_function> function;
    std::unique_ptr<fabric> f;

    built(const setting& s, bool plain)
        : net(network(s.network)),
          function(routing(s.routing, *net, s.router.vcs / s.classes)),
          f(std::make_unique<fabric>(s.router.vcs, s.classes, s.seed)) {
        if (!plain) f->forbid_fast_routers();
        f->set_routing(*net, *function);
        const auto model = std::make_shared<vc_model>(s.router);
        for (std::uint32_t r = 0; r < net->routers(); ++r) f->add_router(model, net->ports(router_id(r)));
        for (std::uint32_t n = 0; n < net->nodes(); ++n) f->add_nic(s.nic);
        connect(*f, *net);
        f->finish();
    }
    std::unique_ptr<workload> traffic(const setting& s, cycle_t start) {
        auto made = workload_registry::instance().make(
            section("bernoulli start_cycle=" + std::to_string(start) + " stop_cycle=" +
                        std::to_string(start + 400) + " load=" + s.load + " length=" + s.length,
                    "workload"),
            workload_context{"", net->nodes()});
        f->set_workload(made.get());
        return made;
    }
};

/// Runs traffic for some time, then lets the network empty; and again, later. Also notes what kind the
/// routers were of.
packet_log run(const setting& s, bool plain, short_cuts& taken) {
    built b(s, plain);
    fabric& f = *b.f;
    packet_log log;
    f.set_observer(&log);
    taken.note(f);
    for (const cycle_t start : {cycle_t{0}, s.second_start}) {
        const auto traffic = b.traffic(s, start);
        for (cycle_t t = start; t != workload::never && t < start + 200000; t = f.next_work(t)) f.step(t);
        EXPECT_EQ(f.leftovers(), "");
        EXPECT_TRUE(traffic->finished());
        f.set_workload(nullptr);
    }
    return log;
}

setting draw(rng& random) {
    const auto one_of = [&random](std::vector<std::string> all) {
        return all[random.below(static_cast<std::uint32_t>(all.size()))];
    };
    setting s;
    const bool torus = random.bernoulli(0.5);
    const bool large = random.bernoulli(0.15);  // too many to be looked through
    s.network = torus ? "torus" : "mesh";
    s.network += " dims=" + (large ? "17,16" : one_of({"4,4", "5,3", "2,2,3", "8,2", "9,9"}));
    s.network += " concentration=" + std::to_string(large ? 1 : 1 + random.below(3));
    const std::string latency = one_of({"1", "1", "2", "3", "14"});
    s.network += " link_latency=" + latency +
                 " node_link_latency=" + (random.bernoulli(0.7) ? latency : one_of({"1", "2", "5"}));
    s.routing = torus ? "dor dateline=" + one_of({"basic", "trc"}) : "dor";
    s.router.vcs = (torus ? 2 : 1) + random.below(random.bernoulli(0.3) ? 2 : torus ? 7 : 8);
    s.router.depth = 1 + random.below(random.bernoulli(0.5) ? 4 : 20);
    const bool usual_stages = random.bernoulli(0.6);
    s.router.rc_delay = usual_stages ? 1 : random.below(2);
    s.router.va_delay = usual_stages ? 1 : random.below(2);
    s.router.sa_delay = random.below(2);
    s.router.st_delay = random.below(2);
    s.router.credit_delay = s.nic.credit_delay = random.below(3);
    if (s.router.vcs % (torus ? 4 : 2) == 0) s.classes = 1 + random.below(2);
    s.nic.max_packet_flits = 1 + random.below(9);
    s.load = large ? one_of({"0.02", "0.1"}) : one_of({"0.02", "0.1", "0.3", "0.8"});
    s.length = one_of({"1", "1", "2", "5", "13"});
    s.seed = random.next();
    // Blocks know some cycles modulo 2^32.
    constexpr cycle_t half = cycle_t{1} << 31;
    s.second_start = random.bernoulli(0.7) ? 30000 : half * (1 + random.below(2)) + 2000;
    return s;
}

TEST(FastRouter, SameAsTheGeneralRouter) {
    rng random(1, stream::test, 7);
    std::uint32_t plain = 0, in_list = 0, foresee = 0;
    for (int n = 0; n < 250; ++n) {
        const setting s = draw(random);
        short_cuts taken, none;
        const packet_log short_cut = run(s, true, taken), general = run(s, false, none);
        ASSERT_FALSE(none.plain);
        plain += taken.plain;
        in_list += taken.in_list;
        foresee += taken.foresees;
        ASSERT_FALSE(general.lines.empty());
        ASSERT_EQ(short_cut.lines, general.lines)
            << s.network << ", " << s.router.vcs << " VCs of " << s.router.depth << ", delays "
            << s.router.rc_delay << s.router.va_delay << s.router.sa_delay << s.router.st_delay << ", load "
            << s.load << " of " << s.length << " flits in packets of " << s.nic.max_packet_flits
            << ", again from cycle " << s.second_start;
    }
    EXPECT_GT(plain, 160U);  // with many ports and VCs a router is not plain
    EXPECT_GT(in_list, 120U);
    EXPECT_GT(foresee, 70U);
}

/// What one sees of an output VC, and of the input VC with the same number, after a cycle.
std::vector<std::uint64_t> view(const fabric& f, std::uint32_t r, std::uint32_t p, std::uint32_t v) {
    const in_vc in = f.in(r, p, v);
    const out_vc out = f.out(r, p, v);
    std::vector<std::uint64_t> all{in.count, out.flits, out.credits, out.owner == out_vc::no_owner};
    for (std::uint32_t k = 0; k < in.count; ++k) {
        const flit at = f.buffered(r, p, v, k);
        all.insert(all.end(), {at.packet, at.sequence, at.vc, at.kind});
    }
    return all;
}

/// Flits that were sent ahead of their cycle, and credits that were not carried yet, do not show.
TEST(FastRouter, LooksTheSameFromOutside) {
    setting s;
    s.network = "torus dims=4,3 concentration=2";
    s.routing = "dor";
    for (const char* load : {"0.02", "0.1", "0.3"})
        for (const char* length : {"1", "3"})
            for (const std::uint32_t depth : {1U, 3U, 8U}) {
                s.load = load;
                s.length = length;
                s.router.depth = depth;
                built short_cut(s, true), general(s, false);
                ASSERT_NE(short_cut.f->bank_of(0).foresight(), 0U);
                const auto a = short_cut.traffic(s, 0), b = general.traffic(s, 0);
                for (cycle_t t = 0; t < 300; ++t) {
                    short_cut.f->step(t);
                    general.f->step(t);
                    for (std::uint32_t r = 0; r < short_cut.f->routers(); ++r) {
                        std::uint32_t sent = 0;
                        for (std::uint32_t p = 0; p < short_cut.f->ports(r); ++p)
                            for (std::uint32_t v = 0; v < s.router.vcs; ++v) {
                                ASSERT_EQ(view(*short_cut.f, r, p, v), view(*general.f, r, p, v))
                                    << "cycle " << t << ", router " << r << " port " << p << " vc " << v
                                    << ", load " << load << " of " << length << ", depth " << depth;
                                sent += general.f->out(r, p, v).flits;
                            }
                        ASSERT_EQ(short_cut.f->flits_sent(r), sent);
                    }
                }
            }
}

}  // namespace
}  // namespace sare::test
