// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/bridge/bridge_bench.h"
#include "tests/traffic/bridge/simbricks_nic.h"
#include "tests/traffic/fake_port.h"
#include "traffic/bridge/simbricks/queues.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

/// Ethernet of SimBricks.
namespace sare::simbricks_test {
namespace {

using testing_support::bridge_bench;
using testing_support::connecter_intro;
using testing_support::error_of;
using testing_support::fake_port;
using testing_support::frame_bytes;
using testing_support::frame_for;
using testing_support::listener_intro;
using testing_support::make_workload;
using testing_support::net_message;
using entries = std::vector<std::pair<std::string, std::string>>;
using nic = testing_support::simbricks_nic;

constexpr std::uint64_t slice = bridge_bench::quantum;

config::value section(const entries& more) {
    entries all{{"protocol", "simbricks"}};
    all.insert(all.end(), more.begin(), more.end());
    return testing_support::section(all);
}

class Simbricks : public testing::Test {
  protected:
    Simbricks() : folder(std::filesystem::temp_directory_path() / "sare-nic-XXXXXX") {
        if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error(folder);
        path = folder + "/eth0";
    }
    ~Simbricks() override { std::filesystem::remove_all(folder); }

    void begin(entries more) {
        other.reset();
        bench = std::make_unique<bridge_bench>(section(more));
        other = make();
    }
    std::unique_ptr<nic> make() {
        return std::make_unique<nic>(path, [this](const auto& f) { return bench->until(f, 0.5); });
    }
    /// The NIC listens, as SimBricks' do.
    void meet(const listener_intro& intro = {}, const entries& more = {}) {
        entries all{{"connect", path}};
        all.insert(all.end(), more.begin(), more.end());
        begin(all);
        other->listen();
        other->accept(intro);
        ASSERT_TRUE(bench->until([this] { return bench->door->complete(); }));
        ASSERT_EQ(bench->peers.size(), 1U);
        peer().grant(slice);
        ASSERT_EQ(other->receive(), "sync at 1000000");
    }
    traffic::peer& peer() const { return *bench->peers[0]; }
    bool is_done_soon() const {
        return bench->until([this] { return peer().done() == peer().granted(); }, 0.05);
    }

