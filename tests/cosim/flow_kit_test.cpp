// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/flit_tag.h"
#include "cosim/random/random_case.h"
#include "cosim/random/router_bench.h"
#include "cosim/router/adapted_router.h"
#include "cosim/router/plugin.h"
#include "cosim/scoreboard/scoreboard.h"
#include "tests/cosim/fake_router.h"
#include "tlm/base/bits.h"

#include <gtest/gtest.h>

/// Routers of every flow control at the pins, with any number of VCs, between Sare's links; and what the
/// scoreboard says of faulty ones.
namespace sare::cosim::flow_kit_test {
namespace {

using pins::flow_control;
using test::fault;

pins::router_info info_of(const router_setting& s) {
    pins::router_info p;
    p.ports = s.ports;
    p.vcs = s.model.vcs;
    p.nodes = s.nodes;
    p.depth = s.model.depth;
    for (std::uint32_t q = 0; q < s.ports; ++q) p.depth_beyond.push_back(s.depth_beyond(q));
    return p;
}

/// Draws a router whose VCs have buffers of their own, here and beyond its ports: others count no pools, and
/// fork no packets.
random_case draw(std::uint64_t seed) {
    random_case c = draw_case(seed, 24);
    for (std::uint64_t n = 1; c.setting.forks(); ++n) c = draw_case(seed + 1000 * n, 24);
    router_setting& s = c.setting;
    s.model.buffers = buffer_policy::per_vc;
    if (!s.out_pool.empty()) s.out_depth.clear();
    s.out_pool.clear();
    return c;
}

/// Random traffic, then until all is out and the credits have been looked at; "" if all is well.
std::string run(std::uint64_t seed, flow_control flow, fault wrong = fault::none, cycle_t cycles = 20000,
                bool encoded = false) {
    random_case c = draw(seed);
    if (flow == flow_control::on_off) c.setting.out_depth.clear();
    const pins::router_info info = info_of(c.setting);
    pins::router_facts facts = test::fake_router::facts(info, flow);
    facts.encoded_credits = encoded;
    if (wrong == fault::is_slower_than_it_says) facts.min_latency = facts.max_latency = 1;
    router_bench bench(c.setting, *c.around, seed);
    auto router =
        std::make_unique<adapted_router>(std::make_unique<test::fake_router>(info, flow, wrong, encoded),
                                         facts, info, *c.around, bench.packets());
    router_limits limits{info.ports, info.vcs, info.depth_beyond, facts.min_latency, facts.max_latency};
    limits.reserve = flow == flow_control::on_off ? facts.reaction : 0;
    limits.patience = 500;
    limits.keeps_vc = wrong == fault::changes_vcs;
    limits.turns_back = wrong != fault::turns_back;
    if (!encoded && wrong != fault::is_slower_than_it_says) limits.cycles_per_flit = facts.cycles_per_flit;
    if (flow == flow_control::credit) {
        limits.credit_lag = facts.max_latency;
        limits.credit_delay = facts.credit_delay;
    }
    scoreboard watched(std::move(router), limits, *c.around, bench.packets());
    std::vector<port_out> out(info.ports);
    cycle_t t = 1;
    try {
        for (; t < cycles; ++t) {
            watched.cycle(t, bench.inputs(), out);
            bench.outputs(out);
        }
        for (const cycle_t end = t + 5000; t < end; ++t) {
            watched.cycle(t, bench.inputs(true), out);
            bench.outputs(out);
        }
    } catch (const std::runtime_error& problem) {
        return problem.what();
    }
    if (watched.flits() < 1000 && wrong == fault::none)
        return "only " + std::to_string(watched.flits()) + " flits";
    return bench.empty() ? "" : "does not drain";
}

class flow : public testing::TestWithParam<std::uint64_t> {};

TEST_P(flow, PassesTheScoreboardWithCredits) {
    EXPECT_EQ(run(GetParam(), flow_control::credit), "");
}
TEST_P(flow, PassesTheScoreboardWithCreditsOfOneVcACycle) {
    EXPECT_EQ(run(GetParam(), flow_control::credit, fault::none, 20000, true), "");
}
TEST_P(flow, PassesTheScoreboardWithReadyAndValid) {
    EXPECT_EQ(run(GetParam(), flow_control::ready_valid), "");
}
TEST_P(flow, PassesTheScoreboardWithOnAndOff) {
    EXPECT_EQ(run(GetParam(), flow_control::on_off), "");
}

INSTANTIATE_TEST_SUITE_P(drawn, flow, testing::Range<std::uint64_t>(1, 13));

/// The first line of a faulty router under any of some seeds.
std::string first_line(flow_control how, fault wrong) {
    for (std::uint64_t seed = 1; seed < 9; ++seed)
        if (const std::string line = run(seed, how, wrong); !line.empty())
            return line.substr(line.find(": ") + 2);
    return "";
}

TEST(Scoreboard, RefusesPacketsThatWouldTurnBack) {
    const std::string line = first_line(flow_control::credit, fault::turns_back);
    EXPECT_NE(line.find("would leave by the port at which it came in"), std::string::npos) << line;
}
TEST(Scoreboard, SeesPacketsThatDoNotKeepTheirVc) {
    const std::string line = first_line(flow_control::credit, fault::changes_vcs);
    EXPECT_NE(line.find("is on another VC than it came in"), std::string::npos) << line;
}

TEST(Scoreboard, SeesCreditsThatAreWrong) {
    const std::string line = first_line(flow_control::credit, fault::sends_without_credit);
    EXPECT_NE(line.find(": is sent without a credit"), std::string::npos) << line;
    EXPECT_EQ(first_line(flow_control::credit, fault::gives_credit_twice), "a credit comes back for no flit");
    const std::string kept = first_line(flow_control::credit, fault::keeps_credits);
    EXPECT_NE(kept.find(" credits do not come back"), std::string::npos) << kept;
    EXPECT_NE(kept.find("; the first is due since cycle "), std::string::npos) << kept;
}

TEST(Scoreboard, SeesHeadsThatAreLate) {
    for (const flow_control how : {flow_control::credit, flow_control::ready_valid, flow_control::on_off}) {
        const std::string line = first_line(how, fault::is_slower_than_it_says);
        EXPECT_NE(line.find("took 2 cycles through the empty router; declared are 1 to 1"), std::string::npos)
            << line;
    }
}

TEST(Scoreboard, SeesPlacesThatAreLost) {
    for (const flow_control how : {flow_control::ready_valid, flow_control::on_off}) {
        const std::string line = first_line(how, fault::loses_a_place);
        EXPECT_EQ(line, how == flow_control::on_off
                            ? "is refused a flit with 3 in the router; declared is a depth of 4"
                            : "is refused a flit with 2 in the router; declared is a depth of 3");
    }
}

TEST(Scoreboard, SeesThroughputThatIsLost) {
    for (const flow_control how : {flow_control::credit, flow_control::on_off}) {
        const std::string line = first_line(how, fault::rests);
        EXPECT_NE(line.find(": is late, with nothing in its way: the flit before left in cycle "),
                  std::string::npos)
            << line;
    }
    const std::string line = first_line(flow_control::credit, fault::is_late_with_credits);
    EXPECT_NE(line.find(" credits do not come back"), std::string::npos) << line;
    EXPECT_NE(line.find("; declared are 1 cycles"), std::string::npos) << line;
}

TEST(Scoreboard, SeesVcsThatRoutingDoesNotAllow) {
    const std::string line = first_line(flow_control::ready_valid, fault::takes_any_vc);
    EXPECT_NE(line.find(": is on a VC that routing does not allow"), std::string::npos) << line;
}

TEST(Scoreboard, SeesStarvation) {
    const std::string line = first_line(flow_control::on_off, fault::starves);
    EXPECT_NE(line.find(": is starved: "), std::string::npos) << line;
    EXPECT_NE(line.find(" other flits have left by output "), std::string::npos) << line;
}

// ---- offers -----------------------------------------------------------------------------------------------

/// Throws where an offer that it has not taken is followed by another one.
class strict final : public test::fake_router {
  public:
    explicit strict(const pins::router_info& info)
        : fake_router(info, flow_control::ready_valid), m_waits(info.ports, -1), m_ready(info.ports) {}

