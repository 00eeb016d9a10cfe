// SPDX-License-Identifier: Apache-2.0
#include "tests/support/clocked.h"
#include "tests/support/seed.h"
#include "tests/support/spread_classes.h"
#include "tests/support/test_fabric.h"
#include "tests/tlm/routing/routing_support.h"
#include "tlm/fabric/fabric.h"
#include "tlm/router/vc/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <set>

/// Fast routers against readable ones, alone and beside others: random settings, equal packet logs, and all
/// that one sees of the routers equal in every cycle.
namespace sare::test::router_fast_test {
namespace {

/// Enough for all that is drawn: one place, long links and valiant's ways leave a flit in hundreds of cycles.
constexpr cycle_t time_to_empty = 10'000'000;

struct setting {
    std::string network, graph, routing, load, length;
    std::uint32_t classes = 1;
    router_params router, other;
    double others = 0, relays = 0;  ///< part of the routers that are as `other`, and of relayed links
    network_scale scale = network_scale::small;
    std::uint32_t clocks = 0;  ///< not 0: routers have clocks, drawn with this seed
    nic_params nic;
    std::uint64_t seed = 0;
    cycle_t second_start = 0;

    template <class Choice>
    static std::string number(Choice c) {
        return std::to_string(static_cast<int>(c));
    }

    std::string text() const {
        const auto delays = [](const router_params& p) {
            return std::to_string(p.depth) + " places, delays " + std::to_string(p.rc_delay) +
                   std::to_string(p.va_delay) + std::to_string(p.sa_delay) + std::to_string(p.st_delay) +
                   " and " + std::to_string(p.credit_delay);
        };
        return network + graph + " | " + routing + " | " + std::to_string(classes) + " classes, " +
               std::to_string(router.vcs) + " VCs, " + delays(router) + " | " + std::to_string(others) +
               " of them " + delays(other) + ", SA arbiter " + other.sa_arbiter.text() + " | switching " +
               number(router.switching) + ", allocators " + router.va_allocator.text() + " and " +
               router.sa_allocator.text() + ", speculative " + std::to_string(router.speculative) +
               ", lookahead " + std::to_string(router.lookahead) + ", input speed-up " +
               std::to_string(router.input_speedup) + ", reallocation " + number(router.reallocation) +
               ", selection " + number(router.selection) + " | relays " + std::to_string(relays) +
               ", scale " + number(scale) + ", clocks " + std::to_string(clocks) + " | load " + load +
               " of " + length + " in packets of " + std::to_string(nic.max_packet_flits) +
               " | again from cycle " + std::to_string(second_start);
    }
};

/// Which of the short cuts a run took.
struct short_cuts {
    bool plain = false, in_list = false, dense = false, foresees = false, mixed = false;

    void note(const fabric& f) {
        std::set<std::string> variants;
        for (std::uint32_t r = 0; r < f.view().routers(); ++r) {
            variants.insert(f.view().bank_of(r).variant());
            foresees = foresees || f.view().bank_of(r).acceleration()->write_ahead() != 0;
        }
        in_list = variants.count("vc, listed") != 0;
        dense = variants.count("vc, scanned, dense") != 0;
        plain = in_list || dense || variants.count("vc, scanned") != 0;
        mixed = plain && variants.count("vc, wide") != 0;
    }
};

/// A foreign block that hands on what it is handed.
struct relay final : foreign_endpoint {
    fabric* net = nullptr;
    std::uint32_t id = 0;

    void flit_arrived(const flit& f) override { net->foreign().write_flit(id, f, net->port().now()); }
    void credit_arrived(std::uint32_t vc, std::uint32_t count) override {
        for (; count != 0; --count) net->foreign().write_credit(id, vc, net->port().now());
    }
};

/// A network of a setting, ready to run.
struct built {
    std::unique_ptr<topology> net;
    std::unique_ptr<routing_function> function;
    std::vector<std::unique_ptr<relay>> relays;
    std::unique_ptr<fabric> f;
    rng random;

