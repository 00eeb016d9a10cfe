// SPDX-License-Identifier: Apache-2.0
#include "tb/simics/core.h"
#include "tests/tb/bridge/simics_stub/fake_simics.h"
#include "tests/traffic/bridge/bridge_bench.h"
#include "tests/traffic/fake_port.h"
#include "traffic/bridge/client/sare_bridge.h"

#include <gtest/gtest.h>
#include <simics/devs/ethernet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

extern "C" int sare_follower_main(int count, char** words);

/// tb/simics: its core, and the module and the follower against a stub of Simics, on runs of the bridge.
namespace sare::simics_test {
namespace {

using testing_support::error_of;
using testing_support::fake_port;
using testing_support::fake_simics;
using testing_support::frame_bytes;
using testing_support::make_workload;
using entries = std::vector<std::pair<std::string, std::string>>;

constexpr std::uint64_t access = 500'000, network = 17'000;  ///< ps: the cable; 8 flits and 10 cycles

/// A bridge on a network of 10 cycles, beside sessions with a thread each.
class Simics : public testing::Test {
  protected:
    Simics() : m_folder(std::filesystem::temp_directory_path() / "sare-simics-XXXXXX") {
        if (mkdtemp(m_folder.data()) == nullptr) throw std::runtime_error(m_folder);
        address = "unix:" + m_folder + "/sare.sock";
    }
    ~Simics() override { std::filesystem::remove_all(m_folder); }

    void run(const std::vector<std::function<void()>>& sessions, const entries& more = {}) {
        entries all{
            {"workload", "bridge"}, {"quantum", "500"}, {"access_latency", "500"}, {"first_ends", "true"}};
        all.insert(all.end(), more.begin(), more.end());
        config::value whole = testing_support::section(all);
        whole.set("peers", testing_support::section({{"protocol", "sare"},
                                                     {"listen", address},
                                                     {"sessions", std::to_string(sessions.size())}}));
        m_workload = make_workload(whole, 4);
        std::vector<std::thread> beside;
        for (const auto& s : sessions) beside.emplace_back(s);
        error = error_of([&] {
            m_workload->start(m_port);
            m_port.run(*m_workload, 1'000'000);
        });
        for (auto& t : beside) t.join();
        results = m_workload->results();
    }
    /// What a session says of itself by its follower.
    struct owner {
        std::vector<std::pair<std::uint64_t, std::string>> delivered;
        std::vector<std::uint64_t> reports;
        std::string error;
    };
    sare_follower* make(owner& o, std::uint32_t node) const {
        const sare_follower_ops ops{
            [](void* who, std::uint64_t now, const std::uint8_t* bytes, std::uint32_t length) {
                static_cast<owner*>(who)->delivered.emplace_back(
                    now, std::string(reinterpret_cast<const char*>(bytes), length));
            },
            [](void* who, std::uint64_t now) { static_cast<owner*>(who)->reports.push_back(now); }, &o};
        std::array<char, SARE_BRIDGE_MAX_TEXT> why{};
        sare_follower* f = sare_follower_new(address.c_str(), ("node-" + std::to_string(node)).c_str(), node,
                                             nullptr, &ops, why.data());
        o.error = why.data();
        return f;
    }
    static int tell(sare_follower* f, std::uint64_t time, std::uint64_t key, const std::string& bytes) {
        return sare_follower_frame(f, time, key, reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                   static_cast<std::uint32_t>(bytes.size()));
    }
    /// One that goes `limit` by `limit` until the run ends.
    void idle(owner& o, std::uint32_t node, std::uint64_t limit = 700'000) const {
        sare_follower* f = make(o, node);
        for (std::uint64_t t = limit; f != nullptr; t += limit) {
            sare_follower_limit(f, t);
            if (sare_follower_run(f) != 1) break;
        }
        if (f != nullptr) o.error = sare_follower_error(f);
        sare_follower_free(f, nullptr);
    }

    std::string address, error;
    config::value results;