    void drive(std::uint32_t port, const pins::pin_flit* f) override {
        fake_router::drive(port, f);
        const int vc = f == nullptr ? -1 : static_cast<int>(f->vc);
        if (m_waits[port] >= 0 && vc != m_waits[port]) throw std::runtime_error("an offer is withdrawn");
        m_waits[port] = vc;
    }
    std::uint32_t read_back(std::uint32_t port) override {
        const std::uint32_t ready = fake_router::read_back(port);
        m_ready[port] = ready;
        return ready;
    }
    void edge() override {
        for (std::uint32_t q = 0; q < m_waits.size(); ++q)
            if (m_waits[q] >= 0 && (m_ready[q] >> m_waits[q] & 1) != 0) m_waits[q] = -1;
        fake_router::edge();
    }

  private:
    std::vector<int> m_waits;  ///< by port: VC of the offer
    std::vector<std::uint32_t> m_ready;
};

std::string run_strict(std::uint64_t seed, bool stable_offer) {
    random_case c = draw(seed);
    const pins::router_info info = info_of(c.setting);
    pins::router_facts facts = test::fake_router::facts(info, flow_control::ready_valid);
    facts.stable_offer = stable_offer;
    router_bench bench(c.setting, *c.around, seed);
    adapted_router router(std::make_unique<strict>(info), facts, info, *c.around, bench.packets());
    std::vector<port_out> out(info.ports);
    try {
        for (cycle_t t = 1; t < 5000; ++t) {
            router.cycle(t, bench.inputs(), out);
            bench.outputs(out);
        }
    } catch (const std::runtime_error& problem) {
        return problem.what();
    }
    return bench.flits_received() > 1000 ? "" : "hardly anything arrives";
}

TEST(FlowKit, KeepsOffersForRoutersThatNeedIt) {
    std::size_t withdrawn = 0;
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
        EXPECT_EQ(run_strict(seed, true), "") << seed;
        withdrawn += run_strict(seed, false) == "an offer is withdrawn" ? 1 : 0;
    }
    EXPECT_GT(withdrawn, 0u);
}

// ---- data -------------------------------------------------------------------------------------------------

TEST(FlitTag, SetsEachBitToBothLevels) {
    for (const std::uint32_t width : {16u, 17u, 33u, 64u}) {
        std::uint64_t ones = 0, zeros = 0;
        for (std::uint32_t f = 0; f < 64; ++f) {
            const std::uint32_t packet = f % 2;
            const std::uint64_t word = tagged(packet, 14, mixed(f), width);
            EXPECT_EQ(tag_of(word, 14), packet);
            EXPECT_EQ(low_bits(word, width), word);
            ones |= word;
            zeros |= ~word;
        }
        EXPECT_EQ(low_bits(ones & zeros, width), low_bits(~std::uint64_t{0}, width)) << width;
    }
}

/// One whose data wires have a fault at all its outputs: two of them are swapped, or one (if both are the
/// same) is stuck. Its header fills heads from bit `header` on.
class miswired final : public test::fake_router {
  public:
    miswired(const pins::router_info& info, std::uint32_t a, std::uint32_t b, bool level,
             std::uint32_t header)
        : fake_router(info, flow_control::credit), m_a(a), m_b(b), m_header(header), m_level(level) {}

