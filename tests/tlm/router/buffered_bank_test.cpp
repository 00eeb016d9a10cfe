// SPDX-License-Identifier: Apache-2.0
#include "tb/examples/plugin/plain.cpp"  // registers the kind
#include "tests/support/told_fabric.h"

#include <gtest/gtest.h>

/// What buffered_bank does for every kind made of it, on the smallest one, the plug-in's `plain`.
namespace sare::test::buffered_bank_test {
namespace {

/// `plain` that sends credits in every fifth cycle, several at once.
class batching_model final : public router_model {
  public:
    explicit batching_model(const plain_parameters& p) : m_parameters(p) {}

    std::string kind() const override { return "plain_in_batches"; }
    router_terms terms() const override {
        router_terms t = m_parameters.terms();
        t.credit_batch = 5;
        return t;
    }
    bool equals(const router_model& other) const override { return this == &other; }
    std::vector<std::unique_ptr<router_bank>> make_banks(
        router_context& net, const std::vector<router_instance>& all) const override {
        std::vector<std::unique_ptr<router_bank>> banks;
        for (auto& g : group_routers(all))
            banks.push_back(std::make_unique<plain_bank>(net, std::move(g.routers), g.what->ports, terms(),
                                                         m_parameters));
        return banks;
    }

  private:
    plain_parameters m_parameters;
};

const config::registration<router_model> registered{
    "plain_in_batches", "As plain, with credits in batches.", plain_parameters::fields(),
    [](const plain_parameters& p, const config::value&) { return new batching_model(p); }};

fabric_setting plain_network(const char* network = "torus dims=4,4", const char* routing = "dor") {
    return told_setting(network, routing, "plain vcs=4 depth=8");
}

/// The source stops in time for all to arrive.
TEST(BufferedBank, DeliversAllAndGetsItsCreditsBack) {
    for (const char* kind : {"plain vcs=4 depth=8", "plain_in_batches vcs=4 depth=8"}) {
        fabric_setting s = plain_network();
        s.kind = kind;
        s.traffic = "burst messages=20 bursts=1";
        const told_outcome o = run_and_tell(s, 5000);
        EXPECT_TRUE(o.finished) << kind;
        EXPECT_EQ(o.consumed, o.injected) << kind;
        EXPECT_EQ(o.consumed, o.generated) << kind;
        EXPECT_EQ(o.left, "") << kind;
    }
}

/// Another network goes on from what the first one has written, in the middle of packets.
TEST(BufferedBank, IsWrittenAndReadAgain) {
    const told_outcome expected = run_and_tell(plain_network(), 600);
    EXPECT_GT(expected.told.size(), 1000U);
    for (const cycle_t written : {7, 250, 333})
        EXPECT_TRUE(run_and_tell(plain_network(), 600, written) == expected) << written;
}

TEST(BufferedBank, IsRunBySeveralThreads) {
    for (fabric_setting s : {plain_network(), plain_network("mesh dims=5,4", "odd_even")}) {
        const told_outcome expected = run_and_tell(s, 600);
        s.threads.threads = 3;
        const told_outcome parted = run_and_tell(s, 600);
        EXPECT_EQ(parted.threads, 3U);
        EXPECT_TRUE(parted == expected) << s.network;
    }
}

/// What waits is seen with its ways, and outputs with who has them.
TEST(BufferedBank, ShowsWhatWaits) {
    test_fabric f(plain_network());
    const std::unique_ptr<workload> traffic =
        traffic_of("bernoulli load=0.9", f.map().nodes(), "fixed flits=6");
    f.net.stepper().set_workload(traffic.get());
    f.run(0, 300);
    const router_bank& bank = f.net.context().bank_of(0);
    std::uint32_t bidding = 0, holding = 0;
    for (std::uint32_t k = 0; k < bank.size(); ++k)
        for (std::uint32_t i = 0; i < bank.ports() * 4; ++i) {
            const in_vc in = bank.in(k, i / 4, i % 4);
            if (in.count == 0 || in.vcs == 0) continue;  // or it has come to the front in this cycle
            EXPECT_EQ(bank.buffered(k, i / 4, i % 4, 0).packet, in.packet);
            if (bank.bids_for_vc(k, i / 4, i % 4)) {
                ++bidding;
                std::uint32_t asked = 0;
                for (std::uint32_t o = 0; o < bank.ports() * 4; ++o)
                    asked += bank.asks_for(k, i / 4, i % 4, o / 4, o % 4) ? 1 : 0;
                EXPECT_GT(asked, 0U);
            } else {
                ++holding;
                EXPECT_EQ(bank.out(k, in.out_port, in.out_vc).owner, i);
            }
        }
    EXPECT_GT(bidding, 0U);
    EXPECT_GT(holding, 0U);
}

}  // namespace
}  // namespace sare::test::buffered_bank_test