    built(const setting& s, bool plain)
        : net(map_of(s)),
          function(routing(s.routing, *net, s.router.vcs / s.classes)),
          f(std::make_unique<fabric>(s.router.vcs, s.classes, s.seed)),
          random(s.seed, stream::test, 8) {
        if (!plain) f->builder().require_wide_routers();
        f->builder().run_as(s.scale);
        f->builder().set_routing(*net, *function);
        const auto model = std::make_shared<vc_model>(s.router), other = std::make_shared<vc_model>(s.other);
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            f->builder().add_router(random.bernoulli(s.others) ? other : model, net->ports(router_id(r)),
                                    net->clock(router_id(r)));
        for (std::uint32_t n = 0; n < net->nodes(); ++n) f->builder().add_nic(s.nic);
        connect_all(s.relays);
        f->builder().finish();
    }

    static std::unique_ptr<topology> map_of(const setting& s) {
        if (s.clocks == 0) return plain_map_of(s);
        return std::make_unique<clocked>(plain_map_of(s), [seed = s.clocks](std::uint32_t r) {
            return 1 + rng(seed, stream::test, r).below(seed % 3 + 1);
        });
    }
    static std::unique_ptr<topology> plain_map_of(const setting& s) {
        if (s.graph.empty()) return network(s.network);
        std::istringstream in(s.graph);
        return read_graph(in, "random", {});
    }

    void connect_all(double relayed) {
        using kind = link_end::kind;
        for (std::uint32_t r = 0; r < net->routers(); ++r)
            for (std::uint32_t p = 0; p < net->ports(router_id(r)); ++p) {
                const port_peer to = net->peer(router_id(r), port_id(p));
                const link_attributes link = net->link(router_id(r), port_id(p));
                const link_end router{kind::router, r, p}, nic{kind::nic, to.id, 0};
                if (to.what == port_peer::kind::router) {
                    connect(router, {kind::router, to.id, to.port}, link, relayed);
                } else if (to.what == port_peer::kind::node) {
                    connect(router, nic, link, relayed);
                    connect(nic, router, net->injection_link(node_id(to.id)), relayed);
                }
            }
    }

    void connect(const link_end& from, const link_end& to, const link_attributes& link, double relayed) {
        if (!random.bernoulli(relayed)) return f->builder().connect(from, to, link);
        relays.push_back(std::make_unique<relay>());
        relay& between = *relays.back();
        between.net = f.get();
        between.id = f->builder().add_foreign(between);
        const link_end middle{link_end::kind::foreign, between.id, 0};
        f->builder().connect(from, middle, link, to);
        f->builder().connect(middle, to, link);
    }