  private:
    std::string m_folder;
    fake_port m_port{4};
    std::unique_ptr<workload> m_workload;
};

TEST_F(Simics, RunsTheCoreFromEventToEvent) {
    owner first, second;
    run({[&] {
             sare_follower* f = make(first, 0);
             tell(f, 800'000, 2, frame_bytes(1, 0, 60) + "b");
             tell(f, 800'000, 1, frame_bytes(1, 0, 60) + "a");    // of one time: by key
             tell(f, 1'700'000, 0, frame_bytes(1, 0, 60) + "c");  // beyond the limit, and the grant
             sare_follower_report_at(f, 300'000);
             EXPECT_EQ(sare_follower_limit(f, 1'200'000), 0);
             EXPECT_EQ(sare_follower_run(f), 1);
             EXPECT_EQ(sare_follower_now(f), 1'200'000U);
             EXPECT_EQ(first.reports, (std::vector<std::uint64_t>{300'000, 1'200'000}));
             EXPECT_EQ(sare_follower_limit(f, 5'000'000), 0);
             EXPECT_EQ(sare_follower_run(f), 1);
             sare_follower_free(f, "enough");
         },
         [&] { idle(second, 1); }});
    EXPECT_EQ(error, "");
    EXPECT_EQ(results.find("end")->text(), "'node-0' has ended: enough");
    EXPECT_EQ(second.error, "'node-0' has ended: enough");
    ASSERT_EQ(second.delivered.size(), 3U);
    const std::string frame = frame_bytes(1, 0, 60);
    EXPECT_EQ(second.delivered[0], std::make_pair(800'000 + network + access, frame + "a"));
    EXPECT_EQ(second.delivered[1],
              std::make_pair(800'000 + network + access + 8'000, frame + "b"));  // behind it
    EXPECT_EQ(second.delivered[2], std::make_pair(1'700'000 + network + access, frame + "c"));
}

TEST_F(Simics, RefusesImpossibleFramesAndTimes) {
    owner first, second;
    run({[&] {
             sare_follower* f = make(first, 0);
             sare_follower_limit(f, 1'000'000);
             EXPECT_EQ(sare_follower_run(f), 1);
             EXPECT_EQ(tell(f, 999'999, 0, frame_bytes(1, 0, 60)), -1);
             EXPECT_STREQ(sare_follower_error(f), "a frame leaves the computer before the follower's time");
             EXPECT_EQ(tell(f, 1'000'000, 0, "short"), -1);
             EXPECT_EQ(sare_follower_limit(f, 999'999), -1);
             EXPECT_STREQ(sare_follower_error(f), "the simulator takes back how far it lets the follower go");
             tell(f, 1'000'000, 0, frame_bytes(1, 0, 9300));  // longer than the network takes
             sare_follower_limit(f, 2'000'000);
             EXPECT_EQ(sare_follower_run(f), 0);
             EXPECT_STREQ(sare_follower_error(f), "a frame of 9300 bytes; it has 14 to 9216");
             sare_follower_free(f, nullptr);
         },
         [&] { idle(second, 1); }});
    EXPECT_NE(error.find("'node-0' (node 0), slice"), std::string::npos) << error;
    EXPECT_NE(error.find("a frame of 9300 bytes; it has 14 to 9216"), std::string::npos) << error;
}

TEST_F(Simics, SaysWhyThereIsNoNetwork) {
    owner o;
    address = "tcp:nowhere";
    EXPECT_EQ(make(o, 0), nullptr);
    EXPECT_NE(o.error.find("no connection to tcp:nowhere"), std::string::npos) << o.error;
}

TEST_F(Simics, EndsTheRunWhenAFollowerIsGone) {
    owner first, second;
    run({[&] {
             sare_follower* f = make(first, 0);
             sare_follower_limit(f, 100);
             EXPECT_EQ(sare_follower_run(f), 1);
             std::this_thread::sleep_for(std::chrono::seconds(1));  // Simics stands still
             sare_follower_free(f, "late");
         },
         [&] { idle(second, 1); }},
        {{"reply_s", "0.3"}});
    EXPECT_NE(error.find("'node-0' (node 0), slice 0: it has not run slice 0 within 0.3 s"),
              std::string::npos)
        << error;
    EXPECT_NE(second.error.find("the run has ended: 'node-0'"), std::string::npos) << second.error;
}

TEST_F(Simics, EndsWhenTheNetworkEndsTheRun) {
    owner first, second;
    run({[&] { idle(first, 0); }, [&] { idle(second, 1, 100'000); }}, {{"cycles", "5000"}});
    EXPECT_EQ(error, "");
    EXPECT_EQ(first.error, "the run's time is over");
    EXPECT_EQ(second.error, "the run's time is over");
    EXPECT_EQ(second.reports.back(), 5'000'000U);
}

TEST_F(Simics, RefusesANodeBeyondTheNetwork) {
    owner first, second, third;
    run({[&] { idle(first, 0); },
         [&] {
             EXPECT_EQ(make(third, 4), nullptr);
             EXPECT_EQ(third.error, "there is no node 4; nodes are 0 to 3");
             idle(second, 1);
         }},
        {{"cycles", "5000"}});
    EXPECT_EQ(error, "");
}

/// At the network's address there is something else, which says `words` and hangs up.
std::string error_at(const std::string& path, const std::string& words) {
    std::thread other([&] {
        const int door = socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un a{};
        a.sun_family = AF_UNIX;
        path.copy(a.sun_path, sizeof a.sun_path - 1);
        bind(door, reinterpret_cast<const sockaddr*>(&a), sizeof a);
        listen(door, 1);
        const int line = accept(door, nullptr, nullptr);
        std::array<char, 1000> hello{};
        EXPECT_GT(recv(line, hello.data(), hello.size(), 0), 0);
        send(line, words.data(), words.size(), MSG_NOSIGNAL);
        close(line);
        close(door);
        unlink(path.c_str());
    });
    std::array<char, SARE_BRIDGE_MAX_TEXT> why{};
    const sare_follower_ops none{};
    EXPECT_EQ(sare_follower_new(("unix:" + path).c_str(), "node-0", 0, nullptr, &none, why.data()), nullptr);
    other.join();
    return why.data();
}

TEST_F(Simics, RefusesAProgramThatIsNoNetwork) {
    const std::string path = address.substr(5);
    EXPECT_EQ(error_at(path, ""), "the network hung up");
    EXPECT_EQ(error_at(path, "HTTP/1.1 400 Bad Request"),
              "the network sent a record of 1347703880 bytes; is it another program?");
    EXPECT_EQ(error_at(path, std::string("\5\0\0\0\x2zzzz", 9)),
              "the network does not answer with a WELCOME of version 1");
}

TEST(SimicsAgent, NeedsALeaderAndAnEndpointOfALink) {
    fake_simics one(1000);
    conf_object_t* agent = stub_new(stub_class("sare_bridge_agent"));
    conf_object_t* endpoint = stub_new(stub_class("sare_bridge_agent"));  // Ethernet, but no endpoint
    EXPECT_EQ(stub_set(agent, "leader", endpoint), Sim_Set_Interface_Not_Found);
    EXPECT_EQ(stub_set(agent, "link", endpoint), Sim_Set_Interface_Not_Found);
    frags_t f;
    frags_init_add(&f, frame_bytes(1, 0, 64).data(), 64);
    const auto* i = static_cast<const ethernet_common_interface_t*>(
        SIM_c_get_interface(agent, ETHERNET_COMMON_INTERFACE));
    i->frame(agent, &f, Eth_Frame_CRC_Match);  // it hangs on nothing: it goes nowhere
    const class_info_t& info = *stub_info(agent);
    info.dealloc(agent);
    info.dealloc(endpoint);
}

/// A follower process, as it is called.
int follow(int port, const std::string& network_address, int node) {
    std::vector<std::string> words{"sare-follower",      "localhost",
                                   std::to_string(port), network_address,
                                   std::to_string(node), "02:00:00:00:00:0" + std::to_string(node)};
    std::vector<char*> pointers;
    for (auto& w : words) pointers.push_back(w.data());
    return sare_follower_main(static_cast<int>(pointers.size()), pointers.data());
}

TEST_F(Simics, LetsComputersPingEachOtherOverTheNetwork) {
    constexpr std::uint64_t rounds = 20, round_trip = 2 * (2 * fake_simics::latency + network + access);
    fake_simics one(1000), two(1001);
    std::uint64_t back = 0, last = 0;
    const std::string ping = frame_bytes(1, 0, 64), pong = frame_bytes(0, 1, 64);
    one.received = [&](std::uint64_t time, const std::string& f) {
        EXPECT_EQ(f, pong);
        last = time;
        if (++back == rounds) return one.quit();
        one.send(time, ping);
    };
    two.received = [&](std::uint64_t time, const std::string& f) {
        EXPECT_EQ(f, ping);
        two.send(time, pong);
    };
    one.send(0, ping);
    one.send(0, ping, 1);  // damaged: it goes nowhere
    run({[&] { EXPECT_EQ(follow(1000, address, 0), 0); }, [&] { EXPECT_EQ(follow(1001, address, 1), 0); }});
    EXPECT_EQ(error, "");
    EXPECT_EQ(back, rounds);
    EXPECT_EQ(last, rounds * round_trip);
    EXPECT_EQ(results.find("end")->text(), "'simics-0' has ended: Simics has quit");
    EXPECT_EQ(results.find("frames")->find("arrived")->text(), std::to_string(2 * rounds));
}

TEST_F(Simics, PadsShortFrames) {
    fake_simics one(1000), two(1001);
    std::string got;
    one.received = [](std::uint64_t, const std::string&) {};
    two.received = [&](std::uint64_t, const std::string& f) {
        got = f;
        two.quit();
    };
    one.send(0, frame_bytes(1, 0, 20));
    run({[&] { follow(1000, address, 0); }, [&] { follow(1001, address, 1); }});
    EXPECT_EQ(got, frame_bytes(1, 0, 20) + std::string(40, 0));
}

TEST_F(Simics, EndsAFollowerWithOneLine) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(follow(1002, address, 0), 1);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "sare-follower: no leader of Simics at localhost:1002\n");
    fake_simics one(1000);
    testing::internal::CaptureStderr();
    EXPECT_EQ(follow(1000, "tcp:127.0.0.1", 0), 1);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("sare-follower: no connection to tcp:127.0.0.1"),
              std::string::npos);
    testing::internal::CaptureStderr();
    EXPECT_EQ(follow(70000, address, 0), 2);
    EXPECT_EQ(testing::internal::GetCapturedStderr().substr(0, 6), "usage:");
    one.say_limit(1);
    testing::internal::CaptureStderr();
    one.say_limit(0);
    run({[&] { EXPECT_EQ(follow(1000, address, 0), 1); }});
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "sare-follower: the simulator takes back how far it lets the follower go\n");
}

}  // namespace
}  // namespace sare::simics_test
