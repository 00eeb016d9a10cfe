// SPDX-License-Identifier: Apache-2.0
#include "tests/support/drawn_setting.h"
#include "tests/support/random_script.h"
#include "tests/support/seed.h"
#include "tests/support/told_fabric.h"
#include "tests/tlm/fabric/domain_runs.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

/// Counted stalls add up: of each head, and by port, class and reason over random networks of every kind.
namespace sare::test::stall_sums_test {
namespace {

using what = packet_event::what;

/// What the trace of all packets tells, by router, input port, class and reason, and of each head.
struct summed_trace final : packet_event_sink {
    struct visit {
        cycle_t in = 0, out = 0;
        std::uint64_t stalled = 0;
        bool came = false;
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, int>, std::uint64_t> stalls;
    std::map<std::pair<std::uint64_t, std::uint32_t>, visit> visits;

    void take(const packet_event& e) override {
        if (e.at_node()) return;
        visit& v = visits[{e.packet.number, e.place}];
        if (e.is == what::in) v.in = e.cycle, v.came = true;
        if (e.is == what::out) v.out = e.cycle;
        if (e.is != what::stall) return;
        if (e.flit == 0) v.stalled += e.cycles;
        stalls[{e.place, e.in_port, e.packet.message_class, static_cast<int>(e.reason)}] += e.cycles;
    }
};

struct outcome {
    summed_trace trace;
    run_result counted;
    std::vector<told_log::line> told;
};

/// `domains`: entries of the section; "": none.
outcome run(const drawn_setting& d, const std::vector<sare::message>& script, bool counting,
            const std::string& domains = "") {
    outcome o;
    test_fabric f(d.setting, with_domains(d.setting.network, domains));
    scripted_traffic traffic(script);
    told_log log;
    f.net.stepper().set_observer(&log);
    statistic_set set(config::value::list({section("stalls", "name")}), {f.net.view(), &f.net});
    packet_trace trace(f.net, {});
    trace.add(o.trace);
    if (counting) set.start(0), trace.start();
    f.net.stepper().set_workload(&traffic);
    const cycle_t end = f.run(0, 1'000'000);
    EXPECT_EQ(f.net.view().leftovers(), "");
    o.told = std::move(log.lines);
    if (!counting) return o;
    trace.stop();
    set.stop(f.net.view().now() + 1);
    o.counted.classes = d.setting.classes;
    for (std::uint32_t r = 0; r < f.map().routers(); ++r) o.counted.router_places.push_back({r});
    set.read({o.counted, f.map(), &f.net.view(), static_cast<double>(end)}, o.counted);
    o.counted.keep_figures();
    return o;
}

/// By port and by class the statistic has what the trace tells of every flit.
void check_counts(const drawn_setting& d, const outcome& o, const std::string& about) {
    constexpr const char* names[] = {"behind", "vc", "credit", "consumer", "va", "switch", "link", "clock"};
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, std::uint64_t> by_port;
    std::map<std::pair<std::uint32_t, int>, std::uint64_t> by_class, by_router;
    for (const auto& [at, cycles] : o.trace.stalls) {
        const auto& [router, port, of_class, reason] = at;
        by_port[{router, port, reason}] += cycles;
        by_router[{router, reason}] += cycles;
        by_class[{of_class, reason}] += cycles;
    }
    for (int reason = 0; reason < stall_reasons; ++reason) {
        const std::string name = std::string("stalls_") + names[reason];
        const auto counted = [&](scope of, std::size_t row) {
            return static_cast<std::uint64_t>(o.counted.column_of(of, name).number(row));
        };
        for (std::size_t k = 0; k < o.counted.port_places.size(); ++k) {
            const auto [router, port] = o.counted.port_places[k];
            ASSERT_EQ(counted(scope::port, k), (by_port[{router, port, reason}]))
                << about << ' ' << name << " router " << router << " port " << port;
        }
        for (std::uint32_t c = 0; c < d.setting.classes; ++c)
            ASSERT_EQ(counted(scope::message_class, c), (by_class[{c, reason}])) << about << ' ' << name << c;
        for (std::uint32_t r = 0; r < o.counted.router_places.size(); ++r)
            ASSERT_EQ(counted(scope::router, r), (by_router[{r, reason}])) << about << ' ' << name << r;
    }
}

/// From arrival to grant: cycles = pipeline + stalls.
void check_heads(const drawn_setting& d, const outcome& o, const std::string& about) {
    std::size_t visits = 0;
    for (const auto& [at, v] : o.trace.visits) {
        if (!v.came) continue;  // from an injection queue of the router
        if (d.exact)
            ASSERT_EQ(v.out - v.in, d.pipeline + v.stalled)
                << about << " packet " << at.first << " router " << at.second;
        else
            ASSERT_GE(v.out - v.in, v.stalled) << about;
        ++visits;
    }
    EXPECT_NE(visits, 0U) << about;
}

/// SARE_STALL_SETTINGS=100 draws so many.
int settings() {
    const char* const given = std::getenv("SARE_STALL_SETTINGS");
    return given == nullptr ? 12 : std::atoi(given);
}

TEST(StallSums, AddUpOverRandomNetworks) {
    rng random(test_seed(7), stream::test, 23);
    for (int n = 0; n < settings(); ++n) {
        const drawn_setting d = draw_setting(random);
        const std::vector<sare::message> script =
            random_script(random, network(d.setting.network)->nodes(), 9, 250,
                          d.setting.kind.empty() ? 0.1 : 0.06, d.setting.classes);
        const router_params& p = d.setting.router;
        const std::string about =
            "case " + std::to_string(n) + ": " + text_of(d.setting) + ", switching " +
            std::to_string(static_cast<int>(p.switching)) + ", delays " + std::to_string(p.rc_delay) +
            std::to_string(p.va_delay) + std::to_string(p.sa_delay) + std::to_string(p.st_delay) +
            (p.speculative ? ", speculative" : "") + (d.setting.compact_allowed ? ", fast" : "");
        const outcome o = run(d, script, true);
        check_heads(d, o, about);
        check_counts(d, o, about);
        ASSERT_EQ(o.told, run(d, script, false).told) << about;
        if (HasFatalFailure()) return;
    }
}

/// With clocks that are slow, or change and stop, what the router does not do in a cycle is the clock's.
TEST(StallSums, AddUpOverDomains) {
    rng random(test_seed(9), stream::test, 25);
    for (int n = 0; n < settings(); ++n) {
        const drawn_setting d = draw_vc_setting(random);
        const std::uint32_t nodes = network(d.setting.network)->nodes();
        const auto script = random_script(random, nodes, 9, 250, 0.06, d.setting.classes);
        const std::string period = random_clock(random).text();
        const std::string domains =
            "a: {routers: 0, clock: " + period + "}, b: {routers: " + (nodes > 2 ? "1-2" : "1") +
            ", switching: " + std::to_string(random.below(30)) +
            ", schedule: [{at: 60, clock: 3}, {at: 240, clock: 5/4}, {at: 420, clock: 2}]}";
        const std::string about = "case " + std::to_string(n) + ": " + text_of(d.setting) + ' ' + domains;
        const outcome o = run(d, script, true, domains);
        check_heads(d, o, about);
        check_counts(d, o, about);
        ASSERT_EQ(o.told, run(d, script, false, domains).told) << about;
        std::uint64_t by_clock = 0;
        for (const auto& [at, cycles] : o.trace.stalls)
            if (std::get<3>(at) == static_cast<int>(stall_reason::clock)) {
                by_clock += cycles;
                ASSERT_TRUE(std::get<0>(at) <= 2) << about << ": router " << std::get<0>(at);
            }
        ASSERT_NE(by_clock, 0U) << about;
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace sare::test::stall_sums_test
