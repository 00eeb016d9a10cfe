// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"
#include "tlm/inside/message_numbers.h"
#include "tlm/inside/packet_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

/// Several that look on at a network.
namespace sare::test::observers_test {
namespace {

struct counting final : observer, flit_observer, cycle_observer {
    std::uint64_t injected = 0, consumed = 0, messages = 0, flits = 0, cycles = 0;
    void packet_injected(std::uint32_t, const packet&, cycle_t) override { ++injected; }
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override { ++consumed; }
    void message_consumed(const message_record&, cycle_t) override { ++messages; }
    void flit_arrives(std::uint32_t, const flit&, const packet&, cycle_t) override { ++flits; }
    void cycle_over(cycle_t) override { ++cycles; }
};

sare::message one(std::uint32_t source, std::uint32_t destination, std::uint32_t flits, cycle_t at) {
    sare::message m;
    m.source = source;
    m.destination = destination;
    m.flits = flits;
    m.generated = at;
    return m;
}

TEST(Observers, SeeTheSameWhenThereAreSeveral) {
    test_fabric f({});
    scripted_traffic traffic({one(0, 3, 4, 5), one(1, 1, 2, 7), one(5, 9, 1, 400)});
    counting first, second, third;
    f.net.stepper().add_observer(static_cast<observer&>(first));
    f.net.stepper().add_observer(static_cast<observer&>(second));
    f.net.stepper().add_observer(static_cast<observer&>(second));  // once is enough
    f.net.stepper().observe_flits(first);
    f.net.stepper().observe_flits(second);
    f.net.stepper().add_observer(static_cast<cycle_observer&>(first));
    f.net.stepper().set_workload(&traffic);
    const cycle_t then = f.run(0, 200);
    EXPECT_EQ(first.injected, 2U);
    EXPECT_EQ(first.flits, 4U * 5 + 2 * 2);  // links: to the router, of three hops, from the router
    f.net.stepper().remove_observer(static_cast<observer&>(first));
    f.net.stepper().remove_observer(static_cast<const flit_observer&>(first));
    f.net.stepper().remove_observer(static_cast<const cycle_observer&>(first));
    f.net.stepper().add_observer(static_cast<observer&>(third));
    f.run(then, 1000);
    EXPECT_EQ(first.injected, 2U);
    EXPECT_EQ(second.injected, 3U);
    EXPECT_EQ(third.injected, 1U);
    EXPECT_EQ(second.consumed, 3U);
    EXPECT_EQ(second.messages, 3U);
    EXPECT_GT(second.flits, first.flits);
    EXPECT_EQ(f.net.view().leftovers(), "");
}

/// Checks each packet's number of its message against the order in which messages begin to leave.
class numbering final : public observer {
  public:
    explicit numbering(const fabric& net) : m_net(net), m_numbers(net.view().messages()) {}
    void packet_injected(std::uint32_t, const packet& p, cycle_t) override {
        ++packets;
        const std::uint64_t number = begun.size();
        begun.emplace(name_of(p), number);
        EXPECT_EQ(m_numbers.of(p), begun.at(name_of(p)));
    }
    void packet_consumed(std::uint32_t, const packet& p, cycle_t) override {
        EXPECT_EQ(m_numbers.of(p), begun.at(name_of(p)));
    }
    void message_consumed(const message_record& m, cycle_t) override { m_numbers.message_consumed(m); }

    std::uint64_t packets = 0;
    std::map<std::pair<std::uint32_t, cycle_t>, std::uint64_t> begun;  ///< number, by source and generation