    std::unique_ptr<workload> traffic(const setting& s, cycle_t start) {
        auto made = std::make_unique<spread_classes>(workload_registry::instance().make(
            section("bernoulli start_cycle=" + std::to_string(start) + " stop_cycle=" +
                        std::to_string(start + 400) + " load=" + s.load + " length=" + s.length,
                    "workload"),
            workload_context{"", net->nodes()}));
        f->stepper().set_workload(made.get());
        return made;
    }
};

/// What one sees of an output VC, and of the input VC with the same number, after a cycle.
void view(const fabric& f, std::uint32_t r, std::uint32_t p, std::uint32_t v,
          std::vector<std::uint64_t>& all) {
    const in_vc in = f.view().in(r, p, v);
    const out_vc out = f.view().out(r, p, v);
    all.insert(all.end(), {in.count, out.flits, out.credits, out.owner == out_vc::no_owner});
    for (std::uint32_t k = 0; k < in.count; ++k) {
        const flit at = f.view().buffered(r, p, v, k);
        all.insert(all.end(), {at.packet, at.sequence, at.vc, at.kind});
    }
}

std::vector<std::uint64_t> view(const fabric& f, std::uint32_t r) {
    std::vector<std::uint64_t> all{f.view().flits_sent(r)};
    for (std::uint32_t p = 0; p < f.view().ports(r); ++p)
        for (std::uint32_t v = 0; v < f.view().vcs(); ++v) view(f, r, p, v, all);
    return all;
}

/// Flits that were sent ahead of their cycle, and credits that were not carried yet, do not show.
void expect_same_views(const setting& s, cycle_t cycles) {
    built fast(s, true), readable(s, false);
    const auto a = fast.traffic(s, 0), b = readable.traffic(s, 0);
    for (cycle_t t = 0; t < cycles; ++t) {
        fast.f->stepper().step(t);
        readable.f->stepper().step(t);
        for (std::uint32_t r = 0; r < fast.f->view().routers(); ++r)
            ASSERT_EQ(view(*fast.f, r), view(*readable.f, r))
                << "cycle " << t << ", router " << r << ": " << s.text();
    }
}

std::string first_difference(const packet_log& fast, const packet_log& readable) {
    const auto [a, b] =
        std::mismatch(fast.lines.begin(), fast.lines.end(), readable.lines.begin(), readable.lines.end());
    if (a == fast.lines.end() && b == readable.lines.end()) return "";
    constexpr std::ptrdiff_t width = 8;  // of an entry
    const std::ptrdiff_t entry = (a - fast.lines.begin()) / width * width;
    std::string text;
    for (const auto* log : {&fast, &readable}) {
        text += log == &fast ? "fast:" : " | readable:";
        for (std::ptrdiff_t k = entry; k < entry + width && k < std::ptrdiff_t(log->lines.size()); ++k)
            text += " " + std::to_string(log->lines[static_cast<std::size_t>(k)]);
    }
    return text;
}

/// Runs traffic for some time, then lets the network empty; and again, later. Also notes what kind the
/// routers were of.
packet_log run(const setting& s, bool plain, short_cuts& taken) {
    built b(s, plain);
    fabric& f = *b.f;
    packet_log log;
    f.stepper().set_observer(&log);
    taken.note(f);
    for (const cycle_t start : {cycle_t{0}, s.second_start}) {
        const auto traffic = b.traffic(s, start);
        for (cycle_t t = start; t != workload::never && t < start + time_to_empty;
             t = f.stepper().next_work(t))
            f.stepper().step(t);
        EXPECT_EQ(f.view().leftovers(), "") << s.text();
        EXPECT_TRUE(traffic->finished());
        f.stepper().set_workload(nullptr);
    }
    return log;
}

class setting_source {
  public:
    explicit setting_source(std::uint64_t seed) : m_random(seed, stream::test, 7) {}

    /// One whose routing function has the VCs it needs, and can do without escapes.
    setting next() {
        for (;;) try {
                setting s = draw();
                const auto map = built::map_of(s);
                deadlock_question q;
                const auto way = routing(s.routing, *map, s.router.vcs / s.classes);
                q.network = map.get();
                q.routing = way.get();
                q.vcs = s.router.vcs / s.classes;
                q.atomic_or_cut_through = s.router.reallocation == reallocation_rule::atomic ||
                                          s.router.switching != switching_mode::wormhole;
                if (check_deadlock(q).ok()) return s;
            } catch (const config::error&) {
            }
    }

  private:
    std::uint32_t below(std::uint32_t n) { return m_random.below(n); }
    bool chance(double p) { return m_random.bernoulli(p); }
    std::string one_of(std::vector<std::string> all) {
        return all[below(static_cast<std::uint32_t>(all.size()))];
    }

