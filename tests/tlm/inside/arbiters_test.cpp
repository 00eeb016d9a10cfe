// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_script.h"
#include "tests/support/random_setting.h"
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tlm/inside/describe.h"

#include <gtest/gtest.h>

#include <map>

/// Arbiters as a view shows them stand at the requester that they served last: what they served is told from
/// who owns output VCs and from the flits that have left, cycle by cycle, over random routers.
namespace sare::test::arbiters_test {
namespace {

using stage = router_arbiter::stage;

/// An arbiter's place in its router.
using place = std::tuple<stage, std::uint32_t, std::uint32_t>;

/// Where the arbiters of a router must stand: follows them from the first cycle on.
class followed_router {
  public:
    /// `speculates`: flits may leave by the grants of other arbiters.
    followed_router(const network_view& net, std::uint32_t router, bool speculates)
        : m_net(net),
          m_router(router),
          m_vcs(net.vcs()),
          m_ports(net.ports(router)),
          m_speculates(speculates) {
        for (std::uint32_t o = 0; o < m_ports * m_vcs; ++o) m_before.push_back(out(o));
    }

    void cycle_over() {
        for (std::uint32_t o = 0; o < m_before.size(); ++o) {
            const out_vc now = out(o), before = m_before[o];
            if (now.owner != out_vc::no_owner && now.owner != before.owner) grant(now.owner, o);
            // A tail and a new owner do not come in one cycle.
            const std::uint32_t by = before.owner != out_vc::no_owner ? before.owner : now.owner;
            if (now.flits != before.flits && by != out_vc::no_owner) leave(by, o);
            if (now.flits != before.flits && by == out_vc::no_owner) m_passing = true;
            m_before[o] = now;
        }
    }
    /// Compares with what the view shows. After a packet that came, was granted and left within one cycle,
    /// nothing is known of them any more.
    void check(const std::string& about) const {
        if (m_passing) return;
        for (const router_arbiter& a : arbiters_of(m_net, m_router)) {
            ASSERT_LT(a.last, a.requesters) << about;
            const bool of_switch = a.of == stage::sa_input || a.of == stage::sa_output;
            if ((m_speculates && of_switch) || a.of == stage::sa_offer || is_wavefront(a)) continue;
            const auto expected = m_last.find({a.of, a.port, a.unit});
            ASSERT_EQ(a.last, expected == m_last.end() ? a.requesters - 1U : expected->second)
                << about << ", router " << m_router << ", stage " << static_cast<int>(a.of) << ", port "
                << int{a.port} << ", unit " << int{a.unit};
        }
    }
    bool was_passed() const { return m_passing; }

  private:
    static bool is_wavefront(const router_arbiter& a) {
        return a.from == router_arbiter::requester::diagonal;
    }
    out_vc out(std::uint32_t o) const { return m_net.out(m_router, o / m_vcs, o % m_vcs); }
    void grant(std::uint32_t i, std::uint32_t o) {
        m_last[{stage::va_input, i / m_vcs, i % m_vcs}] = o % m_vcs;
        m_last[{stage::va_output, o / m_vcs, o % m_vcs}] = i;
    }
    void leave(std::uint32_t i, std::uint32_t o) {
        m_last[{stage::sa_input, i / m_vcs, 0}] = i % m_vcs;
        m_last[{stage::sa_output, o / m_vcs, 0}] = i / m_vcs;
    }

