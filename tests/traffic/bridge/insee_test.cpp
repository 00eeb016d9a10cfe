// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/bridge/insee_client.h"

#include "tests/traffic/bridge/bridge_bench.h"
#include "tests/traffic/fake_port.h"

#include <gtest/gtest.h>

/// INSEE's wire protocol.
namespace sare::insee_test {
namespace {

using testing_support::bridge_bench;
using testing_support::error_of;
using testing_support::fake_port;
using testing_support::frame_bytes;
using testing_support::frame_for;
using testing_support::insee_client;
using testing_support::little_endian;
using testing_support::make_workload;
using testing_support::number_of;
using entries = std::vector<std::pair<std::string, std::string>>;

config::value section(entries more = {}) {
    entries all{{"protocol", "insee"}, {"listen", "tcp:127.0.0.1:0"}, {"synchronise", "udp:127.0.0.1:0"}};
    for (auto& [k, v] : more) {
        all.erase(std::remove_if(all.begin(), all.end(), [&](const auto& e) { return e.first == k; }),
                  all.end());
        all.emplace_back(k, v);
    }
    return testing_support::section(all);
}

constexpr std::uint64_t slice = bridge_bench::quantum / 5000;  // client cycles

/// Two hosts, and as many clients.
class Insee : public testing::Test {
  protected:
    void begin(const entries& more = {}, const std::string& group = "") {
        bench = std::make_unique<bridge_bench>(section(more));
        const std::string a = bench->door->address();
        tcp = static_cast<std::uint16_t>(std::stoul(a.substr(a.find(':', 4) + 1)));
        udp = static_cast<std::uint16_t>(std::stoul(a.substr(a.rfind(':') + 1)));
        one = make(1, group);
        two = make(2, group);
    }
    std::unique_ptr<insee_client> make(std::uint8_t node, const std::string& group = "") {
        return std::make_unique<insee_client>(
            node, tcp, udp, [this](const auto& f) { return bench->until(f, 2); }, group);
    }
    void join(std::size_t size_of_long = 4) {
        for (const auto& c : {one.get(), two.get()}) {
            EXPECT_EQ(c->come_in(), std::string("OK", 3));
            c->say_connect(1, size_of_long);
            EXPECT_EQ(c->hear("OK:" + c->mac), "OK:" + c->mac);
        }
        ASSERT_TRUE(bench->until([this] { return bench->door->complete(); })) << bench->door->state();
        ASSERT_EQ(bench->peers.size(), 1U);
    }
    void stop_at(std::uint64_t cycle) const {
        one->say_time(cycle);
        two->say_time(cycle);
    }
    traffic::peer& peer() const { return *bench->peers[0]; }
    /// Both are in the first slice.
    void run() {
        begin();
        join();
        stop_at(0);
        peer().grant(bridge_bench::quantum);
        EXPECT_NE(one->hear("CONTINUE:"), "");
        EXPECT_NE(two->hear("CONTINUE:"), "");
    }

