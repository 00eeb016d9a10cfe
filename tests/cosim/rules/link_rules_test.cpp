// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_library.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

/// The assertions of cosim/pins/pin_rules.sv: each one fails where its rule is broken, and no other does;
/// none fails where all rules are kept.
namespace sare::cosim::link_rules_test {
namespace {

enum link : std::uint32_t { credits, ready, on_off };
/// Parameters in links.sv.
constexpr std::uint32_t vcs = 3, places = 2, reaction = 2, longest = 3;

/// Pins of a link in a cycle.
struct pins_now {
    bool valid = false, head = false, tail = false;
    std::uint32_t vc = 0, back = 0;
};
constexpr pins_now idle{}, head0{true, true}, body0{true}, tail0{true, false, true}, only0{true, true, true};

pins_now with_back(pins_now p, std::uint32_t back) {
    p.back = back;
    return p;
}

class link_rules : public testing::Test {
  protected:
    void SetUp() override {
        rtl_request r;
        r.top = "links";
        r.sources = LINKS;
        r.speed = rtl_speed::quick;
        m_rules = rtl_library::get(r)->make();
    }

    /// Runs some cycles after a reset. Returns the message of the assertion that fails; "" if none does.
    std::string run(link which, const std::vector<pins_now>& cycles) {
        try {
            set(which, idle, false);
            for (int k = 0; k < 2; ++k) edge();
            for (const pins_now& p : cycles) {
                set(which, p, true);
                edge();
            }
        } catch (const rtl_error& failed) {
            return failed.what();
        }
        return "";
    }
    std::string label(link which, const std::vector<pins_now>& cycles) {
        const std::string line = run(which, cycles);
        const std::size_t end = line.find(": '"), dot = line.rfind('.', end);
        return end == std::string::npos ? line : line.substr(dot + 1, end - dot - 1);
    }

  private:
    void set(link which, const pins_now& p, bool runs) {
        m_rules->pin("rst_n").set(0, 1, runs);
        m_rules->pin("which").set(0, 3, 1u << which);
        m_rules->pin("valid").set(0, 1, p.valid);
        m_rules->pin("head").set(0, 1, p.head);
        m_rules->pin("tail").set(0, 1, p.tail);
        m_rules->pin("vc").set(0, 2, p.vc);
        m_rules->pin("back").set(0, 3, p.back);
        m_rules->eval();
    }
    void edge() {
        for (const bool high : {true, false}) {
            m_rules->pin("clk").set(0, 1, high);
            m_rules->eval();
        }
    }

    std::unique_ptr<rtl_instance> m_rules;
};

TEST_F(link_rules, EachFailsWhereItsRuleIsBroken) {
    EXPECT_EQ(label(credits, {head0, body0, tail0}), "flit_has_a_credit");
    EXPECT_EQ(label(credits, {with_back(idle, 1)}), "credit_has_a_flit");
    EXPECT_EQ(label(credits, {body0}), "packets_are_whole");
    EXPECT_EQ(label(credits, {head0, head0}), "packets_are_whole");
    EXPECT_EQ(label(credits, {{true, true, true, 3}}), "vc_exists");
    EXPECT_EQ(label(credits, {head0, with_back(body0, 1), with_back(body0, 1), with_back(tail0, 1)}),
              "packet_is_no_longer");
    EXPECT_EQ(label(ready, {only0, idle}), "offer_stays");
    EXPECT_EQ(label(ready, {only0, {true, true, true, 1}}), "offer_stays");
    EXPECT_EQ(label(on_off, {head0, body0, tail0}), "off_is_heard");
}

TEST_F(link_rules, NoneFailsAtTheLimits) {
    EXPECT_EQ(run(credits, {head0, body0, with_back(tail0, 1), with_back(idle, 1), with_back(idle, 1)}), "");
    EXPECT_EQ(run(ready, {only0, only0, with_back(only0, 1), idle}), "");
    EXPECT_EQ(run(on_off, {with_back(head0, 1), body0, tail0, idle, idle, with_back(only0, 1)}), "");
}

/// A sender and a receiver that keep all rules, whatever they do.
class random_link {
  public:
    explicit random_link(link which) : m_which(which), m_random(which + 1, stream::test, 1) {}

    pins_now next() {
        const std::uint32_t given = m_random.next() & 7;
        if (m_which != ready || !m_offer.valid) m_offer = new_offer(given);
        pins_now now = m_offer;
        now.back = given;
        for (std::uint32_t v = 0; v < vcs; ++v) {
            if (m_which == credits && m_used[v] == 0) now.back &= ~(1u << v);
            m_off[v] = (now.back >> v & 1) != 0 ? 0 : m_off[v] + 1;
            if (m_which == credits) m_used[v] -= now.back >> v & 1;
        }
        const bool taken = now.valid && (m_which != ready || (now.back >> now.vc & 1) != 0);
        if (!taken) return now;
        m_used[now.vc] += 1;
        m_sent[now.vc] = now.tail ? 0 : m_sent[now.vc] + 1;
        m_offer = {};
        return now;
    }

  private:
    pins_now new_offer(std::uint32_t back) {
        const std::uint32_t v = m_random.below(vcs);
        const bool stopped = m_which == on_off && (back >> v & 1) == 0 && m_off[v] >= reaction;
        if (m_random.below(3) == 0 || stopped || (m_which == credits && m_used[v] == places)) return {};
        return {true, m_sent[v] == 0, m_sent[v] + 1 == longest || m_random.below(2) == 0, v};
    }

    link m_which;
    rng m_random;
    pins_now m_offer;
    std::uint32_t m_used[vcs] = {}, m_off[vcs] = {}, m_sent[vcs] = {};
};

TEST_F(link_rules, NoneFailsWhereAllAreKept) {
    for (const link which : {credits, ready, on_off}) {
        random_link kept(which);
        std::vector<pins_now> cycles;
        for (int t = 0; t < 3000; ++t) cycles.push_back(kept.next());
        EXPECT_EQ(run(which, cycles), "") << which;
    }
}

}  // namespace
}  // namespace sare::cosim::link_rules_test