    setting draw() {
        setting s;
        const bool large = chance(0.15);  // too many for a table
        if (large || chance(0.4)) s.scale = static_cast<network_scale>(1 + below(4));
        draw_network(s, large);
        s.nic.max_packet_flits = 1 + below(9);
        draw_router(s);
        draw_others(s);
        s.load = large ? one_of({"0.02", "0.1"}) : one_of({"0.02", "0.1", "0.3", "0.8"});
        s.length = one_of({"1", "1", "2", "5", "13"});
        s.seed = m_random.next();
        // Blocks know some cycles modulo 2^32.
        constexpr cycle_t half = cycle_t{1} << 31;
        s.second_start = chance(0.7) ? time_to_empty + 400 : half * (1 + below(2)) + 2000;
        return s;
    }

    void draw_network(setting& s, bool large) {
        const std::uint32_t kind = below(8);
        if (kind == 7) {
            s.routing = one_of({"up_down", "table"});
            s.graph = random_edges();
            return;
        }
        const bool torus = kind < 3;
        if (kind == 6) {
            s.network = one_of({"ring n=7", "ring n=4", "crossbar n=6", "star n=7"});
            s.routing = s.network[0] == 'r' ? "dor" : one_of({"up_down", "table"});
        } else {
            s.network = torus ? "torus" : "mesh";
            s.network += " dims=" + (large ? "17,16" : one_of({"4,4", "5,3", "2,2,3", "8,2", "9,9"}));
            s.routing = torus ? one_of({"dor", "dor", "dor", "o1turn", "valiant", "duato", "duato"})
                              : one_of({"dor", "dor", "dor", "o1turn", "valiant", "up_down", "table", "duato",
                                        "duato", "odd_even", "odd_even", "west_first"});
            if (torus && s.routing != "duato")
                s.routing += " dateline=" + one_of({"basic", "trc", "improved"});
        }
        if (s.network[0] != 'c') s.network += " concentration=" + std::to_string(large ? 1 : 1 + below(3));
        const std::string latency = one_of({"1", "1", "2", "3", "14"});
        s.network += " link_latency=" + latency +
                     " node_link_latency=" + (chance(0.7) ? latency : one_of({"1", "2", "5"}));
    }

    /// A random tree and some more links, each with a latency and sometimes a width of its own.
    std::string random_edges() {
        const std::uint32_t routers = 2 + below(12), more = below(routers);
        std::ostringstream text;
        text << "sare-graph 1\n";
        const auto link = [&](std::uint32_t a, std::uint32_t b) {
            text << "link " << a << ' ' << b << ' ' << 1 + below(4) << ' ' << (chance(0.1) ? 2 : 1) << '\n';
        };
        for (std::uint32_t r = 1; r < routers; ++r) link(r, below(r));
        for (std::uint32_t i = 0; i < more; ++i) {
            const std::uint32_t a = below(routers), b = below(routers);
            if (a != b) link(a, b);
        }
        for (std::uint32_t r = 0; r < routers; ++r)
            text << "node " << r << ' ' << r << " - " << 1 + below(3) << '\n';
        return text.str();
    }

    static bool is_small(const setting& s) { return s.scale == network_scale::small; }
    void draw_router(setting& s) {
        s.router.vcs = 1 + below(chance(0.3) ? 2 : 8);
        if (s.router.vcs % 2 == 0) s.classes = 1 + below(2);
        s.router.depth = 1 + below(chance(0.5) ? 4 : 20);
        const bool usual_stages = chance(0.6);
        s.router.rc_delay = usual_stages ? 1 : below(2);
        s.router.va_delay = usual_stages ? 1 : below(2);
        s.router.sa_delay = below(2);
        s.router.st_delay = below(2);
        s.router.credit_delay = s.nic.credit_delay = below(3);
        const bool escapes = s.routing == "duato", whole = is_small(s) && chance(escapes ? 0.6 : 0.3);
        if (escapes ? !whole : chance(0.3)) s.router.reallocation = reallocation_rule::atomic;
        if (chance(0.3)) s.router.selection = selection_policy::first;
        s.router.lookahead = chance(0.2);
        s.router.input_register = chance(0.1);
        if (!is_small(s)) return;  // there these are not fast
        s.router.speculative = chance(0.2);
        if (chance(0.4)) s.router.va_allocator = any_allocator();
        if (chance(0.4)) s.router.sa_allocator = any_allocator();
        if (chance(0.2)) s.router.input_speedup = 1 + below(2 * s.router.vcs);
        if (whole)
            s.router.switching =
                chance(0.5) ? switching_mode::cut_through : switching_mode::store_and_forward;
        if (s.router.switching != switching_mode::wormhole)
            s.nic.max_packet_flits = 1 + below(s.router.depth < 9 ? s.router.depth : 9);
    }