    bool read(std::uint32_t port, pins::pin_flit& f) override {
        if (!fake_router::read(port, f)) return false;
        if (m_a < pins::payload::most_bits) {
            const bool a = bit(f.data, m_a), b = bit(f.data, m_b);
            set(f.data, m_a, m_a == m_b ? m_level : b);
            set(f.data, m_b, m_a == m_b ? m_level : a);
        }
        for (std::uint32_t k = m_header; f.head && k < 64; ++k)
            set(f.data, k, (f.destination >> k % 4 & 1) != 0);
        return true;
    }

  private:
    static bool bit(const pins::payload& d, std::uint32_t k) { return (d.word[k / 64] >> k % 64 & 1) != 0; }
    static void set(pins::payload& d, std::uint32_t k, bool level) {
        const std::uint64_t mask = std::uint64_t{1} << k % 64;
        d.word[k / 64] = level ? d.word[k / 64] | mask : d.word[k / 64] & ~mask;
    }
    std::uint32_t m_a, m_b, m_header;
    bool m_level;
};

class wires : public testing::TestWithParam<std::uint32_t> {
  protected:
    /// What is said of the faulty router; "": nothing in the cycles given.
    std::string line(std::uint32_t a, std::uint32_t b, bool level = false, std::uint32_t in_heads = 0) {
        pins::router_facts facts = test::fake_router::facts(m_info, flow_control::credit);
        facts.data_bits = GetParam();
        facts.head_data_bits = in_heads;
        EXPECT_EQ(wrong_fact(facts), "");
        router_bench bench(m_case.setting, *m_case.around, 5);
        auto router = std::make_unique<adapted_router>(
            std::make_unique<miswired>(m_info, a, b, level, in_heads == 0 ? 64 : in_heads), facts, m_info,
            *m_case.around, bench.packets());
        const router_limits limits{m_info.ports, m_info.vcs, m_info.depth_beyond, facts.min_latency,
                                   facts.max_latency};
        scoreboard watched(std::move(router), limits, *m_case.around, bench.packets());
        std::vector<port_out> out(m_info.ports);
        try {
            for (cycle_t t = 1; t < 2000; ++t) {
                watched.cycle(t, bench.inputs(), out);
                bench.outputs(out);
            }
        } catch (const violation& v) {
            return v.history().empty() && in_heads == 0 ? "" : v.what();
        }
        return "";
    }

