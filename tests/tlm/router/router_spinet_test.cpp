// SPDX-License-Identifier: Apache-2.0
#include "tests/support/bufferless.h"

#include <cmath>

/// Elements of a bufferless optical network: closed forms, and what must hold in every cycle.
namespace sare::test::router_spinet_test {
namespace {

fabric_setting optical(const std::string& network, const std::string& parameters = "") {
    fabric_setting s;
    s.network = network;
    s.kind = "spinet " + parameters;
    s.routing = "destination_tag";
    return s;
}

struct lone_case {
    const char *network, *parameters;
    std::uint32_t stages, latency, duration, slot;
};
void PrintTo(const lone_case& c, std::ostream* out) {
    *out << c.network << ", " << c.parameters;
}
class lone_packets : public testing::TestWithParam<lone_case> {};
INSTANTIATE_TEST_SUITE_P(
    spinet, lone_packets,
    testing::Values(lone_case{"omega k=2 n=3", "", 3, 1, 16, 16},
                    lone_case{"omega k=5 n=1", "duration=1", 1, 1, 1, 1},
                    lone_case{"omega k=2 n=4 link_latency=3", "duration=5", 4, 3, 5, 18},
                    lone_case{"omega k=2 n=3 extra=2", "duration=3 slot=11", 5, 1, 3, 11},
                    lone_case{"omega k=4 n=2 extra=1 link_latency=2", "", 3, 2, 16, 16},
                    lone_case{"butterfly k=3 n=3", "duration=4 slot=20", 3, 1, 4, 20},
                    lone_case{"clos m=3 n=2 r=4 link_latency=2", "duration=9", 3, 2, 9, 9}));

/// A packet waits for its slot; then every link takes its time, and the packet its own, however long it is.
TEST_P(lone_packets, TakeSlotLinksAndDuration) {
    const lone_case& c = GetParam();
    fabric_setting s = optical(c.network, c.parameters);
    s.nic.max_packet_flits = 7;
    test_fabric f(s);
    const auto script = lone_messages(f.net.view().nodes(), 7, 300);
    scripted_traffic traffic(script);
    packet_log log;
    f.net.stepper().set_observer(&log);
    f.net.stepper().set_workload(&traffic);
    f.run(0, script.size() * 300 + 1000);
    ASSERT_EQ(log.lines.size(), script.size() * 16);
    for (std::size_t k = 8; k < log.lines.size(); k += 16) {
        const std::uint64_t generated = log.lines[k + 6], begun = (generated + c.slot - 1) / c.slot * c.slot;
        ASSERT_EQ(log.lines[k] / 2, begun + (c.stages - 1) * c.latency + c.duration - 1);
        ASSERT_EQ(log.lines[k + 7], begun);
        ASSERT_EQ(log.lines[k + 5], c.stages) << "elements visited";
        ASSERT_EQ(log.lines[k + 4], script[k / 16].flits);
    }
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(counts_of(f.net)["acceptance"], 1);
}

// ---- acceptance

/// p(i+1) = 1 - (1 - p(i)/k)^k: of elements of k inputs, if destinations are uniform and packets that were
/// not accepted are not sent again (J. Patel, 1981).
double recurrence(double p, std::uint32_t stages, std::uint32_t k = 2) {
    for (std::uint32_t i = 0; i < stages; ++i) p = 1 - std::pow(1 - p / k, k);
    return p;
}

/// Attempts and packets that arrived, a slot and port, of uniform traffic without retries.
std::pair<double, double> offered_and_accepted(const std::string& network, double load,
                                               const std::string& more = "") {
    constexpr std::uint32_t slot = 40;
    const double samples = 600'000;
    fabric_setting s = optical(network, "duration=4 slot=40 attempts=1 " + more);
    test_fabric f(s);
    const auto slots = static_cast<cycle_t>(samples / f.net.view().nodes());
    // In every slot, or with that probability: a slot takes what waits, so that is how often one is taken.
    const std::string rate = load == 1 ? "0.2" : std::to_string(load / slot);
    config::value bernoulli = section("bernoulli load=" + rate, "workload");
    bernoulli.set("pattern", section("uniform self=true", "name"));
    const auto traffic =
        workload_registry::instance().make(bernoulli, workload_context{"", f.net.view().nodes()});
    f.net.stepper().set_workload(traffic.get());
    f.run(0, slots * slot);
    const auto counts = counts_of(f.net);
    const double of = static_cast<double>(slots) * f.net.view().nodes();
    return {counts.at("attempts") / of, counts.at("accepted") / of};
}

class acceptance : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(omega, acceptance, testing::Range(3U, 11U));

TEST_P(acceptance, FollowsTheRecurrence) {
    const std::string network = "omega k=2 n=" + std::to_string(GetParam());
    for (const double load : {1.0, 0.5, 0.2}) {
        const auto [offered, accepted] = offered_and_accepted(network, load);
        EXPECT_NEAR(offered / load, 1, 0.01) << network;
        EXPECT_NEAR(accepted / recurrence(load, GetParam()), 1, 0.01) << network << ", load " << load;
    }
}

TEST(Acceptance, FollowsTheRecurrenceOfLargerElements) {
    const double accepted = offered_and_accepted("omega k=4 n=3", 1).second;
    EXPECT_NEAR(accepted / recurrence(1, 3, 4), 1, 0.01);
}

TEST(Acceptance, DoesNotDependOnTheArbiter) {
    for (const char* arbiter : {"round_robin", "fixed"}) {
        const double accepted =
            offered_and_accepted("omega k=2 n=5", 1, std::string("arbitration=") + arbiter).second;
        EXPECT_NEAR(accepted / recurrence(1, 5), 1, 0.01) << arbiter;
    }
}

/// An extra stage at random is one more stage to lose in; with sidesteps nothing is lost there.
TEST(Acceptance, FallsWithExtraStagesUnlessSidestepped) {
    const double none = offered_and_accepted("omega k=2 n=6", 1).second;
    const double drawn = offered_and_accepted("omega k=2 n=6 extra=1", 1).second;
    const double sidestep = offered_and_accepted("omega k=2 n=6 extra=1", 1, "sidestep=true").second;
    EXPECT_LT(drawn, none * 0.98);
    EXPECT_NEAR(sidestep / none, 1, 0.02);
}

// ---- nothing is lost but what is counted

struct drawn_network {
    fabric_setting setting;
    double load;
    std::uint32_t longest;
};

drawn_network draw(std::uint64_t seed) {
    rng random(seed, stream::test, 71);
    const auto any = [&](std::initializer_list<const char*> all) {
        return std::string(all.begin()[random.below(static_cast<std::uint32_t>(all.size()))]);
    };
    const auto number = [&](const char* name, std::uint32_t from, std::uint32_t to) {
        return std::string(" ") + name + "=" + std::to_string(from + random.below(to - from + 1));
    };
    drawn_network d;
    d.setting = optical(any({"omega k=2 n=3", "omega k=2 n=4 extra=2", "omega k=2 n=5 extra=1",
                             "omega k=3 n=2", "butterfly k=2 n=4", "clos m=3 n=2 r=3"}) +
                            number("link_latency", 1, 4),
                        "arbitration=" + any({"random", "round_robin", "fixed"}) +
                            " sidestep=" + any({"true", "false"}) + number("duration", 1, 30) +
                            number("window", 1, 5) + number("doublings", 0, 4) +
                            (random.below(2) == 0 ? number("attempts", 1, 4) : "") + " vcs=2");
    d.setting.routing += " middle=" + any({"random", "source", "destination"});
    d.setting.classes = 1 + random.below(2);
    d.setting.nic.max_packet_flits = 1 + random.below(8);
    d.setting.seed = seed;
    d.load = random.bernoulli(0.5) ? 0.002 : 0.02;
    d.longest = 1 + random.below(20);
    return d;
}

class optical_network : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(drawn, optical_network, testing::Range<std::uint64_t>(1, 61));

TEST_P(optical_network, LosesNothingUncounted) {
    const drawn_network d = draw(GetParam());
    SCOPED_TRACE(d.setting.network + ", " + d.setting.kind);
    test_fabric f(d.setting);
    told_messages traffic(GetParam(), 3000, d.load, d.longest);
    const bool gives_up = d.setting.kind.find("attempts") != std::string::npos;
    run_empty(f, traffic, [&](cycle_t) -> std::string {
        if (f.net.view().packets_inside() != f.net.view().packets().in_use()) return "packets are miscounted";
        const packet_changes& c = f.net.view().changes();
        if (!gives_up && c.dropped.packets != 0) return "a packet was lost";
        return "";
    });
    const auto counts = counts_of(f.net);
    const auto packets = static_cast<double>(f.net.view().packets_injected());
    EXPECT_EQ(counts.at("accepted"), static_cast<double>(f.net.view().packets_consumed()));
    EXPECT_EQ(counts.at("attempts"), packets + counts.at("retries"));
    EXPECT_EQ(counts.at("attempts"), counts.at("accepted") + counts.at("lost"));
    EXPECT_EQ(counts.at("given_up"), static_cast<double>(f.net.view().changes().dropped.packets));
    EXPECT_EQ(traffic.cause, traffic.lost() == 0 ? "" : "not acknowledged");
}

class optical_order : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(drawn, optical_order, testing::Range<std::uint64_t>(1, 21));

TEST_P(optical_order, DoesNotDependOnTheOrderOfEvaluation) {
    drawn_network d = draw(GetParam());
    d.setting.traffic = "bernoulli load=0.1";
    d.setting.length = "range min=1 max=" + std::to_string(d.longest);
    const auto expected = lines_of(d.setting, 0, 3000);
    EXPECT_GT(expected.size(), 20U);
    for (const std::uint64_t shuffle : {1U, 2U}) EXPECT_EQ(lines_of(d.setting, shuffle, 3000), expected);
}

TEST(Optical, CarriesEveryWorkload) {
    expect_workloads_run(optical("omega k=2 n=4 extra=1", "vcs=2"));
}

/// A sender sends one packet after the other: a flow is never overtaken by itself.
TEST(Optical, KeepsTheOrderOfAFlow) {
    fabric_setting s = optical("omega k=2 n=4 extra=2", "duration=4");
    s.traffic = "bernoulli load=0.2";
    const auto lines = lines_of(s, 0, 4000);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> last;  // generated, of those consumed
    for (const auto& line : lines) {
        if (line[0] % 2 == 1) continue;
        std::uint64_t& before = last[{line[2], line[3]}];
        EXPECT_GE(line[6], before);
        before = line[6];
    }
    EXPECT_GT(last.size(), 100U);
}

// ---- back-off

/// Nodes 0 and 4 of 8 share an element; both always send to node 0, and with fixed arbitration node 0, which
/// has the lower input, always wins.
struct starved {
    explicit starved(const std::string& parameters) : f(optical("omega k=2 n=3", parameters)) {}
    void run(cycle_t end) { run(end, 2 * end / 16 + 4); }
    /// `messages`: of both.
    void run(cycle_t end, std::uint64_t messages) {
        std::vector<sare::message> script;
        for (std::uint32_t n = 0; n < messages; ++n) {
            sare::message m;
            m.source = n % 2 == 0 ? 0 : 4;
            m.destination = 0;
            m.flits = 1;
            m.generated = 0;
            script.push_back(m);
        }
        traffic = std::make_unique<scripted_traffic>(script);
        f.net.stepper().set_workload(traffic.get());
        f.run(0, end);
    }
    test_fabric f;
    std::unique_ptr<scripted_traffic> traffic;
};

TEST(BackOff, EndsAfterSoManyAttempts) {
    starved s("arbitration=fixed attempts=5 window=1 doublings=0");
    s.run(16 * 50 + 1);
    EXPECT_EQ(s.f.net.view().nic(4).injected_packets, 11U);  // five slots each
    EXPECT_EQ(s.f.net.view().changes().dropped.packets, 10U);
    EXPECT_EQ(counts_of(s.f.net)["given_up"], 10);
    EXPECT_EQ(counts_of(s.f.net)["lost_in_stage_00"], 51);
    EXPECT_EQ(counts_of(s.f.net)["lost"], 51);
}

/// With a window of W slots an attempt comes (W + 1) / 2 slots after the one before it.
TEST(BackOff, DoublesItsWindowUpToABound) {
    constexpr double slots = 40'000;
    for (const auto& [parameters, window] : {std::pair<const char*, double>{"window=1 doublings=0", 1},
                                             {"window=8 doublings=0", 8},
                                             {"window=1 doublings=5", 32},
                                             {"window=3 doublings=2", 12}}) {
        starved s(std::string("arbitration=fixed ") + parameters);
        s.run(16 * static_cast<cycle_t>(slots));
        EXPECT_EQ(s.f.net.view().nic(4).injected_packets, 1U);
        EXPECT_NEAR(counts_of(s.f.net)["retries"] * (window + 1) / 2 / slots, 1, 0.04) << parameters;
    }
}

/// The first window is that which is asked for: of one slot, so the packet is sent again at once.
TEST(BackOff, BeginsWithItsWindow) {
    starved s("arbitration=fixed window=1 doublings=5");
    packet_log log;
    s.f.net.stepper().set_observer(&log);
    s.run(100, 2);
    ASSERT_EQ(log.lines.size(), 4U * 8);
    EXPECT_EQ(log.lines[16] / 2, 2U + 15);       // node 0's: two links, and its own 16 cycles
    EXPECT_EQ(log.lines[24] / 2, 16U + 2 + 15);  // node 4's, a slot later
}

/// One that waits alone, nothing else being under way, is not forgotten, however long a slot is.
TEST(BackOff, EndsWhereNothingElseMoves) {
    for (std::uint32_t slot = 4; slot <= 33; ++slot) {
        starved s("arbitration=fixed duration=2 window=100 slot=" + std::to_string(slot));
        s.run(1'000'000, 2);
        EXPECT_EQ(s.f.net.view().packets_consumed(), 2U) << "slots of " << slot;
        EXPECT_EQ(s.f.net.view().leftovers(), "") << "slots of " << slot;
    }
}

// ---- what does not fit

TEST(Optical, RefusesWhatDoesNotFit) {
    EXPECT_NE(refusal(optical("omega k=2 n=4 link_latency=5", "slot=20 duration=8"))
                  .find("router.slot is 20 cycles; it must be at least 30"),
              std::string::npos);
    EXPECT_NE(refusal(optical("omega k=2 n=3 link_cycles_per_flit=2")).find("takes 2 cycles a flit"),
              std::string::npos);
    fabric_setting mesh = optical("mesh dims=4,4");
    mesh.routing = "dor";
    EXPECT_NE(refusal(mesh).find("make a butterfly, an omega or a clos network"), std::string::npos);
    fabric_setting table = optical("omega k=2 n=3");
    table.routing = "table";
    EXPECT_NE(refusal(table).find("'routing' is table, and must be destination_tag"), std::string::npos);
    EXPECT_NE(refusal(optical("omega k=2 n=3 extra=4")).find("'extra' is 4"), std::string::npos);
}

}  // namespace
}  // namespace sare::test::router_spinet_test