    config::value any_allocator() {
        return config::value::scalar(std::array{"input_first", "output_first", "wavefront"}[below(3)]);
    }

    /// Some that are not fast, or whose flits and credits take longer.
    void draw_others(setting& s) {
        s.other = s.router;
        s.others = chance(0.5) ? 0 : chance(0.5) ? 0.1 : 0.5;
        if (chance(0.6)) s.other.sa_arbiter = config::value::scalar("matrix");
        if (chance(0.3)) s.other.st_delay = s.router.st_delay + 1;
        if (chance(0.3)) s.other.rc_delay = 1 - s.router.rc_delay;
        if (chance(0.3)) s.other.credit_delay = s.router.credit_delay + 2;
        if (chance(0.3)) s.other.depth = s.router.depth + 3;
        s.relays = chance(0.7) ? 0 : 0.1;
        if (s.relays == 0 && chance(0.2)) s.clocks = m_random.next();
    }

    rng m_random;
};

/// What compact routers of a setting do beside what all do.
std::vector<std::string> features(const setting& s, const short_cuts& taken) {
    const router_params& p = s.router;
    const std::vector<std::pair<std::string, bool>> all{
        {"looked through", !taken.in_list},
        {"dense", taken.dense},
        {"dense, fetched ahead", taken.dense && s.scale == network_scale::dense_huge},
        {"in a list", taken.in_list},
        {"foreseeing", taken.foresees},
        {"foreseeing, fetched ahead", taken.foresees && s.scale == network_scale::huge},
        {"beside readable ones", taken.mixed},
        {"beside foreign blocks", s.relays != 0},
        {"of several clocks", s.clocks != 0},
        {"several ways", built(s, true).function->max_candidates() > 1},
        {"ways by input port", s.routing == "up_down" && !taken.in_list},
        {"drained", p.reallocation == reallocation_rule::atomic},
        {"cut-through", p.switching == switching_mode::cut_through},
        {"store-and-forward", p.switching == switching_mode::store_and_forward},
        {"VA output first", p.va_allocator.text() == "output_first"},
        {"VA wavefront", p.va_allocator.text() == "wavefront"},
        {"SA output first", p.sa_allocator.text() == "output_first"},
        {"SA wavefront", p.sa_allocator.text() == "wavefront"},
        {"speculative", p.speculative},
        {"input speed-up", p.input_speedup > 1},
        {"no cycle for RC", p.effective_rc_delay() == 0},
        {"no cycle for VA", p.va_delay == 0}};
    std::vector<std::string> those;
    for (const auto& [name, has] : all)
        if (taken.plain && has) those.push_back(name);
    return those;
}

TEST(FastRouter, MatchesTheReadableRouter) {
    setting_source source(test_seed(1));
    std::map<std::string, std::uint32_t> seen;
    for (int n = 0; n < 160; ++n) {
        const setting s = source.next();
        short_cuts taken, none;
        const packet_log fast = run(s, true, taken), readable = run(s, false, none);
        ASSERT_FALSE(none.plain);
        for (const std::string& what : features(s, taken)) ++seen[what];
        ASSERT_EQ(first_difference(fast, readable), "") << s.text();
    }
    EXPECT_GT(seen["looked through"] + seen["in a list"], 70U);  // not those with many ports and VCs
    for (const auto& [what, times] : seen) std::cout << what << ": " << times << '\n';
    EXPECT_EQ(seen.size(), 22U);
}

TEST(FastRouter, LooksTheSameFromOutside) {
    setting_source source(test_seed(1));
    for (int n = 0; n < 100; ++n) {
        const setting s = source.next();
        if (built::map_of(s)->routers() <= 20) expect_same_views(s, 300);
        if (HasFatalFailure()) return;
    }
}

TEST(FastRouter, HidesWhatItForesees) {
    setting s;
    s.network = "torus dims=4,3 concentration=2";
    s.routing = "up_down";
    s.scale = network_scale::large;
    for (const char* load : {"0.02", "0.1", "0.3"})
        for (const char* length : {"1", "3"})
            for (const std::uint32_t depth : {1U, 3U, 8U}) {
                s.load = load;
                s.length = length;
                s.router.depth = depth;
                ASSERT_NE(built(s, true).f->view().bank_of(0).acceleration()->write_ahead(), 0U);
                expect_same_views(s, 300);
                if (HasFatalFailure()) return;
            }
}

/// Credits that are with output VCs, or that it shows so.
std::uint32_t credits_of(const fabric& f) {
    std::uint32_t all = 0;
    for (std::uint32_t r = 0; r < f.view().routers(); ++r)
        for (std::uint32_t p = 0; p < f.view().ports(r); ++p)
            for (std::uint32_t v = 0; v < f.view().vcs(); ++v) all += f.view().out(r, p, v).credits;
    return all;
}

void send_one(fabric& f, std::uint32_t source, cycle_t at) {
    scripted_traffic traffic({sare::message{source, source + 1, 1, 0, at, 0}});
    f.stepper().set_workload(&traffic);
    for (cycle_t t = at; t != workload::never; t = f.stepper().next_work(t)) f.stepper().step(t);
    f.stepper().set_workload(nullptr);
}

/// A credit that wakes no router is on its way when all else is over, and cycles are known modulo 2^32.
TEST(FastRouter, GetsCreditsBackAfterALongPause) {
    constexpr cycle_t half = cycle_t{1} << 31, later = 200;
    setting s;
    s.network = "ring n=4 link_latency=7";  // between routers: the credits of NICs are back before
    s.routing = "up_down";
    s.scale = network_scale::large;
    s.router.vcs = 2;
    for (const bool runs : {false, true}) {  // or time only passes
        built b(s, true);
        ASSERT_EQ(b.f->view().bank_of(0).variant(), "vc, listed");
        const std::uint32_t all = credits_of(*b.f);
        send_one(*b.f, 0, 1);
        EXPECT_EQ(credits_of(*b.f), all - 1);
        EXPECT_EQ(b.f->view().leftovers(), "");  // no wire carries the one that is missing
        if (runs) send_one(*b.f, 2, half + later);
        b.f->stepper().pass(half + 2 * later);
        EXPECT_EQ(credits_of(*b.f), all);
    }
}

/// Cycles are known modulo 2^32: what was foreseen is over when their numbers come again.
TEST(FastRouter, ForgetsWhatItForesawAfterALongPause) {
    setting s;
    s.network = "ring n=4";  // all links alike
    s.routing = "up_down";
    s.scale = network_scale::large;
    s.router.vcs = 2;
    for (cycle_t later = 0; later < 12; ++later) {
        built fast(s, true), readable(s, false);
        ASSERT_NE(fast.f->view().bank_of(0).acceleration()->write_ahead(), 0U);
        for (built* b : {&fast, &readable}) {
            send_one(*b->f, 0, 1);
            b->f->stepper().pass((cycle_t{1} << 32) + later);
        }
        for (std::uint32_t r = 0; r < fast.f->view().routers(); ++r)
            ASSERT_EQ(view(*fast.f, r), view(*readable.f, r)) << later << " cycles later, router " << r;
    }
}

}  // namespace
}  // namespace sare::test::router_fast_test