    const network_view& m_net;
    const std::uint32_t m_router, m_vcs, m_ports;
    const bool m_speculates;
    std::vector<out_vc> m_before;
    std::map<place, std::uint32_t> m_last;
    bool m_passing = false;
};

fabric_setting draw(rng& random) {
    fabric_setting s;
    const char* const networks[] = {"mesh dims=3,3", "torus dims=4,3", "mesh dims=4,2 link_latency=3",
                                    "crossbar n=6"};
    s.network = networks[random.below(4)];
    s.routing = s.network[0] == 'c' ? "table" : s.network[0] == 't' ? "duato" : "dor";
    router_params& p = s.router;
    p.vcs = 3 + random.below(4);
    p.depth = 2 + random.below(7);
    p.rc_delay = random.below(3);
    p.va_delay = 1 + random.below(2);
    p.sa_delay = random.below(3);
    p.speculative = random.bernoulli(0.2);
    p.reallocation = s.routing == "duato" ? reallocation_rule::atomic : reallocation_rule::tail;
    if (random.bernoulli(0.6)) {
        p.va_allocator = any_policy<allocator>(random);
        p.sa_allocator = any_policy<allocator>(random);
        p.va_arbiter = any_policy<arbiter>(random);
        p.sa_arbiter = any_policy<arbiter>(random);
    }
    s.nic.max_packet_flits = 1 + random.below(6);
    s.nic.ejection_depth = 1 + random.below(8);
    s.compact_allowed = random.bernoulli(0.5);
    s.seed = random.next();
    return s;
}

TEST(Arbiters, StandAtWhatTheyServedLast) {
    rng random(test_seed(3), stream::test, 59);
    std::uint32_t followed = 0;
    for (int n = 0; n < 20; ++n) {
        const fabric_setting s = draw(random);
        test_fabric f(s);
        scripted_traffic traffic(random_script(random, f.map().nodes(), 9, 200, 0.15, 1));
        f.net.stepper().set_workload(&traffic);
        std::vector<followed_router> all;
        for (std::uint32_t r = 0; r < f.map().routers(); ++r)
            all.emplace_back(f.net.view(), r, s.router.speculative);
        for (cycle_t t = 0; t < 300; ++t) {
            f.net.stepper().step(t);
            for (followed_router& r : all) {
                r.cycle_over();
                r.check("case " + std::to_string(n) + ", cycle " + std::to_string(t));
                if (HasFatalFailure()) return;
            }
        }
        for (const followed_router& r : all) followed += r.was_passed() ? 0 : 1;
    }
    EXPECT_GT(followed, 100U);
}

/// A fast router decides ahead of time. It does not know where some arbiters stand then; what it says is so.
void expect_same_arbiters(const std::vector<router_arbiter>& fast,
                          const std::vector<router_arbiter>& readable, std::uint32_t& unknown) {
    ASSERT_EQ(fast.size(), readable.size());
    for (std::size_t n = 0; n < fast.size(); ++n) {
        ASSERT_TRUE(readable[n].is_known());
        ASSERT_TRUE(fast[n].of == readable[n].of && fast[n].requesters == readable[n].requesters);
        unknown += fast[n].is_known() ? 0 : 1;
        if (!fast[n].is_known()) continue;
        ASSERT_EQ(fast[n].last, readable[n].last) << "stage " << static_cast<int>(fast[n].of) << ", port "
                                                  << int{fast[n].port} << ", unit " << int{fast[n].unit};
    }
}

TEST(Arbiters, AreUnknownWhereARouterIsAhead) {
    rng random(test_seed(4), stream::test, 59);
    for (const std::uint32_t longest : {1U, 3U}) {
        fabric_setting s;
        s.network = "torus dims=4,3 concentration=2";
        s.router.vcs = 3 + longest;
        s.nic.max_packet_flits = longest;
        s.scale = network_scale::large;
        test_fabric fast(s);
        s.compact_allowed = false;
        test_fabric readable(s);
        ASSERT_NE(fast.net.view().bank_of(0).acceleration()->write_ahead(), 0U);
        const auto script = random_script(random, fast.map().nodes(), longest, 200, 0.05);
        scripted_traffic a(script), b(script);
        fast.net.stepper().set_workload(&a);
        readable.net.stepper().set_workload(&b);
        std::uint32_t unknown = 0;
        for (cycle_t t = 0; t < 300; ++t) {
            fast.net.stepper().step(t);
            readable.net.stepper().step(t);
            for (std::uint32_t r = 0; r < fast.map().routers(); ++r) {
                SCOPED_TRACE("cycle " + std::to_string(t) + ", router " + std::to_string(r));
                expect_same_arbiters(arbiters_of(fast.net.view(), r), arbiters_of(readable.net.view(), r),
                                     unknown);
                if (HasFatalFailure()) return;
            }
        }
        EXPECT_GT(unknown, 0U);
    }
}

/// A kind's arbiters, of the first router of a network with it.
std::vector<router_arbiter> first_of(const std::string& network, const std::string& kind) {
    fabric_setting s;
    s.network = network;
    s.kind = kind;
    return arbiters_of(test_fabric(s).net.view(), 0);
}

TEST(Arbiters, AreShownByTheKindsThatHaveThem) {
    // VA: 20 input and 20 output VCs; SA: 5 inputs and outputs.
    fabric_setting s;
    s.router.vcs = 4;
    EXPECT_EQ(arbiters_of(test_fabric(s).net.view(), 5).size(), 50U);
    s.router.va_allocator = config::value::scalar("wavefront");
    s.router.sa_allocator = config::value::scalar("output_first");
    s.router.speculative = true;
    EXPECT_EQ(arbiters_of(test_fabric(s).net.view(), 5).size(), 1U + 2 * 15);
    EXPECT_EQ(first_of("torus dims=4,4", "bubble vcs=2 packet=4").size(), 5U * 2 + 5);
    EXPECT_EQ(first_of("torus dims=4,4", "apenet vcs=2 depth=16 sync=1").size(), 5U * 2);
    EXPECT_EQ(first_of("mesh dims=4,4", "deflection").size(), 0U);
}

TEST(Arbiters, HaveNamesOfPortsAndVcs) {
    fabric_setting s;  // a mesh: router 5 has all four neighbours
    s.router.vcs = 2;
    test_fabric f(s);
    const network_view& net = f.net.view();
    const std::vector<router_arbiter> all = arbiters_of(net, 5);
    EXPECT_EQ(arbiter_name(net, 5, all[1]), "VA input +x vc 1");
    EXPECT_EQ(requester_name(net, 5, all[1], 0), "vc 0");
    EXPECT_EQ(arbiter_name(net, 5, all[10 + 3]), "VA output -x vc 1");
    EXPECT_EQ(requester_name(net, 5, all[10 + 3], 9), "n5 vc 1");
    EXPECT_EQ(arbiter_name(net, 5, all[20 + 2]), "SA input +y");
    EXPECT_EQ(arbiter_name(net, 5, all[25 + 4]), "SA output n5");
    EXPECT_EQ(requester_name(net, 5, all[25 + 4], 3), "-y");
    EXPECT_EQ(all.size(), 30U);
}

}  // namespace
}  // namespace sare::test::arbiters_test