    std::string folder, path;
    std::unique_ptr<bridge_bench> bench;
    std::unique_ptr<nic> other;
};

TEST_F(Simbricks, ConnectsToANicThatListens) {
    begin({{"connect", path}, {"first_node", "2"}});
    EXPECT_EQ(bench->door->state(), "0 of 1 NICs");
    bench->pump();  // it is not there yet
    other->listen();
    other->accept();
    ASSERT_TRUE(bench->until([this] { return bench->door->complete(); }));
    EXPECT_EQ(peer().name(), "eth0");
    EXPECT_EQ(peer().computers()[0].node, 2U);
    EXPECT_EQ(peer().access_latency(), 500'000U);
    const connecter_intro c = other->hear_connecter();
    EXPECT_EQ(c.version, 1U);
    EXPECT_EQ(c.flags, 3U);
    EXPECT_EQ(c.upper_layer_proto, 1U);
    EXPECT_EQ(c.upper_layer_intro_off, 32U);
}

TEST_F(Simbricks, ListensForANicThatConnects) {
    begin({{"listen", path}});
    EXPECT_EQ(bench->door->address(), "unix:" + path);
    EXPECT_TRUE(other->connect());
    ASSERT_TRUE(bench->until([this] { return bench->door->complete(); }));
    peer().deliver(frame_for(0, 5, frame_bytes(0, 1, 1518)));
    peer().grant(slice);
    EXPECT_EQ(other->receive(), "packet at 5: " + frame_bytes(0, 1, 1518));
    EXPECT_EQ(other->receive(), "sync at 1000000");
    other->send(nic::packet, 7, frame_bytes(1, 0, 60));
    other->send(nic::sync, slice);
    EXPECT_TRUE(is_done_soon());
    EXPECT_EQ(bench->frames.size(), 1U);
}

TEST_F(Simbricks, TakesANicAsDoneAtTheTimeOfItsGrant) {
    meet();
    EXPECT_FALSE(is_done_soon());
    other->send(nic::sync, 0);
    other->send(nic::sync, slice - nic::latency - 1);
    EXPECT_FALSE(is_done_soon());
    other->send(nic::sync, slice - nic::latency);  // all that is sent later arrives at the network later
    EXPECT_TRUE(is_done_soon());
    EXPECT_EQ(bench->failure, "");
}

TEST_F(Simbricks, CountsTheTimeOfAFrameAtTheNetwork) {
    meet();
    const std::string f = frame_bytes(2, 0, 60);
    other->send(nic::packet, 3, f);
    other->send(nic::packet, slice - 1, f);  // at the network in the next slice: it has to wait
    EXPECT_TRUE(is_done_soon());
    ASSERT_EQ(bench->frames.size(), 1U);
    EXPECT_EQ(bench->frames[0].time, 3 + nic::latency);
    EXPECT_EQ(std::string(bench->frames[0].bytes->begin(), bench->frames[0].bytes->end()), f);
    peer().grant(2 * slice);
    other->send(nic::sync, 2 * slice);
    EXPECT_TRUE(is_done_soon());
    ASSERT_EQ(bench->frames.size(), 2U);
    EXPECT_EQ(bench->frames[1].time, slice - 1 + nic::latency);
}

TEST_F(Simbricks, KeepsWhatDoesNotFitIntoTheQueue) {
    listener_intro small;
    small.c2l_nentries = 2;
    meet(small);
    other->send(nic::sync, slice);
    for (std::uint64_t i = 0; i < 5; ++i) peer().deliver(frame_for(0, slice + i, frame_bytes(0, 1, 60)));
    peer().grant(2 * slice);
    for (std::uint64_t i = 0; i < 5; ++i)
        EXPECT_EQ(other->receive(), "packet at " + std::to_string(slice + i) + ": " + frame_bytes(0, 1, 60));
    EXPECT_EQ(other->receive(), "sync at 2000000");
}

TEST_F(Simbricks, LetsANicLeave) {
    meet();
    other->send(nic::packet, 3, frame_bytes(2, 0, 60));
    other->send(nic::terminate, ~std::uint64_t{0});
    other->hang_up();
    EXPECT_TRUE(bench->until([this] { return peer().has_left(); }));
    EXPECT_EQ(peer().farewell(), "terminated");
    EXPECT_EQ(bench->frames.size(), 1U);
    EXPECT_EQ(bench->failure, "");
}

TEST_F(Simbricks, TellsANicThatTheRunIsOver) {
    meet();
    peer().dismiss("the run is over");
    EXPECT_EQ(other->receive(), "terminate");
}

TEST_F(Simbricks, ReportsAFailureInOneLine) {
    const auto raw = [this](std::uint8_t type, std::uint64_t time, std::uint16_t length) {
        net_message* m = other->alloc();
        m->timestamp = time;
        m->len = length;
        other->hand_over(m, type);
    };
    const std::vector<std::pair<std::function<void()>, std::string>> all{
        {[&] { other->hang_up(); }, "it is gone without a word"},
        {[&] {
             raw(0, 700, 0);
             raw(0, 699, 0);
         },
         "a message at 699 ps behind one at 700 ps"},
        {[&] { raw(0, slice + nic::latency + 1, 0); },
         "a message at 1500001 ps, but it may run up to 1000000 ps only: is the latency of its link 500000 "
         "ps, as "
         "here?"},
        {[&] { raw(0, ~std::uint64_t{0}, 0); },
         "a message at 18446744073709551615 ps, but it may run up to 1000000 ps only: is the latency of its "
         "link "
         "500000 ps, as here?"},
        {[&] { raw(0x41, 700, 0); }, "a message of type 65 at 700 ps; SYNC is 0, a frame 64"},
        {[&] { raw(nic::packet, 700, 1537); }, "a frame of 1537 bytes in an entry for 1536"},
        {[&] { raw(nic::packet, 700, 65535); }, "a frame of 65535 bytes in an entry for 1536"},
        {[&] { raw(nic::packet, 700, 1519); }, "a frame of 1519 bytes; it has 14 to 1518"},
        {[&] { raw(nic::packet, 700, 3); }, "a frame of 3 bytes; it has 14 to 1518"},
        {[&] {
             for (int i = 0; i < 80; ++i) raw(nic::packet, 700, 1500);
         },
         "more than 100000 bytes of frames in a slice"}};
    for (const auto& [act, expected] : all) {
        meet();
        try {
            act();
        } catch (const std::runtime_error&) {
            // The last one: it is not heard to the end.
        }
        EXPECT_EQ(bench->until_failure(), expected);
        EXPECT_EQ(other->receive(), "terminate");
    }
}

TEST_F(Simbricks, SurvivesGarbageInItsMemory) {
    std::mt19937 dice(1);
    for (int round = 0; round < 50; ++round) {
        meet();
        for (int i = 0; i < 10; ++i) {
            net_message* m = other->alloc();
            for (std::size_t at = 0; at < 64; ++at) m->data[at] = static_cast<char>(dice());
            m->len = static_cast<std::uint16_t>(dice());
            m->timestamp = dice() % (2 * slice);
            other->hand_over(m, static_cast<std::uint8_t>(dice() % 3 == 0 ? dice() : 0x40U));
        }
        bench->until([this] { return !bench->failure.empty() || peer().done() == slice; }, 0.05);
        EXPECT_TRUE(!bench->failure.empty() || peer().done() == slice || peer().has_left());
    }
}

TEST_F(Simbricks, FailsANicThatTakesNothing) {
    meet();
    const auto f = frame_for(0, slice, frame_bytes(0, 1, 1500));
    EXPECT_THROW(for (int i = 0; i < 50'000; ++i) peer().deliver(f), traffic::peer_failure);
}

/// What the first words of a NIC that listens come to.
TEST_F(Simbricks, EndsTheRunOnWrongFirstWords) {
    const auto meeting = [this](const std::function<void(listener_intro&)>& spoil, bool with_file = true) {
        listener_intro intro;
        spoil(intro);
        begin({{"connect", path}, {"handshake_s", "0.1"}});
        other->listen();
        return error_of([&] {
            other->accept(intro, 2 * 1600 * 16, with_file);
            bench->until([this] { return bench->door->complete(); }, 1);
        });
    };
    const std::string at = "test.yaml:1:2: bridge: the NIC at unix:" + path + ": ";
    EXPECT_EQ(meeting([](listener_intro&) {}), "");
    EXPECT_EQ(meeting([](listener_intro& i) { i.version = 2; }),
              at + "it speaks version 2 of SimBricks' base protocol; this is version 1");
    EXPECT_EQ(meeting([](listener_intro& i) { i.upper_layer_proto = 2; }),
              at + "it speaks protocol 2 on it; Ethernet's number is 1");
    EXPECT_EQ(meeting([](listener_intro& i) { i.flags = 0; }),
              at + "it does not synchronise; Sare needs that: switch it on there");
    EXPECT_EQ(meeting([](listener_intro&) {}, false), at + "it sent no shared memory with its first words");
    EXPECT_EQ(meeting([](listener_intro& i) { i.l2c_offset = 1601 * 16; }),
              at + "its queue to the network of 16 entries of 1600 bytes at 25616 does not lie within its "
                   "51200 bytes "
                   "of memory");
    EXPECT_NE(
        meeting([](listener_intro& i) { i.c2l_offset = ~std::uint64_t{0}; }).find("does not lie within"),
        std::string::npos);
    EXPECT_NE(meeting([](listener_intro& i) {
                  i.c2l_nentries = ~std::uint64_t{0} / 1600 + 2;
              }).find("does not lie within"),
              std::string::npos);
    EXPECT_NE(meeting([](listener_intro& i) { i.c2l_nentries = 0; }).find("does not lie within"),
              std::string::npos);
    EXPECT_NE(meeting([](listener_intro& i) { i.l2c_elen = 63; }).find("has entries of 63 bytes"),
              std::string::npos);
    EXPECT_NE(meeting([](listener_intro& i) {
                  i.l2c_offset = 1600;
                  i.l2c_nentries = 16;
              }).find("its two queues lie on each other"),
              std::string::npos);
    EXPECT_EQ(meeting([](listener_intro& i) { i.c2l_elen = 1064; }),
              at + "its queue holds frames of 1000 bytes; this run's may have 1518: set 'max_frame'");
}

TEST_F(Simbricks, EndsTheRunOnASilentNic) {
    begin({{"connect", path}, {"handshake_s", "0.1"}});
    other->listen();
    const std::string at = "test.yaml:1:2: bridge: the NIC at unix:" + path + ": ";
    EXPECT_EQ(error_of([&] { bench->until([] { return false; }, 1); }), at + "no first words within 0.1 s");
    begin({{"connect", path}});
    other->listen();
    bench->pump();
    other.reset();  // hangs up
    EXPECT_EQ(error_of([&] { bench->until([] { return false; }, 1); }),
              at + "it hung up before its first words were complete");
}

TEST_F(Simbricks, RefusesAWrongNicWhereItListens) {
    begin({{"listen", path}, {"handshake_s", "0.1"}});
    connecter_intro old;
    old.version = 0;
    EXPECT_TRUE(other->connect(old));
    EXPECT_TRUE(other->is_cut_off());
    connecter_intro loose;
    loose.flags = 0;
    EXPECT_TRUE(other->connect(loose));
    EXPECT_TRUE(other->is_cut_off());
    for (const char* part : {"it speaks version 0", "it does not synchronise"})
        EXPECT_TRUE(bench->warned_of("bridge: a connection at unix:" + path + " was refused: " + part))
            << part;
    EXPECT_TRUE(other->connect());
    EXPECT_TRUE(bench->until([this] { return bench->door->complete(); }));
}

TEST_F(Simbricks, ChecksItsSection) {
    const auto error = [](const entries& e) { return error_of([&] { bridge_bench made(section(e)); }); };
    EXPECT_NE(error({}).find("'connect' or 'listen' names a Unix socket for each NIC"), std::string::npos);
    EXPECT_NE(error({{"connect", "tcp:127.0.0.1:1"}}).find("come in by Unix sockets"), std::string::npos);
    EXPECT_NE(error({{"connect", path}, {"first_node", "4"}}).find("the network has 4 nodes"),
              std::string::npos);
}

TEST(SimbricksQueue, ReadsEveryNumberOnce) {
    alignas(8) std::array<unsigned char, 2 * 128> memory{};
    traffic::simbricks::incoming in(memory.data(), {0, 128, 2});
    EXPECT_EQ(in.head(), nullptr);
    auto* m = static_cast<net_message*>(static_cast<void*>(memory.data()));
    m->timestamp = 5;
    m->len = 64;
    m->own_type = 0xc0;
    EXPECT_EQ(in.head()->time, 5U);
    m->timestamp = 4;
    m->len = 6500;
    m->own_type = 0x80;
    EXPECT_EQ(in.head()->time, 5U);
    EXPECT_EQ(in.head()->type, 0x40);
    EXPECT_EQ(in.bytes()->size(), 64U);
    in.drop();
    EXPECT_EQ(m->own_type, 0x40);
    EXPECT_EQ(in.head(), nullptr);
}

/// The whole bridge on a network of 10 cycles, beside two NICs with a thread each.
class SimbricksRun : public Simbricks {
  protected:
    using life = std::function<void(nic&)>;

    void run(const life& first, const life& second, const entries& more = {}) {
        const config::value peers = config::value::map(
            {{"protocol", testing_support::text("simbricks")},
             {"connect",
              config::value::list({testing_support::text(path + "a"), testing_support::text(path + "b")})}},
            {"test.yaml", 1, 2});
        entries all{{"workload", "bridge"}, {"quantum", "500"}, {"max_frame", "1518"}};
        all.insert(all.end(), more.begin(), more.end());
        config::value whole = testing_support::section(all);
        whole.set("peers", peers);
        m_workload = make_workload(whole, 4);
        const auto live = [](const std::string& at, const life& l) {
            nic n(at, [](const std::function<bool()>& f) {
                const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
                while (!f()) {
                    if (std::chrono::steady_clock::now() > end) return false;
                    std::this_thread::yield();
                }
                return true;
            });
            n.listen();
            n.accept();
            l(n);
        };
        std::thread one(live, path + "a", first), two(live, path + "b", second);
        error = error_of([&] {
            m_workload->start(m_port);
            m_port.run(*m_workload, 1'000'000);
        });
        one.join();
        two.join();
        results = m_workload->results();
    }
    /// As SimBricks' adapters live: it runs up to the time of the last message, says SYNC each 500 ns, and
    /// answers a frame at once, `rounds` times.
    static std::uint64_t answer(nic& n, std::uint8_t me, bool begins, int rounds) {
        const std::string f = frame_bytes(static_cast<std::uint8_t>(1 - me), me, 64);
        std::uint64_t now = 0, next_sync = 0;
        if (begins) n.send(nic::packet, 0, f);
        while (rounds > 0) {
            if (now >= next_sync) {
                n.send(nic::sync, now);
                next_sync = now + 500'000;
            }
            if (now == n.time()) {
                const std::string m = n.receive();
                if (m.empty()) return 0;
                const std::uint64_t until = n.time();
                while (next_sync <= until) {
                    n.send(nic::sync, next_sync);
                    next_sync += 500'000;
                }
                now = until;
                if (m.compare(0, 6, "packet") == 0 && (--rounds > 0 || !begins)) n.send(nic::packet, now, f);
            }
        }
        n.send(nic::terminate, ~std::uint64_t{0});
        return now;
    }

    std::string error;
    config::value results;

  private:
    fake_port m_port{4};
    std::unique_ptr<workload> m_workload;
};

TEST_F(SimbricksRun, DelaysFramesByTwoLinksAndTheNetwork) {
    constexpr int rounds = 20;
    std::uint64_t end = 0;
    run([&](nic& n) { end = answer(n, 0, true, rounds); }, [&](nic& n) { answer(n, 1, false, rounds); });
    EXPECT_EQ(error, "");
    // 8 flits and 10 cycles of the network, at 1 ns; a link of 500 ns before and behind.
    EXPECT_EQ(end, 2 * rounds * (2 * nic::latency + 17'000));
    EXPECT_EQ(results.find("frames")->find("arrived")->text(), std::to_string(2 * rounds));
    EXPECT_EQ(results.find("false_delay_us")->find("frames")->text(), "0");
    EXPECT_EQ(results.find("end")->text(), "all computers have ended");
}

TEST_F(SimbricksRun, EndsWhenANicStalls) {
    run(
        [](nic& n) {
            while (n.receive() != "terminate") n.send(nic::sync, n.time());
        },
        [](nic& n) {
            while (n.receive() != "terminate") continue;
        },
        {{"reply_s", "0.3"}});
    EXPECT_EQ(error.substr(0, 44), "test.yaml:1:2: bridge: 'eth0b' (node 1), sli");
    EXPECT_NE(error.find("it has not run slice 0 within 0.3 s"), std::string::npos) << error;
}

}  // namespace
}  // namespace sare::simbricks_test
