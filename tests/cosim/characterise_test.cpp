// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/plugin_place.h"
#include "cosim/sheet/data_sheet.h"
#include "cosim/sheet/sheet_probes.h"
#include "tlm/base/rng.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

/// Data sheets of routers whose parameters are known: Sare's own as a router of somebody's own. The
/// environment variable OWN_ROUTERS names another build of tests/cosim/own_router, with more of them.
namespace sare::cosim::characterise_test {
namespace {

data_sheet sheet_of(const std::string& library) {
    plugin_case c = case_of_file(library, {});
    c.router = 5;
    return characterise(*make_place(c), c, 0);
}

/// A line of routers.txt.
struct own_router {
    std::string name;
    std::map<std::string, int> its;
    int operator[](const std::string& p) const { return its.count(p) == 0 ? 0 : its.at(p); }
};

std::string folder() {
    const char* other = std::getenv("OWN_ROUTERS");
    return other != nullptr ? other : OWN_ROUTERS;
}

std::vector<own_router> all_routers() {
    const char* other = std::getenv("OWN_ROUTERS");
    std::ifstream file(other != nullptr ? std::string(other) + "/routers.txt" : OWN_LIST);
    std::vector<own_router> all;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        own_router r;
        words >> r.name;
        for (std::string word; words >> word;)
            r.its[word.substr(0, word.find('='))] = std::stoi(word.substr(word.find('=') + 1));
        all.push_back(r);
    }
    return all;
}

std::string text(const measured& m) {
    if (!m.known()) return "unknown";
    std::ostringstream all;
    all << m.least;
    if (m.least != m.most) all << " to " << m.most;
    return all.str();
}
std::string text(int n) {
    return std::to_string(n);
}

/// Returns what explains an arbiter of 5 ports: `next` takes those that ask out of a list, one by one.
order explained(const std::function<std::size_t(const std::vector<std::uint32_t>&)>& next) {
    order_hypotheses seen;
    rng random(5, stream::test, 1);
    for (std::uint32_t round = 0; round < 200; ++round) {
        std::vector<std::uint32_t> asks, served;
        for (std::uint32_t q = 0; q < 5; ++q)
            if (round % 3 == 2 || random.below(3) == 0) asks.push_back(q);
        while (!asks.empty()) {
            const auto who = asks.begin() + static_cast<std::ptrdiff_t>(next(asks));
            served.push_back(*who);
            asks.erase(who);
        }
        seen.take(served, round > 20);
    }
    return seen.best();
}

/// Returns the place in `asks` of the port that comes first after `last` on a ring.
std::size_t first_after(std::uint32_t& last, const std::vector<std::uint32_t>& ring,
                        const std::vector<std::uint32_t>& asks) {
    const auto place = [&](std::uint32_t port) {
        return static_cast<std::size_t>(std::find(ring.begin(), ring.end(), port) - ring.begin());
    };
    const auto rank = [&](std::uint32_t port) {
        return (place(port) + ring.size() - place(last) - 1) % ring.size();
    };
    const auto found = std::min_element(asks.begin(), asks.end(),
                                        [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    last = *found;
    return static_cast<std::size_t>(found - asks.begin());
}

TEST(Characterise, NamesOrders) {
    std::uint32_t last = 0;
    const std::vector<std::uint32_t> usual{0, 1, 2, 3, 4}, other{0, 3, 1, 4, 2};
    EXPECT_EQ(explained([&](const auto& asks) { return first_after(last, usual, asks); }),
              order::round_robin);
    EXPECT_EQ(explained([&](const auto& asks) { return first_after(last, other, asks); }), order::other_ring);
    std::vector<std::uint32_t> recent = usual;
    EXPECT_EQ(explained([&](const auto& asks) {
                  const auto oldest =
                      std::find_first_of(recent.begin(), recent.end(), asks.begin(), asks.end());
                  const std::uint32_t port = *oldest;
                  recent.erase(oldest);
                  recent.push_back(port);
                  return static_cast<std::size_t>(std::find(asks.begin(), asks.end(), port) - asks.begin());
              }),
              order::least_recent);
    EXPECT_EQ(explained([](const auto&) { return std::size_t{0}; }), order::fixed);
    rng random(7, stream::test, 1);
    EXPECT_EQ(
        explained([&](const auto& asks) { return random.below(static_cast<std::uint32_t>(asks.size())); }),
        order::other);
}

TEST(Characterise, DoubtsFixedOrdersThatAreFair) {
    // Four inputs, packets of 3 flits: a fixed order serves two in turn while the next head takes 3 cycles.
    EXPECT_EQ(fixed_but_fair(4, 3, 3), order::from_rest);
    EXPECT_EQ(fixed_but_fair(2, 3, 3), order::unknown);
    EXPECT_EQ(fixed_but_fair(4, 3, 9), order::unknown);
    EXPECT_EQ(fixed_but_fair(4, 1, 3), order::unknown);
}

TEST(Characterise, SeesVcsThatHoldUpAndStarveOthers) {
    const data_sheet s = sheet_of(PREFERS_VC_0);
    EXPECT_TRUE(s.waiting.holds_input);
    EXPECT_FALSE(s.waiting.holds_output);
    for (const auto& [in, vc, out] : s.waiting.starved) EXPECT_NE(vc, 0u) << in << "->" << out;
    EXPECT_EQ(s.waiting.starved.count({1, 3, 0}), 1u);
    EXPECT_FALSE(s.turns.never_back) << "a node sends to itself";
    std::vector<std::string> why_not;
    plugin_case c = case_of_file(PREFERS_VC_0, {});
    c.router = 5;
    fitted_model(s, *make_place(c), why_not);
    EXPECT_EQ(why_not.back(), "VCs that wait hold up others: those of the model do not, and accept more");
}

/// What docs/rtl.md says of times: a flit granted in cycle g is at the pins in g + sa + st + 1, the credit
/// for its place in g + credit_delay + 1.
TEST(Characterise, RecoversParameters) {
    for (const own_router& r : all_routers()) {
        const data_sheet s = sheet_of(folder() + "/lib" + r.name + ".so");
        std::string line = r.name;
        for (const auto& [name, value] : r.its) line += " " + name + "=" + std::to_string(value);
        SCOPED_TRACE(line);
        EXPECT_TRUE(s.void_runs.empty()) << s.void_runs.front();
        const int in = r["InputRegister"], after = r["SaDelay"] + r["StDelay"] + 1;
        const int rc = r["Lookahead"] != 0 ? 0 : r["RcDelay"], va = r["Speculative"] != 0 ? 0 : r["VaDelay"];
        const bool whole = r["Switching"] != 0, empty = r["Reallocation"] != 0;
        EXPECT_EQ(text(s.head), text(in + rc + va + after));
        EXPECT_EQ(text(s.body), text(in + after));
        const int pace = std::max(1, r["SaDelay"]);
        EXPECT_EQ(text(s.pace), whole && r["Beyond"] == 2 ? "unknown" : text(pace));
        EXPECT_EQ(text(s.behind_head), text(r["Speculative"] != 0 ? std::max(pace, r["VaDelay"]) : pace));
        EXPECT_EQ(text(s.vc_allocation), whole && empty ? "unknown" : text(va));
        EXPECT_EQ(text(s.places), text(r["Depth"]));
        EXPECT_EQ(text(s.places_alone), text(r["Depth"]));
        EXPECT_EQ(text(s.credits), text(r["Beyond"]));
        EXPECT_EQ(text(s.credit_back), text(in + r["CreditDelay"] + 1));
        EXPECT_EQ(text(s.credit_used), whole && empty ? "unknown" : text(in + r["CreditInDelay"] + after));
        EXPECT_EQ(text(s.head_used), empty ? text(in + r["CreditInDelay"] + va + after) : "unknown");
        EXPECT_EQ(s.reuse, empty ? vc_reuse::atomic : vc_reuse::tail);
        EXPECT_EQ(s.room, empty   ? pins::head_credits::empty_buffer
                          : whole ? pins::head_credits::whole_packet
                                  : pins::head_credits::one_place);
        EXPECT_EQ(s.turns.taken.size(), 17u) << "dor turns from y to x nowhere, and a node sends to itself";
        EXPECT_EQ(s.turns.missing, "");
        EXPECT_FALSE(s.turns.never_back || s.waiting.holds_input || s.waiting.holds_output);
        const auto fair = [](int arbiter) { return arbiter != 0 ? order::least_recent : order::round_robin; };
        constexpr int wavefront = 2;  // may starve an input: its diagonal turns by the clock
        if (r["VaAllocator"] != wavefront && r["SaAllocator"] != wavefront) {
            EXPECT_TRUE(s.waiting.starved.empty());
        }
        if (r["Vcs"] == 1 && r["VaAllocator"] != wavefront) {
            EXPECT_EQ(s.packets, fair(r["VaArbiter"]));
        }
        if (r["Vcs"] > 1 && r["SaAllocator"] != wavefront && !whole) {
            EXPECT_EQ(s.flits, r["Vcs"] == 2 ? order::in_turn : fair(r["SaArbiter"]));
        }
    }
}

}  // namespace
}  // namespace sare::cosim::characterise_test