    std::unique_ptr<bridge_bench> bench;
    std::unique_ptr<insee_client> one, two;
    std::uint16_t tcp = 0, udp = 0;
};

TEST_F(Insee, TakesTheNodeOfAHostFromItsMac) {
    begin();
    EXPECT_EQ(bench->door->state(), "0 of 2 hosts, and CONNECT of 0");
    join();
    EXPECT_EQ(peer().name(), "insee");
    ASSERT_EQ(peer().computers().size(), 2U);
    EXPECT_EQ(peer().computers()[0].node, 1U);
    EXPECT_EQ(peer().computers()[1].node, 2U);
    EXPECT_EQ(peer().computers()[1].macs[0].text(), "02:00:00:00:00:02");
    EXPECT_EQ(bench->terms.computers[2].node, 2U);
}

TEST_F(Insee, GoesFromSliceToSlice) {
    begin();
    join();
    peer().grant(bridge_bench::quantum);
    one->say_time(700);  // they count from anywhere
    EXPECT_EQ(one->hear("CONTINUE:"), "") << "not all have stopped";
    two->say_time(700);
    const std::string go = "CONTINUE:" + little_endian(700, 8) + little_endian(slice, 4);
    EXPECT_EQ(one->hear("CONTINUE:"), go);
    EXPECT_EQ(two->hear("CONTINUE:"), go);
    stop_at(700 + slice);
    EXPECT_TRUE(bench->until_done(bridge_bench::quantum));
    peer().grant(3 * bridge_bench::quantum);
    EXPECT_EQ(one->hear("CONTINUE:"),
              "CONTINUE:" + little_endian(700 + slice, 8) + little_endian(2 * slice, 4));
    EXPECT_EQ(bench->failure, "");
}

TEST_F(Insee, AllowsAClientALongOfEightBytes) {
    begin();
    join(8);
    stop_at(5);
    peer().grant(bridge_bench::quantum);
    EXPECT_EQ(one->hear("CONTINUE:"), "CONTINUE:" + little_endian(5, 8) + little_endian(slice, 8));
}

TEST_F(Insee, SpeaksToAGroupOfClients) {
    begin({{"group", "225.0.0.37"}}, "225.0.0.37");
    join();
    stop_at(0);
    peer().grant(bridge_bench::quantum);
    EXPECT_EQ(two->hear("CONTINUE:").size(), 9U + 8 + 4);
    stop_at(slice);
    EXPECT_TRUE(bench->until_done(bridge_bench::quantum));
    EXPECT_TRUE(bench->warnings.empty()) << bench->warnings[0];
}

TEST_F(Insee, SendsAFrameWhenItsSliceEnds) {
    run();
    const std::string f = frame_bytes(2, 1, 60);
    one->send_frame(f);
    one->write(little_endian(0, 2));  // an empty record says nothing
    stop_at(slice);
    ASSERT_TRUE(bench->until_done(bridge_bench::quantum));
    ASSERT_EQ(bench->frames.size(), 1U);
    EXPECT_EQ(bench->frames[0].time, bridge_bench::quantum);
    EXPECT_EQ(bench->frames[0].source, 1U);
    EXPECT_EQ(std::string(bench->frames[0].bytes->begin(), bench->frames[0].bytes->end()), f);
}

TEST_F(Insee, WaitsForTheRestOfAFrame) {
    run();
    const std::string f = little_endian(60, 2) + frame_bytes(2, 1, 60);
    one->write(f.substr(0, 30));
    stop_at(slice);
    EXPECT_FALSE(bench->until([this] { return peer().done() != 0; }, 0.2));
    one->write(f.substr(30));
    EXPECT_TRUE(bench->until_done(bridge_bench::quantum));
    EXPECT_EQ(bench->frames.size(), 1U);
}

TEST_F(Insee, DeliversAFrameWithItsCyclesToWait) {
    run();
    stop_at(slice);
    ASSERT_TRUE(bench->until_done(bridge_bench::quantum));
    const std::string now = frame_bytes(2, 1, 60), later = frame_bytes(2, 1, 1000);
    peer().deliver(frame_for(2, bridge_bench::quantum, now));
    peer().deliver(frame_for(2, bridge_bench::quantum + 5001, later));
    peer().grant(2 * bridge_bench::quantum);
    EXPECT_NE(two->hear("CONTINUE:"), "");
    EXPECT_EQ(two->read(10 + 60), little_endian(0, 8) + little_endian(60, 2) + now);
    EXPECT_EQ(two->read(10 + 1000), little_endian(2, 8) + little_endian(1000, 2) + later);  // not too early
}

std::string udp_to_1_2_3_4(char payload) {
    std::string f = frame_bytes(7, 1, 14);
    f[12] = 8;
    f[13] = 0;
    f += std::string("\x45\0\0\x1d\0\0\0\0\x40\x11\0\0", 12) + std::string{10, 0, 0, 1, 1, 2, 3, 4};
    return f + std::string{0x10, 0x11, 0x20, 0x21, 0, 9, 0, 0, payload};
}

TEST_F(Insee, MarksTheRegionByFramesThatGoNowhere) {
    run();
    one->send_frame(udp_to_1_2_3_4(1));
    const std::string answer = one->read(10 + 43);
    ASSERT_EQ(answer.size(), 53U);
    EXPECT_EQ(answer.substr(10, 12), udp_to_1_2_3_4(1).substr(6, 6) + udp_to_1_2_3_4(1).substr(0, 6));
    EXPECT_EQ(answer.substr(10 + 26, 8), (std::string{1, 2, 3, 4, 10, 0, 0, 1}));
    EXPECT_EQ(answer.substr(10 + 34, 4), "\x20\x21\x10\x11");
    one->send_frame(udp_to_1_2_3_4(2));
    one->send_frame(udp_to_1_2_3_4(3));  // a frame like others
    stop_at(slice);
    ASSERT_TRUE(bench->until_done(bridge_bench::quantum));
    EXPECT_EQ(bench->begins.size(), 1U);
    EXPECT_EQ(bench->ends.size(), 1U);
    EXPECT_EQ(bench->frames.size(), 1U);
    EXPECT_FALSE(peer().has_left());
}

TEST_F(Insee, EndsTheRunWithTheRegionIfAsked) {
    begin({{"region_ends_run", "true"}});
    join();
    two->send_frame(udp_to_1_2_3_4(2));
    EXPECT_TRUE(bench->until([this] { return peer().has_left(); }));
    EXPECT_EQ(peer().farewell(), "the region of interest has ended");
}

TEST_F(Insee, SendsAgainWhatMayGetLost) {
    begin({{"resend_s", "0.05"}});
    join();
    one->say_connect(1);  // its OK was lost
    EXPECT_EQ(one->hear("OK:"), "OK:" + one->mac);
    stop_at(0);
    peer().grant(bridge_bench::quantum);
    const std::string go = one->hear("CONTINUE:");
    EXPECT_EQ(one->hear("CONTINUE:"), go);
    EXPECT_EQ(one->hear("CONTINUE:"), go);
    stop_at(0);
    EXPECT_EQ(two->hear("CONTINUE:"), go);
    stop_at(slice);
    EXPECT_TRUE(bench->until_done(bridge_bench::quantum));
}

TEST_F(Insee, RefusesHostsThatComeInWrong) {
    begin({{"handshake_s", "0.1"}});
    EXPECT_EQ(one->come_in(), std::string("OK", 3));
    EXPECT_EQ(make(4)->come_in(), "");
    EXPECT_TRUE(bench->warned_of("there is no node 4; nodes are 0 to 3")) << bench->warnings.back();
    auto group = make(3);
    const_cast<std::string&>(group->mac)[0] = 1;
    EXPECT_EQ(group->come_in(), "");
    EXPECT_TRUE(bench->warned_of("the MAC 01:00:00:00:00:03 is one of a group"));
    auto same_node = make(1);
    const_cast<std::string&>(same_node->mac)[0] = 6;
    EXPECT_EQ(same_node->come_in(), "");
    EXPECT_TRUE(bench->warned_of("node 1 has its computer already"));
    auto slow = make(3);
    const_cast<std::string&>(slow->mac).resize(5);
    EXPECT_EQ(slow->come_in(), "");
    EXPECT_TRUE(bench->warned_of("no MAC within 0.1 s"));
    EXPECT_EQ(bench->door->state(), "1 of 2 hosts, and CONNECT of 0");
}

TEST_F(Insee, LetsAHostComeAgainBeforeTheRun) {
    begin();
    EXPECT_EQ(one->come_in(), std::string("OK", 3));
    one->hang_up();
    EXPECT_TRUE(bench->until([this] { return bench->warned_of("02:00:00:00:00:01"); }));
    EXPECT_EQ(one->come_in(), std::string("OK", 3));
    EXPECT_EQ(make(1)->come_in(), std::string("OK", 3));  // the same once more: the newer one stays
    EXPECT_EQ(bench->door->state(), "1 of 2 hosts, and CONNECT of 0");
}

TEST_F(Insee, DoesNotAnswerAWrongConnect) {
    begin();
    one->say_connect(3);
    one->say_connect(0);
    one->say("CONNECT:1");
    one->say("nonsense");
    one->say_time(0);
    one->say_connect(1);
    EXPECT_NE(one->hear("OK:"), "");
    two->say_connect(1, 8);
    EXPECT_EQ(two->hear("OK:"), "");
    for (const char* part :
         {"has 3 hosts; 2 of 2 are missing", "has 0 hosts", "it has 9 bytes", "is neither CONNECT nor TS",
          "no client that has said CONNECT", "its long has 8 bytes, that of the first client 4"})
        EXPECT_TRUE(bench->warned_of(part)) << part;
}

TEST_F(Insee, ReportsAFailureInOneLine) {
    const std::string from_one = "a TS of 02:00:00:00:00:01 ";
    const std::vector<std::pair<std::function<void()>, std::string>> all{
        {[&] { one->say_time(slice - 1); },
         from_one + "at cycle 199 of the clients; all have to stop at 200"},
        {[&] { one->say_time(slice + 1); },
         from_one + "at cycle 201 of the clients; all have to stop at 200"},
        {[&] { one->say("TS:" + one->mac + ":1"); },
         from_one + "with 11 bytes; it is TS:, a MAC, ':' and a time of 8"},
        {[&] { one->send_frame("short"); }, "a frame of 5 bytes; it has 14 to 1518"},
        {[&] { one->send_frame(frame_bytes(2, 1, 1519)); }, "a frame of 1519 bytes; it has 14 to 1518"},
        {[&] { one->hang_up(); }, "02:00:00:00:00:01 is gone without a word"},
        {[&] {
             one->write("\x30");
             one->hang_up();
         },
         "02:00:00:00:00:01 is gone without a word, in the midst of a frame"},
        {[&] {
             for (int i = 0; i < 80; ++i) one->send_frame(frame_bytes(2, 1, 1500));
         },
         "more than 100000 bytes of frames in a slice"}};
    for (const auto& [act, expected] : all) {
        run();
        act();
        EXPECT_EQ(bench->until_failure(), expected);
        EXPECT_TRUE(two->is_cut_off());
    }
}

TEST_F(Insee, RefusesClientsThatBeginAtDifferentTimes) {
    begin();
    one->say_connect(1);
    two->say_connect(1);
    one->say_time(5);
    two->say_time(6);
    EXPECT_EQ(
        error_of([this] { bench->until([] { return false; }, 1); }),
        "test.yaml:1:2: bridge: 'insee', before the run began: a TS of 02:00:00:00:00:02 at cycle 6 of the "
        "clients; all have to stop at 5");
}

/// A port of this machine that is free just now.
std::uint16_t free_port(int type) {
    const int fd = socket(AF_INET, type, 0);
    sockaddr_in a = testing_support::ipv4("127.0.0.1", 0);
    socklen_t length = sizeof a;
    bind(fd, reinterpret_cast<const sockaddr*>(&a), length);
    getsockname(fd, reinterpret_cast<sockaddr*>(&a), &length);
    close(fd);
    return ntohs(a.sin_port);
}

/// The whole bridge on a network of 10 cycles, beside clients in a thread of their own.
class InseeRun : public testing::Test {
  protected:
    void run(const std::function<void(insee_client&, insee_client&)>& clients, const entries& more = {}) {
        const std::uint16_t tcp = free_port(SOCK_STREAM), udp = free_port(SOCK_DGRAM);
        const config::value peers = section({{"listen", "tcp:127.0.0.1:" + std::to_string(tcp)},
                                             {"synchronise", "udp:127.0.0.1:" + std::to_string(udp)},
                                             {"region_ends_run", "true"}});
        entries all{{"workload", "bridge"}, {"quantum", "1000"}, {"mode", "slices"}};
        all.insert(all.end(), more.begin(), more.end());
        config::value whole = testing_support::section(all);
        whole.set("peers", peers);
        m_workload = make_workload(whole, 4);
        std::thread beside([&] {
            const auto wait = [](const std::function<bool()>& f) {
                for (int i = 0; i < 5000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(1)))
                    if (f()) return true;
                return false;
            };
            insee_client one(1, tcp, udp, wait), two(2, tcp, udp, wait);
            for (const auto& c : {&one, &two}) {
                c->come_in();
                c->say_connect(1);
                c->hear("OK:");
            }
            clients(one, two);
        });
        error = error_of([&] {
            m_workload->start(m_port);
            m_port.run(*m_workload, 1'000'000);
        });
        beside.join();
    }
    /// Both stop at `cycle` and go on.
    static bool go_on(insee_client& one, insee_client& two, std::uint64_t cycle) {
        one.say_time(cycle);
        two.say_time(cycle);
        return !one.hear("CONTINUE:").empty() && !two.hear("CONTINUE:").empty();
    }
    const config::value& result(const std::string& key) {
        return *(m_results = m_workload->results()).find(key);
    }

