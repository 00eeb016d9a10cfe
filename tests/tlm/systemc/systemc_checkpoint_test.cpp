// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/tlm/memory/memory_support.h"

#include <gtest/gtest.h>

#include <sstream>

/// engine.save() and engine.restore(), from an sc_main.
namespace sare::test::systemc_checkpoint_test {
namespace {

using sc_core::SC_NS;

router_params four_vcs() {
    router_params p;
    p.vcs = 4;
    return p;
}

/// A mesh with traffic and messages of a process's own.
struct running {
    explicit running(const std::string& name, std::uint64_t seed = 1, std::uint32_t width = 4)
        : net(name, width, 4, four_vcs(), 1, 1, seed),
          traffic(make_workload("bernoulli", width * 4, {{"load", "0.3"}, {"length", "3"}})) {
        net.engine.net().stepper().set_observer(&log);
    }
    void begin() { net.engine.set_workload(*traffic); }
    void send(std::uint32_t from) {
        sare::message m;
        m.source = from;
        m.destination = 15 - from;
        m.flits = 5;
        m.generated = net.engine.cycle();
        net.engine.send(m);
    }
    std::string saved() {
        std::ostringstream to;
        net.engine.save(to, "mine");
        return to.str();
    }

    hand_mesh net;
    std::unique_ptr<workload> traffic;
    packet_records log;
};

std::string refusal(running& r, const std::string& text, const std::string& config = "mine") {
    std::istringstream from(text);
    try {
        r.net.engine.restore(from, config);
    } catch (const sc_core::sc_report& report) {
        return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return "";
}

struct SystemcCheckpoint : testing::Test {
    running a{"a"}, b{"b"}, other_seed{"c", 2}, wider{"d", 1, 5}, empty{"f"};
};

TEST_F(SystemcCheckpoint, LetsAnotherEngineGoOn) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    a.begin();
    b.begin();
    other_seed.begin();
    wider.begin();
    // Before the others have run: SystemC's time is that of all.
    const std::string early = a.saved();
    a.net.engine.run_until(777);
    a.send(2);
    a.send(5);
    const std::string text = a.saved();

    EXPECT_EQ(refusal(other_seed, text).substr(0, 64),
              "/sare/checkpoint: c_engine: the checkpoint is of another network");
    EXPECT_NE(refusal(wider, text), "");
    EXPECT_NE(refusal(b, text, "another experiment"), "");
    EXPECT_EQ(refusal(b, text.substr(0, 500)), "/sare/checkpoint: b_engine: the checkpoint is cut short");
    EXPECT_EQ(refusal(b, early),
              "/sare/checkpoint: b_engine: the checkpoint is of cycle 0, and the present one is 777");
    EXPECT_NE(refusal(empty, text).find("; without a workload"), std::string::npos);
    EXPECT_TRUE(empty.net.engine.net().view().empty()) << "nothing of it has been read";
    // What looks inside would not know what it sees.
    packet_trace trace(b.net.engine.net());
    trace.start();
    EXPECT_EQ(refusal(b, text),
              "/sare/checkpoint: b_engine: something looks inside: stop it, restore, and start it again");
}

TEST(SystemcCheckpointBefore, IsRefusedBeforeElaboration) {
    running r("r");
    std::ostringstream to;
    EXPECT_EQ(report_of([&] { r.net.engine.save(to); }), "r_engine: it is not elaborated yet");
}

/// Restored in another process, in mid-run, beside one that notifies: of the cycles that are left out none is
/// run.
TEST_F(SystemcCheckpoint, GoesOnFromTheMiddleOfAnotherRun) {
    const auto lines = [](const packet_records& log) {
        std::ostringstream out;
        for (const auto& line : log.lines) {
            for (const std::uint64_t n : line) out << n << ' ';
            out << '\n';
        }
        return out.str();
    };
    const std::string all = in_child([&] {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        a.begin();
        a.net.engine.run_until(777);
        const std::string text = a.saved();
        a.log.lines.clear();
        a.net.engine.run_until(2000);
        return std::to_string(text.size()) + '\n' + text + lines(a.log);
    });
    const std::size_t size = std::stoul(all), begin = all.find('\n') + 1;
    sc_core::sc_spawn([] {
        for (;;) sc_core::wait(3, SC_NS);
    });
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.begin();
    b.net.engine.run_until(500);
    b.log.lines.clear();
    ASSERT_EQ(refusal(b, all.substr(begin, size)), "");
    b.net.engine.run_until(2000);
    EXPECT_EQ(lines(b.log), all.substr(begin + size));
}

TEST_F(SystemcCheckpoint, GoesOnCycleForCycle) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    a.begin();
    b.begin();
    b.net.engine.net().stepper().set_observer(nullptr);
    a.net.engine.run_until(777);
    a.send(2);
    a.send(5);
    const std::string text = a.saved();
    const std::size_t before = a.log.lines.size();
    b.net.engine.net().stepper().set_observer(&b.log);
    b.log.lines.clear();
    ASSERT_EQ(refusal(b, text), "");
    EXPECT_EQ(b.net.engine.cycle(), 777U);
    a.net.engine.run_until(2000);
    a.log.lines.erase(a.log.lines.begin(), a.log.lines.begin() + static_cast<std::ptrdiff_t>(before));
    EXPECT_GT(a.log.lines.size(), 1000U);
    EXPECT_EQ(b.log.lines, a.log.lines);
}

}  // namespace
}  // namespace sare::test::systemc_checkpoint_test