    random_case m_case = draw(2);
    pins::router_info m_info = info_of(m_case.setting);
};

TEST_P(wires, AreReportedWhenStuckAtAnyBit) {
    for (std::uint32_t k = 0; k < GetParam(); ++k)
        for (const bool level : {false, true})
            EXPECT_NE(line(k, k, level), "") << "bit " << k << " is always " << level;
}

TEST_P(wires, AreReportedWhenSwappedAtAnyBit) {
    for (std::uint32_t k = 1; k < GetParam(); ++k) EXPECT_NE(line(k - 1, k), "") << k - 1 << " and " << k;
}

/// Heads have from few bits, which name their input VC, to as many as others; their headers are no data.
TEST_P(wires, MayBeFewerInHeads) {
    const std::uint32_t least = index_bits(m_info.ports * m_info.vcs) + 1;
    for (const std::uint32_t bits : {least, least + 1, 12u, 22u, 23u, 24u, std::min(40u, GetParam() - 1)}) {
        if (bits > GetParam()) continue;
        EXPECT_EQ(line(GetParam(), GetParam(), true, bits), "") << bits;
        for (const std::uint32_t k : {0u, least - 1, bits - 1, GetParam() - 1})
            for (const bool level : {false, true})
                EXPECT_NE(line(k, k, level, bits), "") << "bit " << k << " of " << bits << " in heads";
    }
}

INSTANTIATE_TEST_SUITE_P(wide, wires, testing::Values(24, 25, 40, 60, 64, 65, 128, 200, 1024));

TEST(Facts, AreNamedWhereTheyAreOutOfRange) {
    using pins::router_facts;
    pins::router_info info;
    info.ports = 5;
    info.vcs = 4;
    info.depth = 4;
    const router_facts good = test::fake_router::facts(info, flow_control::credit);
    EXPECT_EQ(wrong_fact(good), "");
    const auto says = [&good](auto member, std::uint32_t value) {
        router_facts f = good;
        f.*member = static_cast<std::decay_t<decltype(f.*member)>>(value);
        return wrong_fact(f);
    };
    EXPECT_EQ(says(&router_facts::data_bits, 22), "data_bits is 22; 24 to 1024 are allowed");
    EXPECT_EQ(says(&router_facts::data_bits, 1025), "data_bits is 1025; 24 to 1024 are allowed");
    EXPECT_EQ(says(&router_facts::head_data_bits, 5), "head_data_bits is 5; 6 to 32 are allowed");
    EXPECT_EQ(says(&router_facts::head_data_bits, 33), "head_data_bits is 33; 6 to 32 are allowed");
    EXPECT_EQ(says(&router_facts::ports, 0), "ports is 0; 1 to 1024 are allowed");
    EXPECT_EQ(says(&router_facts::vcs, 33), "vcs is 33; 1 to 32 are allowed");
    EXPECT_EQ(says(&router_facts::max_nodes, 0), "max_nodes is 0; 1 to 4294967295 are allowed");
    EXPECT_EQ(says(&router_facts::min_latency, 3), "min_latency is 3; 0 to 2 are allowed");
    EXPECT_EQ(says(&router_facts::depth, 0), "depth is 0; 1 to 65535 are allowed");
    EXPECT_EQ(says(&router_facts::flow, 3), "flow is 3; 0 to 2 are allowed");
    EXPECT_EQ(says(&router_facts::longest_packet, 65536), "longest_packet is 65536; 0 to 65535 are allowed");
    EXPECT_EQ(says(&router_facts::room, 3), "room is 3; 0 to 2 are allowed");
    for (const auto member : {&router_facts::max_latency, &router_facts::settling, &router_facts::patience,
                              &router_facts::cycles_per_flit, &router_facts::credit_delay,
                              &router_facts::credits, &router_facts::reaction})
        EXPECT_NE(says(member, ~0u), "");
}

/// Where a router sends a head only to an empty buffer, or where its packet has room, others do so, too.
TEST(FlowKit, SendsHeadsAsTheRouterDoes) {
    for (const pins::head_credits room :
         {pins::head_credits::empty_buffer, pins::head_credits::whole_packet}) {
        random_case c = draw(4);
        c.setting.room = room;
        if (room == pins::head_credits::whole_packet) c.setting.model.switching = switching_mode::cut_through;
        const pins::router_info info = info_of(c.setting);
        router_bench bench(c.setting, *c.around, 4);
        adapted_router router(std::make_unique<test::fake_router>(info, flow_control::credit),
                              test::fake_router::facts(info, flow_control::credit), info, *c.around,
                              bench.packets());
        std::vector<port_out> out(info.ports);
        std::vector<std::uint32_t> held(info.ports * info.vcs);
        for (cycle_t t = 1; t < 5000; ++t) {
            const std::vector<port_in>& in = bench.inputs();
            for (std::uint32_t q = 0; q < info.ports; ++q) {
                if (!in[q].valid) continue;
                const flit& f = in[q].what;
                std::uint32_t& its = held[q * info.vcs + f.vc];
                if (f.is_head()) {
                    const bool empty = room == pins::head_credits::empty_buffer;
                    EXPECT_LE(its + (empty ? 1 : bench.packets()[f.packet].flits), empty ? 1 : info.depth);
                }
                ++its;
            }
            router.cycle(t, in, out);
            bench.outputs(out);
            for (std::uint32_t q = 0; q < info.ports; ++q)
                for (std::uint32_t v = 0; v < info.vcs; ++v)
                    held[q * info.vcs + v] -= out[q].credits >> v & 1;
        }
        EXPECT_GT(bench.flits_received(), 1000u);
    }
}

// ---- waves ------------------------------------------------------------------------------------------------

/// Notes the level of its clock whenever waves are written.
class traced final : public test::fake_router {
  public:
    using samples = std::vector<std::pair<std::uint64_t, bool>>;
    traced(const pins::router_info& info, samples& seen)
        : fake_router(info, flow_control::credit), m_seen(seen) {}

    void settle() override { m_clock = false; }
    void edge() override {
        fake_router::edge();
        m_clock = true;
    }
    bool open_waves(const std::string&) override { return true; }
    void dump_waves(std::uint64_t time) override { m_seen.emplace_back(time, m_clock); }

  private:
    samples& m_seen;
    bool m_clock = false;
};

TEST(Waves, ShowTheClockToggle) {
    random_case c = draw(2);
    const pins::router_info info = info_of(c.setting);
    router_bench bench(c.setting, *c.around, 5);
    traced::samples seen;
    adapted_router router(std::make_unique<traced>(info, seen),
                          test::fake_router::facts(info, flow_control::credit), info, *c.around,
                          bench.packets());
    router.write_waves({"some.fst", 3, 4});
    std::vector<port_out> out(info.ports);
    for (cycle_t t = 1; t < 10; ++t) router.cycle(t, bench.inputs(), out);
    EXPECT_EQ(seen, (traced::samples{{25, false}, {30, true}, {35, false}, {40, true}}));
}

}  // namespace
}  // namespace sare::cosim::flow_kit_test