    std::string error;

  private:
    fake_port m_port{4};
    std::unique_ptr<workload> m_workload;
    config::value m_results;
};

TEST_F(InseeRun, CarriesFramesAcrossTheNetwork) {
    const std::string ping = frame_bytes(2, 1, 64), pong = frame_bytes(1, 2, 64);
    run([&](insee_client& one, insee_client& two) {
        EXPECT_TRUE(go_on(one, two, 0));
        one.send_frame(udp_to_1_2_3_4(1));
        one.send_frame(ping);
        EXPECT_TRUE(go_on(one, two, slice));  // it leaves at the end of the first slice, crosses the network
        EXPECT_TRUE(go_on(one, two, 2 * slice));  // in the second, is there at the begin of the third
        EXPECT_EQ(two.read(10 + 64), std::string(8, 0) + "\x40" + std::string(1, 0) + ping);
        two.send_frame(pong);
        EXPECT_TRUE(go_on(one, two, 3 * slice));
        EXPECT_TRUE(go_on(one, two, 4 * slice));
        EXPECT_EQ(one.read(53 + 10 + 64).size(), 127U);  // behind the region's answer
        one.send_frame(udp_to_1_2_3_4(2));
        EXPECT_TRUE(two.is_cut_off());
    });
    EXPECT_EQ(error, "");
    EXPECT_EQ(result("end").text(), "all computers have ended");
    EXPECT_EQ(result("frames").find("arrived")->text(), "2");
    EXPECT_EQ(result("region").find("frames")->text(), "2");
}

TEST_F(InseeRun, EndsWhenAClientDoesNotStop) {
    run(
        [&](insee_client& one, insee_client& two) {
            EXPECT_TRUE(go_on(one, two, 0));
            one.say_time(slice);
            EXPECT_TRUE(one.is_cut_off());
        },
        {{"reply_s", "0.3"}});
    EXPECT_EQ(
        error,
        "test.yaml:1:2: bridge: 'insee' (node 1, 2), slice 0: it has not run slice 0 within 0.3 s; no TS of "
        "02:00:00:00:00:02");
}

TEST_F(InseeRun, CutsOffAHostThatIsGoneIfAsked) {
    run(
        [&](insee_client& one, insee_client& two) {
            EXPECT_TRUE(go_on(one, two, 0));
            one.hang_up();
            EXPECT_TRUE(two.is_cut_off());
        },
        {{"cut_off", "true"}});
    EXPECT_EQ(error, "");
    EXPECT_EQ(result("end").text(), "all computers have ended");
}

TEST(InseeSection, IsChecked) {
    const auto error = [](const entries& e) { return error_of([&] { bridge_bench bench(section(e)); }); };
    EXPECT_EQ(error({}), "");
    EXPECT_NE(error({{"listen", "unix:/tmp/x"}}).find("INSEE's hosts come in by TCP"), std::string::npos);
    EXPECT_NE(error({{"listen", "tcp:0.0.0.0:0"}}).find("is reached from other machines"), std::string::npos);
    EXPECT_NE(error({{"synchronise", "udp:0.0.0.0:0"}}).find("is reached from other machines"),
              std::string::npos);
    EXPECT_NE(error({{"synchronise", "tcp:127.0.0.1:0"}}).find("write udp:HOST:PORT"), std::string::npos);
    EXPECT_NE(error({{"synchronise", "udp:127.0.0.1:x"}}).find("write udp:HOST:PORT"), std::string::npos);
    EXPECT_NE(error({{"group", "127.0.0.1"}}).find("is no multicast group"), std::string::npos);
    EXPECT_NE(error({{"cpu_cycle", "3000"}}).find("is no whole number of client cycles of 3000 ps"),
              std::string::npos);
    EXPECT_EQ(error({{"listen", "tcp:0.0.0.0:0"}, {"anywhere", "true"}}), "");
}

}  // namespace
}  // namespace sare::insee_test