  private:
    std::pair<std::uint32_t, cycle_t> name_of(const packet& p) const {
        return {p.route.source, m_net.view().messages()[p.message].what.generated};
    }
    const fabric& m_net;
    message_numbers m_numbers;
};

/// Of messages of several packets, of which several may leave in one cycle, in slots that are used again.
TEST(Observers, NumberMessagesAlikeWithThreads) {
    std::vector<sare::message> script;
    for (cycle_t at = 0; at < 2000; at += 10)
        for (std::uint32_t node = 0; node < 16; ++node)
            if ((at / 10 + node) % 5 == 0) script.push_back(one(node, (node * 7 + 3) % 16, 1 + node, at));
    std::vector<decltype(numbering::begun)> all;
    for (const std::uint32_t threads : {1U, 2U, 3U}) {
        fabric_setting s;
        s.network = "torus dims=4,4";
        s.nic.max_packet_flits = 3;
        s.threads.threads = threads;
        test_fabric f(s);
        scripted_traffic traffic(script);
        numbering seen(f.net);
        f.net.stepper().add_observer(seen);
        f.net.stepper().set_workload(&traffic);
        f.run(0, 100'000);
        EXPECT_EQ(f.net.view().leftovers(), "");
        EXPECT_GT(seen.packets, 2 * script.size());
        EXPECT_EQ(seen.begun.size(), script.size());
        EXPECT_LT(f.net.view().messages().slots(), script.size()) << "no slot was used again";
        all.push_back(seen.begun);
    }
    EXPECT_EQ(all[1], all[0]);
    EXPECT_EQ(all[2], all[0]);
}

/// Cycles in which nothing can change are not told of, those before are.
TEST(Observers, SeeCyclesUntilNothingChanges) {
    test_fabric f({});
    scripted_traffic traffic({one(0, 3, 4, 5), one(5, 9, 1, 100'000)});
    counting seen;
    f.net.stepper().add_observer(static_cast<cycle_observer&>(seen));
    f.net.stepper().set_workload(&traffic);
    f.run(0, 1'000'000);
    EXPECT_GT(seen.cycles, 40U);
    EXPECT_LT(seen.cycles, 500U);
}

/// Cycle 0, too, is told of once, and not when it is over already.
TEST(Observers, SeeCycleZeroOnce) {
    test_fabric f({});
    counting first, second, late;
    f.net.stepper().add_observer(static_cast<cycle_observer&>(first));
    f.net.stepper().pass(0);
    f.net.stepper().remove_observer(static_cast<const cycle_observer&>(first));
    f.net.stepper().add_observer(static_cast<cycle_observer&>(second));
    f.net.stepper().pass(1);
    EXPECT_EQ(first.cycles, 1U);
    EXPECT_EQ(second.cycles, 1U);
    // A trace that is ended before it says nothing of it.
    test_fabric waiting({});
    counting before;
    packet_trace trace(waiting.net);
    waiting.net.stepper().add_observer(static_cast<cycle_observer&>(before));
    trace.start();
    trace.stop();
    EXPECT_EQ(before.cycles, 0U);
    waiting.net.stepper().step(0);
    waiting.net.stepper().pass(1);
    EXPECT_EQ(before.cycles, 2U);
    test_fabric ran({});
    ran.net.stepper().step(0);
    ran.net.stepper().add_observer(static_cast<cycle_observer&>(late));
    ran.net.stepper().pass(1);
    EXPECT_EQ(late.cycles, 1U);
}

struct last_events final : packet_event_sink {
    std::vector<packet_event> all;
    void take(const packet_event& e) override { all.push_back(e); }
};

/// In mid-run: what is in buffers by then is followed to its end, as a trace from the beginning has it.
TEST(Observers, MayTraceAPartOfARun) {
    test_fabric f({});
    std::vector<sare::message> script;
    for (std::uint32_t n = 0; n < 16; ++n)
        for (cycle_t t = 0; t < 10; ++t) script.push_back(one(n, 5, 6, 3));
    scripted_traffic traffic(script);
    f.net.stepper().set_workload(&traffic);
    last_events whole, part;
    packet_trace always(f.net), sometimes(f.net);
    always.add(whole);
    sometimes.add(part);
    always.start();
    cycle_t t = f.run(0, 60);
    sometimes.start();
    t = f.run(t, 160);
    sometimes.stop();
    const std::size_t then = part.all.size();
    f.run(t, 10'000);
    EXPECT_EQ(part.all.size(), then);
    EXPECT_GT(then, 100U);
    const auto count = [](const last_events& e, packet_event::what is, cycle_t from, cycle_t to) {
        return std::count_if(e.all.begin(), e.all.end(), [&](const packet_event& one_of) {
            return one_of.is == is && one_of.cycle >= from && one_of.cycle < to;
        });
    };
    for (const auto is : {packet_event::what::in, packet_event::what::out, packet_event::what::left,
                          packet_event::what::consumed})
        EXPECT_EQ(count(part, is, 60, 159), count(whole, is, 60, 159)) << name_of(is);
}

/// What a reset takes out goes nowhere: no event of it comes later, and what is sent then is told as it is.
TEST(Observers, TraceThroughResets) {
    for (const bool whole : {true, false}) {
        fabric_setting readable;
        readable.compact_allowed = false;  // compact routers are not reset one by one
        test_fabric f(readable);
        std::vector<sare::message> script;
        for (std::uint32_t n = 0; n < 16; ++n)
            for (cycle_t t = 0; t < 10; ++t) script.push_back(one(n, 5, 6, 3));
        scripted_traffic traffic(script);
        f.net.stepper().set_workload(&traffic);
        last_events seen;
        packet_trace trace(f.net);
        trace.add(seen);
        trace.start();
        constexpr cycle_t then = 60;
        f.run(0, then);
        const auto dropped = f.net.view().changes().dropped.packets;
        whole ? f.net.reset().all(then) : f.net.reset().router(5, then);
        const auto lost = f.net.view().changes().dropped.packets - dropped;
        EXPECT_GT(lost, 3U);
        f.run(then, 10'000);
        trace.stop();
        std::map<std::uint64_t, std::uint64_t> ins, outs;
        std::uint64_t consumed = 0;
        for (const packet_event& e : seen.all) {
            ins[e.packet.number] += e.is == packet_event::what::in;
            outs[e.packet.number] += e.is == packet_event::what::left;
            consumed += e.is == packet_event::what::consumed;
            EXPECT_FALSE(whole && e.cycle >= then) << name_of(e.is);
        }
        std::uint64_t unfinished = 0;
        for (const auto& [number, times] : ins) unfinished += outs[number] < times;
        EXPECT_LE(unfinished, lost);
        EXPECT_GT(unfinished, 0U);
        EXPECT_EQ(consumed + lost, f.net.view().packets_injected());
    }
}

}  // namespace
}  // namespace sare::test::observers_test
