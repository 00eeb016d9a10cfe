// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/plugin_bench.h"

#include "cosim/bench/probes.h"
#include "cosim/random/shrink/event_shrink.h"
#include "cosim/router/adapted_router.h"

#include <fmt/format.h>

#include <chrono>
#include <regex>

namespace sare::cosim {
namespace {

/// Cycles without a flit that leaves, at the end, after which flits are left in the router.
constexpr cycle_t drains_in = 5000, after = 100, used_for = 300;
constexpr const char* by_chance = "reset leaves something to chance";

/// Runs a router under random traffic, and leaves it in its middle.
std::unique_ptr<pins::pin_adapter> used(std::unique_ptr<pins::pin_adapter> adapter, const plugin_place& at,
                                        const pins::router_facts& facts, const pins::router_info& info) {
    router_bench bench(at.setting(), at.around(), info.initial_state);
    bench.only(at.flows());
    adapted_router router(std::move(adapter), facts, info, at.around(), bench.packets());
    std::vector<port_out> out(info.ports);
    try {
        for (cycle_t t = 1; t <= used_for; ++t) {
            router.cycle(t, bench.inputs(), out);
            bench.outputs(out);
        }
    } catch (const std::runtime_error&) {  // the scoreboard tells it, of the router that is new
    }
    return router.release();
}

/// A router under a scoreboard with traffic at its pins.
class pin_run {
  public:
    pin_run(const plugin_place& at, pin_traffic& traffic, plugin_start start, const plugin_run& how)
        : m_traffic(traffic), m_how(how), m_out(at.setting().ports) {
        second_router second;
        second.other_state = start != plugin_start::zeros;
        second.zeros = start == plugin_start::zeros;
        second.measures = how.measures;
        if (how.instead) {
            second = {};
            second.used = [&how](auto, const auto& facts, const auto& info) {
                return how.instead(facts, info);
            };
        } else if (start == plugin_start::mid_traffic)
            second.used = [&at](auto adapter, const auto& facts, const auto& info) {
                return used(std::move(adapter), at, facts, info);
            };
        m_router = at.make(traffic.packets(), second);
        m_router.router->write_waves(how.waves);
        if (m_router.pair != nullptr) m_router.pair->run_both_until(how.waves.last);
    }

    plugin_verdict go(cycle_t cycles, const std::function<void(double)>& on_cycle) {
        while (m_now <= cycles && cycle(false))
            if (on_cycle && m_now % 4096 == 0)
                on_cycle(static_cast<double>(m_now) / static_cast<double>(cycles));
        if (!m_how.drains) cycle(true);  // for who sees the outputs of the cycle before
        for (m_last_out = m_now;
             m_how.drains && m_now < m_last_out + drains_in && !m_traffic.empty() && cycle(true);) {
        }
        for (const cycle_t end = m_now + after; m_how.drains && m_now < end && cycle(true);) {
        }
        if (m_verdict.text.empty() && m_how.drains && !m_traffic.empty())
            note(m_now, "flits are left in the router");
        if (m_verdict.text.empty()) attempt([this] { m_router.watched->finish(); });
        m_verdict.router_cycles = m_now - 1;
        if (!m_how.coverage.empty() && m_router.router->counts_coverage())
            m_router.router->write_coverage(m_how.coverage);
        return m_verdict;
    }

  private:
    /// Returns false after the first error, and after the last cycle of waves.
    bool cycle(bool closing) {
        if (!m_verdict.text.empty() && m_now > m_how.waves.last) return false;
        const std::vector<port_in>& in = m_traffic.inputs(closing);
        if (m_how.sees != nullptr) m_how.sees->note(m_now, in, m_out, m_traffic.packets());
        attempt([&] {
            m_router.watched->cycle(m_now, in, m_out);
            for (const port_out& out : m_out) {
                m_verdict.packets += out.valid && out.what.is_tail() ? 1 : 0;
                if (out.valid) m_last_out = m_now;
            }
            m_traffic.outputs(m_out);
        });
        ++m_now;
        return m_verdict.text.empty() || m_now <= m_how.waves.last;
    }
    /// Runs a step, and notes its error if it is the first one.
    template <class Step>
    void attempt(const Step& step) {
        try {
            step();
        } catch (const violation& v) {
            note_difference();
            note(m_now, v.what(), v.since(), v.history());
        } catch (const std::runtime_error& problem) {
            note_difference();
            note(m_now, problem.what());
        }
        note_difference();
    }
    /// If two initial states differ, all else follows from that.
    void note_difference() {
        if (m_router.pair == nullptr) return;
        const auto& d = m_router.pair->first_divergence();
        if (!d) return;
        const bool says_so = d->text().find(by_chance) != std::string::npos;
        note(d->cycle, d->text() + (says_so ? "" : std::string("; ") + by_chance), d->since, d->history);
    }
    void note(cycle_t t, const std::string& what, cycle_t since = 0, std::vector<std::string> history = {}) {
        if (!m_verdict.text.empty()) return;
        m_verdict.text = what.rfind("cycle ", 0) == 0 ? what : fmt::format("cycle {}: {}", t, what);
        m_verdict.cycle = t;
        m_verdict.since = since;
        m_verdict.history = std::move(history);
    }

