// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/pairs.h"
#include "cosim/rtl/rtl_library.h"

#include <gtest/gtest.h>

/// Two machines in lock step, both made up: what is told of a difference, and who goes on after it.
namespace sare::cosim::pairs_test {
namespace {

/// Passes a flit from port 0 to port 1 in the same cycle, up to what it gets wrong.
class made_up final : public pin_router {
  public:
    struct mistakes {
        cycle_t loses = 0, gives_credit = 0, throws = 0;
        std::string line = "sare_fifo.sv:9: overflow";
        bool ends_badly = false;
    };
    made_up(mistakes wrong, std::vector<cycle_t>& ran) : m_wrong(std::move(wrong)), m_ran(ran) {}

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override {
        m_ran.push_back(t);
        if (t == m_wrong.throws) throw rtl_error(m_wrong.line);
        out[1] = {in[0].valid && t != m_wrong.loses, in[0].what, {}, 0};
        out[0].credits = t == m_wrong.gives_credit ? 2 : 0;
    }
    void finish() override {
        if (m_wrong.ends_badly) throw rtl_error("not empty");
    }

  private:
    const mistakes m_wrong;
    std::vector<cycle_t>& m_ran;
};

struct bench {
    bench(const made_up::mistakes& first, const made_up::mistakes& second,
          compared_machines machines = compared_machines::model_and_rtl)
        : packet(packets.take()),
          pair("pair", std::make_unique<made_up>(first, ran[0]), std::make_unique<made_up>(second, ran[1]), 2,
               packets, machines) {
        packets[packet].uid = 7;
    }
    /// A flit of one packet in every cycle.
    void run(cycle_t cycles) {
        std::vector<port_in> in(2);
        in[0] = {true, flit::from_word(flit::make_word(packet, 0, 1, flit::head | flit::tail)), 0};
        for (cycle_t t = 1; t <= cycles; ++t) pair.cycle(t, in, out);
    }

    packet_table packets;
    std::uint32_t packet;
    std::vector<cycle_t> ran[2];  ///< cycles of each machine
    router_pair pair;
    std::vector<port_out> out = std::vector<port_out>(2);
};

TEST(Pairs, SayNothingWhereBothAgree) {
    bench b({}, {});
    b.run(5);
    b.pair.finish();
    EXPECT_EQ(b.pair.first_difference(), "");
    EXPECT_EQ(b.pair.cycles_compared(), 5u);
}

TEST(Pairs, TellTheFirstPinThatDiffers) {
    made_up::mistakes wrong;
    wrong.gives_credit = wrong.loses = 3;
    bench b({}, wrong);
    b.run(6);
    EXPECT_EQ(b.pair.first_difference(),
              "cycle 3, pair, port 0: what comes back (credits) is 0x0 in the model and 0x2 in the RTL");
    EXPECT_TRUE(b.out[1].valid) << "what goes out is the first one's";
    EXPECT_EQ(b.pair.cycles_compared(), 3u);
    EXPECT_EQ(b.ran[0].size(), 6u);
    EXPECT_EQ(b.ran[1].size(), 3u) << "after a difference the first one goes on alone";
}

TEST(Pairs, TellWhichFlitAndWhatCameBefore) {
    made_up::mistakes wrong;
    wrong.loses = 2;
    bench b({}, wrong, compared_machines::old_and_new_rtl);
    b.run(2);
    EXPECT_EQ(
        b.pair.first_difference(),
        "cycle 2, pair, port 1: valid is 0x1 in the old RTL and 0x0 in the new (VC 1, packet 7 from node "
        "0 to 0, flit 0 of 1, head and tail)");
    const auto& history = b.pair.first_divergence()->history;
    ASSERT_EQ(history.size(), 2u);
    EXPECT_EQ(history[0].substr(0, 24), "cycle 1, port 1: flit ou");
}

TEST(Pairs, RunBothForWaves) {
    made_up::mistakes wrong;
    wrong.loses = 2;
    wrong.throws = 4;  // which nobody hears
    bench b({}, wrong);
    b.pair.run_both_until(5);
    b.run(8);
    EXPECT_EQ(b.ran[1].size(), 5u);
    EXPECT_EQ(b.pair.first_divergence()->cycle, 2u);
}

TEST(Pairs, SayWhoFailsAlone) {
    made_up::mistakes fails;
    fails.throws = 2;
    bench model({}, fails);
    model.run(3);
    EXPECT_EQ(model.pair.first_difference(), "cycle 2, pair: sare_fifo.sv:9: overflow");
    bench later({}, fails, compared_machines::old_and_new_rtl);
    later.run(3);
    EXPECT_EQ(later.pair.first_difference(), "cycle 2, pair: the new RTL alone: sare_fifo.sv:9: overflow");
    bench sooner(fails, {}, compared_machines::old_and_new_rtl);
    EXPECT_THROW(sooner.run(3), rtl_error);
    EXPECT_EQ(sooner.pair.first_difference(), "cycle 2, pair: the old RTL alone: sare_fifo.sv:9: overflow");
}

/// The same failure of both is no difference, and is told as what it is.
TEST(Pairs, PassOnWhatBothThrow) {
    made_up::mistakes fails;
    fails.throws = 2;
    bench b(fails, fails, compared_machines::old_and_new_rtl);
    EXPECT_THROW(b.run(3), rtl_error);
    EXPECT_EQ(b.pair.first_difference(), "");
}

TEST(Pairs, CompareHowBothEnd) {
    made_up::mistakes wrong;
    wrong.ends_badly = true;
    bench b({}, wrong);
    b.run(3);
    b.pair.finish();
    EXPECT_EQ(b.pair.first_difference(), "cycle 3, pair: not empty");
    bench differs({}, {0, 2, 0, "", true});
    differs.run(3);
    differs.pair.finish();
    EXPECT_EQ(differs.pair.first_divergence()->cycle, 2u) << "one that has differed proves nothing";
}

}  // namespace
}  // namespace sare::cosim::pairs_test
