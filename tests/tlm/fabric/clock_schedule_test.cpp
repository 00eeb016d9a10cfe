// SPDX-License-Identifier: Apache-2.0
#include "tests/support/parameter_text.h"
#include "tests/tlm/fabric/domain_runs.h"
#include "tlm/router_api/clock_domain.h"
#include "tlm/topology/region/level_governor.h"

#include <gtest/gtest.h>

/// Clocks of domains that change while the network runs.
namespace sare::test::clock_schedule_test {
namespace {

constexpr std::uint64_t parts = 60;  ///< parts of a network cycle in which all edges of these tests lie

/// A clock with changes, and what it stops for at each.
struct schedule {
    std::vector<std::pair<cycle_t, clock_ratio>> steps;  ///< the first one at 0
    std::uint32_t stop = 0;

    running_clock::limits limits() const {
        const auto by_period = [](const auto& a, const auto& b) {
            return a.second.period() < b.second.period();
        };
        const auto [fast, slow] = std::minmax_element(steps.begin(), steps.end(), by_period);
        return {fast->second, slow->second, stop};
    }
    running_clock clock() const {
        running_clock made(steps[0].second, limits());
        for (std::size_t k = 1; k < steps.size(); ++k)
            made.change(steps[k].first, steps[k].second, static_cast<std::uint32_t>(k));
        return made;
    }
    /// Keys of a domain.
    std::string text() const {
        std::string all =
            "clock: " + steps[0].second.text() + ", switching: " + std::to_string(stop) + ", schedule: [";
        for (std::size_t k = 1; k < steps.size(); ++k)
            all += (k == 1 ? "{at: " : ", {at: ") + std::to_string(steps[k].first) +
                   ", clock: " + steps[k].second.text() + "}";
        return all + "]";
    }
    /// Times of all edges up to `end`, a cycle, one after the other: a step ends a period at its edge, and
    /// goes on after the next whole cycle and the stop.
    std::vector<std::uint64_t> edges(cycle_t end) const {
        std::vector<std::uint64_t> all;
        std::size_t now = 0;
        for (std::uint64_t t = 0; t <= end * parts;) {
            if (now + 1 < steps.size() && t >= steps[now + 1].first * parts) {
                const bool is_new = steps[now].second != steps[now + 1].second || stop != 0;
                ++now;
                if (is_new) t = ((t + parts - 1) / parts + stop) * parts;
            }
            all.push_back(t);
            t += parts * steps[now].second.cycles() / steps[now].second.edges();
        }
        return all;
    }
};

/// `repeats`: a step may be to the clock that there is.
schedule random_schedule(rng& random, std::uint32_t steps, cycle_t first, bool repeats = false) {
    schedule s;
    s.stop = random.bernoulli(0.5) ? random.below(20) : 0;
    while (s.steps.size() < steps)
        if (const clock_ratio clock = random_clock(random);
            repeats || s.steps.empty() || clock != s.steps.back().second)
            s.steps.push_back({0, clock});
    cycle_t at = first;
    for (std::uint32_t k = 1; k < steps; ++k) {
        s.steps[k].first = at + random.below(50);
        at = s.steps[k].first + running_clock::least_gap(s.limits());
    }
    return s;
}

TEST(ClockSchedule, HasItsEdgesWhereTheyAreOneByOne) {
    rng random(test_seed(1), stream::test, 41);
    for (int n = 0; n < 200; ++n) {
        const schedule s = random_schedule(random, 1 + random.below(5), random.below(40), true),
                       other = random_schedule(random, 1 + random.below(5), random.below(40), true);
        const cycle_t end = 600;
        const auto edges = s.edges(end + 100), others = other.edges(end);
        const running_clock clock = s.clock();
        std::vector<bool> has(end);
        std::size_t k = 0;
        for (; edges[k] < end * parts; ++k) {
            ASSERT_EQ(clock.cycle_of(k), edges[k] / parts) << s.text() << ", edge " << k;
            has[edges[k] / parts] = true;
        }
        for (cycle_t t = 0; t < end; ++t) {
            const auto first = std::lower_bound(edges.begin(), edges.end(), t * parts) - edges.begin();
            ASSERT_EQ(clock.first_edge(t), static_cast<cycle_t>(first)) << s.text() << ", cycle " << t;
            ASSERT_EQ(clock.has_edge(t), has[t]) << s.text() << ", cycle " << t;
        }
        const running_clock writer = other.clock();
        for (std::size_t j = 0; j < others.size(); ++j) {
            const auto first = std::lower_bound(edges.begin(), edges.end(), others[j]) - edges.begin();
            ASSERT_EQ(clock.first_edge(writer, j), static_cast<cycle_t>(first))
                << s.text() << ' ' << other.text();
        }
        for (const std::size_t ahead : {1, 3, 10})
            for (std::size_t j = 0; j + ahead < k; ++j)
                ASSERT_LE(clock.cycle_of(j + ahead) - clock.cycle_of(j), clock.most_cycles_of(ahead) + 1)
                    << s.text();
    }
}

/// Domains of random routers and NICs, whose keys `keys` gives.
template <class Keys>
std::string scheduled_domains(std::uint64_t seed, const topology& map, Keys keys) {
    rng random(seed, stream::test, 43);
    const auto [routers, nodes] = random_blocks(random, map);
    std::string all;
    const auto add = [&](const char* what, const std::string& which) {
        if (which.find_first_of("0123456789") == std::string::npos) return;
        all += (all.empty() ? "d" : ", d") + std::to_string(all.size()) + ": {" + what + ": [" +
               which.substr(which.find_first_of("0123456789")) + "], " + keys() + "}";
    };
    for (std::size_t k = 1; k < 3; ++k) add("routers", routers[k]);
    for (const std::string& n : nodes) add("nodes", n);
    return all;
}

/// Steps to the level that there is, and to another voltage, let all happen as without them.
TEST(ClockSchedule, ThatChangesNoClockChangesNothing) {
    rng random(test_seed(1), stream::test, 42);
    for (int n = 0; n < networks(); ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const auto map = network(net.line);
        const auto all = script(map->nodes(), s.seed);
        const std::uint64_t seed = random.next();
        const auto with = [&](const std::string& schedule) {
            rng clocks(seed, stream::test, 1);
            return scheduled_domains(seed, *map,
                                     [&] { return "clock: " + random_clock(clocks).text() + schedule; });
        };
        const std::string plain = with(""),
                          steps =
                              with(", schedule: [{at: 33, voltage: 0.7}, {at: 95}, {at: 160, voltage: 0.9}]");
        ASSERT_EQ(sorted(log_of(s, with_domains(net.line, plain), all), itself),
                  sorted(log_of(s, with_domains(net.line, steps), all), itself))
            << net.line << ' ' << steps;
    }
}

/// Rows of what happens before cycle `end`.
rows before(const rows& all, cycle_t end) {
    rows some;
    for (const auto& row : all)
        if (row[0] < end) some.push_back(row);
    return some;
}

clock_ratio slow_clock(rng& random) {
    const std::uint32_t edges = 1 + random.below(5);
    return {edges + 1 + random.below(3 * edges), edges};
}

/// One step at a common edge of both clocks: before it all is as with the first clock; if all is sent after
/// it, as with the second. As priorities rotate with the cycles of a router, these are multiples of all
/// numbers of VCs at the step.
TEST(ClockSchedule, IsTheFirstDomainBeforeAStepAndTheSecondAfterIt) {
    rng random(test_seed(1), stream::test, 44);
    constexpr cycle_t turns = 1680;
    for (int n = 0; n < networks(); ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const auto map = network(net.line);
        const clock_ratio first = slow_clock(random);
        clock_ratio second = slow_clock(random);
        while (second == first) second = slow_clock(random);
        const cycle_t common = cycle_t{first.cycles()} * second.cycles();
        const std::uint32_t stop = random.below(2) * (1 + random.below(30));
        const std::string part = stop != 0 || map->routers() < 3 ? "all" : "0-1";
        const auto with = [&](const std::string& keys) {
            return with_domains(net.line, "a: {routers: " + part + ", clock: " + keys + "}");
        };
        const auto step = [&](cycle_t at) {
            return first.text() + ", switching: " + std::to_string(stop) +
                   ", schedule: [{at: " + std::to_string(at) + ", clock: " + second.text() + "}]";
        };
        std::vector<sare::message> all = script(map->nodes(), s.seed);
        ASSERT_EQ(before(sorted(log_of(s, with(step(common)), all), itself), common),
                  before(sorted(log_of(s, with(first.text()), all), itself), common))
            << net.line << ' ' << step(common);
        const cycle_t at = common * turns;
        const rows fixed =
            sorted(log_of(s, with(second.text()), all), [&](cycle_t t) { return t + at + stop; });
        for (sare::message& m : all) m.generated += at + stop;
        ASSERT_EQ(sorted(log_of(s, with(step(at)), all), itself), fixed)
            << net.line << ' ' << step(at) << ' ' << parameter_text(s.router);
    }
}

/// A packet on a line of routers whose clocks change on its way, flit by flit: as in domain_test, with edges
/// that are found one by one.
TEST(ClockSchedule, MovesFlitsAsTheirRecurrenceSays) {
    rng random(test_seed(1), stream::test, 45);
    for (int n = 0; n < 2 * networks(); ++n) {
        const std::uint32_t routers = 2 + random.below(4), latency = 1 + random.below(3);
        const std::uint32_t flits = 1 + random.below(30), start = random.below(50);
        std::vector<std::vector<std::uint64_t>> edges;
        std::vector<std::uint32_t> stages;
        std::string domains;
        for (std::uint32_t r = 0; r < routers; ++r) {
            const schedule s = random_schedule(random, 2 + random.below(3), 1 + random.below(60));
            edges.push_back(s.edges(3000));
            stages.push_back(1 + random.below(3));
            domains += (r == 0 ? "d" : ", d") + std::to_string(r) + ": {routers: " + std::to_string(r) +
                       ", " + s.text() + ", synchroniser: " + std::to_string(stages[r]) + "}";
        }
        const auto first_edge = [&](std::uint32_t r, std::uint64_t time) {
            return static_cast<std::uint64_t>(std::lower_bound(edges[r].begin(), edges[r].end(), time) -
                                              edges[r].begin());
        };
        fabric_setting s;
        s.nic.delay = 0;
        s.router.depth = s.nic.max_packet_flits = 32;
        s.router.rc_delay = s.router.va_delay = s.router.sa_delay = s.router.st_delay = 1;
        std::vector<std::uint64_t> come(flits), granted(flits);
        for (std::uint32_t i = 0; i < flits; ++i) come[i] = first_edge(0, start * parts) + i + 1;
        for (std::uint32_t r = 0; r < routers; ++r)
            for (std::uint32_t i = 0; i < flits; ++i) {
                granted[i] = i == 0 ? come[0] + 2 : std::max(come[i], granted[i - 1] + 1);
                if (r + 1 == routers) continue;
                const std::uint64_t read =
                    first_edge(r + 1, edges[r][granted[i] + 2 + latency]) + stages[r + 1] - 1;
                come[i] = i == 0 ? read : std::max(read, come[i - 1] + 1);
            }
        const std::string line =
            "mesh dims=" + std::to_string(routers) + " link_latency=" + std::to_string(latency);
        ASSERT_EQ(arrival(s, with_domains(line, domains), start, flits),
                  edges.back()[granted.back() + 2 + 1] / parts)
            << line << ' ' << domains << ' ' << flits << " flits from " << start;
    }
}

TEST(ClockSchedule, DependsOnNoOrderOfEvaluationAndNoThreads) {
    rng random(test_seed(1), stream::test, 46);
    for (int n = 0; n < networks() / 6; ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const std::string domains = scheduled_domains(random.next(), *network(net.line), [&] {
            return random_schedule(random, 4, 1 + random.below(40)).text();
        });
        const auto all = script(network(net.line)->nodes(), s.seed);
        const rows plain = sorted(log_of(s, with_domains(net.line, domains), all), itself);
        ASSERT_EQ(plain, sorted(log_of(s, with_domains(net.line, domains), all, 5), itself)) << domains;
        s.threads = {3, 1, 0, 3};
        ASSERT_EQ(plain, sorted(log_of(s, with_domains(net.line, domains), all), itself)) << domains;
    }
}

/// A governor that takes the levels in turn, whatever the load is.
class in_turn final : public level_governor {
  public:
    std::uint32_t next_level(const domain_load& load) override { return (load.level + 1) % load.levels; }
};
const config::registration<level_governor> registered{"in_turn", "Takes the levels in turn.",
                                                      config::made<in_turn>};

/// The choices of a governor are a schedule that is not known before: the same cycles as one that is.
TEST(ClockSchedule, OfAGovernorIsThatOfItsChoices) {
    rng random(test_seed(1), stream::test, 47);
    for (int n = 0; n < networks() / 2; ++n) {
        fabric_setting s = random_setting(random);
        const drawn_network net = random_network(random);
        s.routing = net.routing;
        const std::uint32_t period = 1 + random.below(3);
        const std::string first = std::to_string(period),
                          second = std::to_string(1 + (period + random.below(3)) % 4),  // another one
            stop = std::to_string(random.below(9)),
                          begin = (network(net.line)->routers() > 2 ? "a: {routers: 0-2, clock: "
                                                                    : "a: {routers: 0, clock: ") +
                                  first + ", switching: " + stop;
        const cycle_t interval = 700;
        const std::string list = begin + ", levels: [{clock: " + second +
                                 "}], governor: in_turn, interval: " + std::to_string(interval) + "}";
        const auto all = script(network(net.line)->nodes(), s.seed, {}, {0.05, 3000, 4});
        test_fabric f(s, with_domains(net.line, list));
        scripted_traffic traffic(all);
        packet_log log;
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(&traffic);
        f.run(0, 20'000);
        ASSERT_EQ(f.net.view().leftovers(), "");
        std::string steps = begin + ", schedule: [";
        const auto& spans = f.net.view().domain_of(0).clock().spans();
        ASSERT_GE(spans.size(), 4U);
        for (std::size_t k = 1; k < spans.size(); ++k)
            steps += (k == 1 ? "{at: " : ", {at: ") + std::to_string(spans[k].from) +
                     ", clock: " + spans[k].ratio.text() + "}";
        ASSERT_EQ(sorted(log, itself), sorted(log_of(s, with_domains(net.line, steps + "]}"), all), itself))
            << net.line << ' ' << list << ' ' << steps;
    }
}

}  // namespace
}  // namespace sare::test::clock_schedule_test