    pin_traffic& m_traffic;
    const plugin_run& m_how;
    std::vector<port_out> m_out;
    plugin_router m_router;
    cycle_t m_now = 1, m_last_out = 0;
    plugin_verdict m_verdict;
};

/// Returns a line without its numbers and details, equal for two runs with the same cause.
std::string cause_of(const std::string& line) {
    static const std::regex numbers("0x[0-9a-f]+|[0-9]+"), details("; .*");
    return std::regex_replace(std::regex_replace(line, details, ""), numbers, "N");
}

/// Runs `traffic` as `c` says, and notes it in `c`. What differs from one initial state to another may do so
/// since it is wrong from all of them: then it is that which is told.
template <class Make>
plugin_verdict run_any(const plugin_place& at, plugin_case& c, const plugin_run& how, const Make& traffic,
                       const std::function<void(double)>& on_cycle = {}) {
    const auto once = [&] {
        const std::unique_ptr<pin_traffic> t = traffic();
        return pin_run(at, *t, c.start, how).go(c.cycles, on_cycle);
    };
    plugin_verdict v = once();
    if (c.start == plugin_start::zeros || v.text.find(by_chance) == std::string::npos) return v;
    const plugin_start before = std::exchange(c.start, plugin_start::zeros);
    const plugin_verdict zeros = once();
    if (!zeros.text.empty()) return zeros;
    c.start = before;
    return v;
}

}  // namespace

plugin_verdict run(const plugin_place& at, const plugin_case& c, const plugin_run& how) {
    router_setting s = at.setting();
    if (how.places != 0) {  // heads come wherever the sender counts a place
        s.model.depth = how.places;
        s.model.switching = switching_mode::wormhole;
        s.model.reallocation = reallocation_rule::tail;
        s.room = pins::head_credits::one_place;
    }
    case_traffic traffic(s, at.around(), c);
    return pin_run(at, traffic, c.start, how).go(c.cycles != 0 ? c.cycles : c.end(), {});
}

plugin_verdict run_random(const plugin_place& at, const plugin_case& c, const plugin_run& how) {
    router_bench bench(at.setting(), at.around(), c.seed);
    bench.only(at.flows());
    bench.fill_and_drain(true);
    return pin_run(at, bench, c.start, how).go(c.cycles, {});
}

plugin_outcome plugin_test(plugin_case c, cycle_t cycles, bool probes, const std::string& coverage,
                           const std::function<void(double)>& on_cycle) {
    const auto at = make_place(c);
    std::uint64_t router_cycles = 0, packets = 0;
    const auto outcome = [&](plugin_verdict v, const std::string& name) {
        v.router_cycles += router_cycles;
        v.packets += packets;
        return plugin_outcome{std::move(v), name, c};
    };
    for (const probe& p : probes ? probes_of(*at) : std::vector<probe>{}) {
        static_cast<pin_events&>(c) = p.events;
        c.cycles = p.cycles;
        c.start = p.start;
        const plugin_verdict v = run_any(
            *at, c, {}, [&] { return std::make_unique<case_traffic>(at->setting(), at->around(), c); });
        if (!v.text.empty()) return outcome(v, p.name);
        router_cycles += v.router_cycles;
        packets += v.packets;
    }
    c.start = plugin_start::two_states;
    c.cycles = cycles;
    std::optional<case_recorder> log;
    plugin_run how;
    how.coverage = coverage;
    const auto random = [&] {
        auto bench = std::make_unique<router_bench>(at->setting(), at->around(), c.seed);
        bench->only(at->flows());
        bench->fill_and_drain(true);
        how.sees = &log.emplace();
        return bench;
    };
    const plugin_verdict v = run_any(*at, c, how, random, on_cycle);
    static_cast<pin_events&>(c) = {};
    if (!v.text.empty()) {
        log->complete(v.cycle);
        c.packets = log->packets;
        c.credits = log->credits;
        c.cycles = v.cycle;
    }
    return outcome(v, "");
}

std::optional<shrunk_plugin> shrink(const plugin_case& c, double seconds) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1000));
    const auto late = [end] { return std::chrono::steady_clock::now() > end; };
    const auto at = make_place(c);
    shrunk_plugin s;
    s.smallest = c;
    plugin_verdict v = run(*at, c);
    if (v.text.empty()) return {};
    const std::string cause = cause_of(v.text);
    const auto take = [&](pin_events e) {
        if (late() || e.packets.empty()) return false;
        ++s.runs;
        plugin_case other = s.smallest;
        static_cast<pin_events&>(other) = std::move(e);
        other.cycles = v.cycle;
        plugin_verdict its = run(*at, other);
        if (its.text.empty() || cause_of(its.text) != cause) return false;
        s.smallest = std::move(other);
        v = std::move(its);
        return true;
    };
    polish_events({s.smallest, take, [&v] { return v.cycle; }});
    s.problem = v.text;
    s.cycles = v.cycle;
    s.complete = !late();
    return s;
}

}  // namespace sare::cosim
