// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/bridge/bridge_support.h"
#include "traffic/bridge/socket.h"
#include "traffic/bridge/wire.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>

/// Peers that do what they must not: one line, in time, and nothing hangs.
namespace sare::test::bridge_bad_test {
namespace {

using namespace traffic;
using wire::type;
using wire::writer;

/// A connection that says what it likes.
class raw {
  public:
    explicit raw(const std::string& address) {
        sockaddr_un a{};
        a.sun_family = AF_UNIX;
        address.copy(a.sun_path, sizeof a.sun_path - 1, 5);  // behind "unix:"
        for (int tries = 0; tries < 500; ++tries) {
            m_fd = socket(AF_UNIX, SOCK_STREAM, 0);
            if (connect(m_fd, reinterpret_cast<sockaddr*>(&a), sizeof a) == 0) return;
            ::close(m_fd);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    ~raw() { close(); }
    raw(const raw&) = delete;
    raw& operator=(const raw&) = delete;

    void say(const std::string& bytes) {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t n = send(m_fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
            if (n <= 0) return;
            done += static_cast<std::size_t>(n);
        }
    }
    /// Up to the record of this type; its body. "" when the other side hangs up.
    std::string hear(type t) {
        for (;;) {
            const std::string head = bytes(4);
            if (head.size() < 4) return "";
            const auto length = wire::reader(head.data(), 4).get<std::uint32_t>();
            const std::string body = bytes(length);
            if (body.size() < length) return "";
            if (body[0] == static_cast<char>(t)) return body;
        }
    }
    /// Stays until the other side hangs up.
    void listen() {
        char buffer[4096];
        while (recv(m_fd, buffer, sizeof buffer, 0) > 0) {
        }
    }
    void close() {
        if (m_fd >= 0) ::close(m_fd);
        m_fd = -1;
    }

  private:
    std::string bytes(std::size_t n) {
        std::string all(n, 0);
        std::size_t got = 0;
        while (got < n) {
            const ssize_t one = recv(m_fd, &all[got], n - got, 0);
            if (one <= 0) break;
            got += static_cast<std::size_t>(one);
        }
        all.resize(got);
        return all;
    }
    int m_fd = -1;
};

struct hello_fields {
    std::uint32_t magic = wire::magic;
    std::uint16_t version = wire::version, nodes = 1;
    double clock = 1e9;
    std::uint64_t quantum = 0, lookahead = 0;
    std::string name = "bad";
    std::uint32_t node = 0;
    std::uint8_t macs = 0;
    std::string more = {};
};

std::string hello(const hello_fields& h = {}) {
    std::uint64_t clock = 0;
    std::memcpy(&clock, &h.clock, 8);
    writer w(type::hello);
    w.put(h.magic).put(h.version).put(h.nodes).put(clock).put(h.quantum).put(h.lookahead);
    w.put(static_cast<std::uint8_t>(h.name.size())).put(h.name);
    for (int i = 0; i < h.nodes; ++i) w.put(h.node).put(h.macs);
    return w.put(h.more).finish();
}

std::string frame_at(std::uint64_t time, std::uint32_t place = 0, std::uint32_t length = 60,
                     std::size_t bytes = 60) {
    writer w(type::frame);
    w.put(time).put(place).put(frame::everybody).put(length).put(std::uint8_t{0});
    return w.put(std::string(bytes, 'x')).finish();
}

std::string record_of(std::uint32_t length, const std::string& body) {
    std::string all;
    for (int i = 0; i < 4; ++i) all += static_cast<char>(length >> (8 * i));
    return all + body;
}

/// What a bad client does with its connection, and what the run says of it.
struct bad {
    const char* name;
    std::function<void(raw&)> does;
    const char* said;
};
void PrintTo(const bad& b, std::ostream* out) {
    *out << b.name;
}

/// A good computer at node 1, which stays for so many slices.
script good(int slices, std::uint32_t node = 1) {
    return [=](const std::string& address) {
        client c(address, {{node}, true, 0, 0, "good"});
        std::uint64_t grant = 0;
        for (int i = 0; i < slices && c.is_open() && c.wait(grant); ++i) {
            c.send(grant - 1, 0, client::bytes(client::broadcast(), node, 60));
            c.done(grant);
        }
        c.close("enough");
    };
}

class BeforeTheRun : public testing::TestWithParam<bad> {};

/// The newcomer is refused; the run goes on without it when a good one has come in its place.
TEST_P(BeforeTheRun, IsRefusedAndTheRunGoesOn) {
    bridge_setting s;
    s.peers = "sessions=2 handshake_s=0.3";
    const bad& b = GetParam();
    const std::string text = run_bridge(s,
                                        {[&b](const std::string& address) {
                                             {
                                                 raw r(address);
                                                 b.does(r);
                                                 r.listen();
                                             }
                                             std::this_thread::sleep_for(std::chrono::milliseconds(100));
                                             good(5, 0)(address);
                                         },
                                         good(5)},
                                        [](const run_result& r) { return "slices " + figure(r, "slices"); });
    EXPECT_NE(text.find(std::string("was refused: ") + b.said), std::string::npos) << text;
    EXPECT_NE(text.find("\nslices 5"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Bridge, BeforeTheRun,
    testing::Values(
        bad{"garbage", [](raw& r) { r.say("GET / HTTP/1.0\r\n\r\n"); }, "it does not begin with a HELLO"},
        bad{"nothing", [](raw&) {}, "no HELLO within 0.3 s"},
        bad{"a_part", [](raw& r) { r.say(hello().substr(0, 20)); }, "no HELLO within 0.3 s"},
        bad{"hangs_up", [](raw& r) { r.close(); }, "it hung up before its HELLO was complete"},
        bad{"hangs_up_in_hello",
            [](raw& r) {
                r.say(hello().substr(0, 20));
                r.close();
            },
            "it hung up before its HELLO was complete"},
        bad{"absurd_length", [](raw& r) { r.say(record_of(0xffffffff, "\1")); },
            "it does not begin with a HELLO"},
        bad{"length_0", [](raw& r) { r.say(record_of(0, "")); }, "it does not begin with a HELLO"},
        bad{"frame_first", [](raw& r) { r.say(frame_at(0)); }, "it does not begin with a HELLO"},
        bad{"other_magic", [](raw& r) { r.say(hello({0x12345678})); }, "it speaks another protocol"},
        bad{"other_version",
            [](raw& r) {
                r.say(hello({wire::magic, 2}));
            },
            "it speaks version 2 of the protocol; this is version 1"},
        bad{"no_nodes",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 0}));
            },
            "it has 0 nodes; a session has 1 to 1024"},
        bad{"too_many_nodes",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1025}));
            },
            "it has 1025 nodes"},
        bad{"nodes_that_do_not_come",
            [](raw& r) {
                std::string h = hello();
                h[11] = 2;  // two nodes, one follows
                r.say(h);
            },
            "a record ends 4 bytes too early"},
        bad{"bytes_behind",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 0, 0, "bad", 0, 0, "xyz"}));
            },
            "a record has 3 bytes too many"},
        bad{"too_many_macs",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 0, 0, "bad", 0, 17}));
            },
            "17 MACs of a node; up to 16"},
        bad{"clock_not_a_number",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, NAN}));
            },
            "its clock must be of 0"},
        bad{"odd_name",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 0, 0, "a\nb"}));
            },
            "its name must be of 1"},
        bad{"no_name",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 0, 0, ""}));
            },
            "its name must be of 1"},
        bad{"other_quantum",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 999}));
            },
            "'bad' wants a quantum of 999 ps; this run's is 1000000 ps"},
        bad{"no_such_node",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 0, 0, "bad", 2}));
            },
            "there is no node 2; nodes are 0 to 1"},
        bad{"node_twice",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 2}));
            },
            "node 0 has its computer already"},
        bad{"more_nodes_than_there_are",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 3, 0, 0, 0, "bad", wire::any_node}));
            },
            "all 2 nodes"},
        bad{"group_mac",
            [](raw& r) {
                r.say(hello({wire::magic, 1, 1, 0, 0, 0, "bad", 0, 1, std::string("\x01\0\0\0\0\1", 6)}));
            },
            "the MAC 01:00:00:00:00:01 is one of a group"}),
    [](const auto& i) { return std::string(i.param.name); });

class DuringTheRun : public testing::TestWithParam<bad> {
  protected:
    std::string run(const std::string& traffic) const {
        bridge_setting s;
        s.traffic = "quantum=1000 reply_s=0.5 max_slice_bytes=100000 " + traffic;
        const bad& b = GetParam();
        return run_bridge(s,
                          {[&b](const std::string& address) {
                               raw r(address);
                               r.say(hello());
                               r.hear(type::grant);
                               b.does(r);
                               r.listen();
                           },
                           good(1000)},
                          [](const run_result& r) {
                              return "slices " + figure(r, "slices") + ", lost " +
                                     figure(r, "frames.lost_in_network");
                          });
    }
};

TEST_P(DuringTheRun, EndsItWithOneLine) {
    const std::string text = run("");
    const std::string line = "error: test.yaml:1:1: bridge: 'bad' (node 0), slice ";
    EXPECT_EQ(text.substr(0, line.size()), line) << text;
    EXPECT_NE(text.find(GetParam().said), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_P(DuringTheRun, IsCutOffIfWished) {
    const std::string text = run("cut_off=true");
    EXPECT_EQ(text.rfind("warning: bridge: 'bad' (node 0), slice ", 0), 0U) << text;
    EXPECT_NE(text.find(GetParam().said), std::string::npos) << text;
    EXPECT_NE(text.find("; it is cut off\nslices 1000, lost 0"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Bridge, DuringTheRun,
    testing::Values(
        bad{"dies", [](raw& r) { r.close(); }, "it is gone without a word"},
        bad{"dies_in_a_record",
            [](raw& r) {
                r.say(frame_at(0).substr(0, 30));
                r.close();
            },
            "it is gone without a word"},
        bad{"stalls", [](raw&) {}, "it has not run slice 0 within 0.5 s"},
        bad{"stalls_in_a_record", [](raw& r) { r.say(frame_at(0).substr(0, 30)); },
            "it has not run slice 0 within 0.5 s"},
        bad{"says_hello_again", [](raw& r) { r.say(hello()); },
            "a record of type 1, which it may not send now"},
        bad{"grants", [](raw& r) { r.say(wire::time_record(type::grant, 5)); }, "a record of type 6, which"},
        bad{"unknown_type", [](raw& r) { r.say(record_of(1, "\x63")); }, "a record of type 99, which"},
        bad{"garbage", [](raw& r) { r.say("GET / HTTP/1.0\r\n\r\n"); },
            "a record of 542393671 bytes; it has 1 to"},
        bad{"length_0", [](raw& r) { r.say(record_of(0, "")); }, "a record of 0 bytes"},
        bad{"absurd_length", [](raw& r) { r.say(record_of(0x7fffffff, "\4")); },
            "a record of 2147483647 bytes"},
        bad{"short_done", [](raw& r) { r.say(record_of(5, "\5abcd")); }, "a record ends 4 bytes too early"},
        bad{"long_done", [](raw& r) { r.say(writer(type::done).put(std::uint64_t{5}).put(7U).finish()); },
            "a record has 4 bytes too many"},
        bad{"done_in_the_far_future", [](raw& r) { r.say(wire::time_record(type::done, ~std::uint64_t{0})); },
            "'done' at 18446744073709551615 ps, but it may run up to 1000000 ps only"},
        bad{"done_in_the_past",
            [](raw& r) {
                r.say(wire::time_record(type::done, 1000000));
                r.hear(type::grant);
                r.say(wire::time_record(type::done, 999999));
            },
            "'done' at 999999 ps, but it has run up to 1000000 ps before"},
        bad{"frame_in_the_past",
            [](raw& r) {
                r.say(wire::time_record(type::done, 1000000));
                r.hear(type::grant);
                r.say(frame_at(999999));
            },
            "a frame at 999999 ps, but it has run up to 1000000 ps before"},
        bad{"frame_in_the_far_future", [](raw& r) { r.say(frame_at(1000001)); },
            "a frame at 1000001 ps, but it may run up to 1000000 ps only"},
        bad{"frames_out_of_order", [](raw& r) { r.say(frame_at(500) + frame_at(499)); },
            "a frame of node 0 at 499 ps behind one at 500 ps"},
        bad{"frame_of_nobody", [](raw& r) { r.say(frame_at(0, 1)); }, "a frame of its node 1; it has 1"},
        bad{"frame_too_short", [](raw& r) { r.say(frame_at(0, 0, 13, 13)); },
            "a frame of 13 bytes; it has 14 to"},
        bad{"frame_too_long", [](raw& r) { r.say(frame_at(0, 0, 9217, 9217)); },
            "a frame of 9217 bytes; it has 14 to 9216"},
        bad{"frame_shorter_than_it_says", [](raw& r) { r.say(frame_at(0, 0, 60, 59)); },
            "a record ends 1 bytes too early"},
        bad{"frame_claims_4_GiB", [](raw& r) { r.say(frame_at(0, 0, ~0U, 60)); }, "bytes too early"},
        bad{"meta_for_nobody",
            [](raw& r) {
                r.say(writer(type::frame)
                          .put(std::uint64_t{0})
                          .put(0U)
                          .put(77U)
                          .put(64U)
                          .put(std::uint8_t{1})
                          .put(std::uint64_t{1})
                          .finish());
            },
            "a frame for node 77; nodes are 0 to 1"},
        bad{"neither_bytes_nor_meta",
            [](raw& r) {
                std::string f = frame_at(0);
                f[25] = 2;
                r.say(f);
            },
            "a frame is neither bytes (0) nor meta-information (1)"},
        bad{"floods",
            [](raw& r) {
                for (int i = 0; i < 3000; ++i) r.say(frame_at(0));
            },
            "more than 100000 bytes of frames in a slice"},
        bad{"region_in_the_future", [](raw& r) { r.say(wire::time_record(type::roi_begin, 2000000)); },
            "the region's begin at 2000000 ps, but it may run"}),
    [](const auto& i) { return std::string(i.param.name); });

TEST(BridgeFails, WhenSessionsAreMissing) {
    bridge_setting s;
    s.traffic = "join_s=0.3";
    const std::string text = run_bridge(s, {good(5)}, [](const run_result&) { return ""; });
    EXPECT_EQ(
        text.rfind("error: test.yaml:1:1: bridge: after 0.3 s there are 1 of 2 sessions at unix:/tmp/", 0),
        0U)
        << text;
}

TEST(BridgeFails, WhenOneLeavesBeforeTheRun) {
    bridge_setting s;
    const std::string text = run_bridge(s, {good(0)}, [](const run_result&) { return ""; });
    EXPECT_EQ(text, "error: test.yaml:1:1: bridge: 'good' left before the run began: enough");
}

TEST(BridgeFails, WhenItsParametersAreWrong) {
    const auto error = [](const std::string& traffic, const std::string& peers,
                          const std::string& network = "mesh dims=2") {
        bridge_setting s;
        s.network = network;
        s.traffic = traffic;
        s.peers = peers;
        return in_child([&] {
            simulation(s.make()).run(s.make());
            return std::string("ran");
        });
    };
    EXPECT_EQ(error("", "sessions=0").rfind("error: test.yaml:2:1: 'sessions' is 0; it must", 0), 0U);
    EXPECT_EQ(error("", "sesions=2").rfind("error: test.yaml:2:1: unknown key 'sesions' in 'sare'; ", 0), 0U);
    EXPECT_EQ(error("quantum=0", "").rfind("error: test.yaml:2:1: 'quantum' is 0; it must", 0), 0U);
    EXPECT_NE(error("", "", "mesh dims=1").find("needs a network of 2 nodes or more"), std::string::npos)
        << error("", "", "mesh dims=1");
}

TEST(SocketAddress, IsOnThisMachineUnlessSaidOtherwise) {
    const auto read = [](const std::string& text, bool anywhere = false) {
        try {
            return socket_address::read(text, {"f.yaml", 3, 5}, anywhere).text();
        } catch (const config::error& e) {
            return std::string(e.what());
        }
    };
    EXPECT_EQ(read("/tmp/x"), "unix:/tmp/x");
    EXPECT_EQ(read("unix:x"), "unix:x");
    EXPECT_EQ(read("tcp:localhost:80"), "tcp:localhost:80");
    EXPECT_EQ(read("tcp:127.0.0.1:0"), "tcp:127.0.0.1:0");
    EXPECT_EQ(read("tcp:0.0.0.0:80").substr(0, 57),
              "f.yaml:3:5: 'tcp:0.0.0.0:80' is reached from other machin");
    EXPECT_EQ(read("tcp:0.0.0.0:80", true), "tcp:0.0.0.0:80");
    for (const char* wrong : {"tcp:", "tcp:80", "tcp:host:", "tcp:host:70000", "tcp:host:8x", "tcp::80"})
        EXPECT_NE(read(wrong).find("is no address; write tcp:HOST:PORT"), std::string::npos) << read(wrong);
    EXPECT_NE(read(std::string(200, 'x')).find("has 1 to 107 characters"), std::string::npos);
    const config::location at{"f.yaml", 3, 5};
    EXPECT_EQ(socket_address::read("x", at, false, "/of/the/file").text(), "unix:/of/the/file/x");
    EXPECT_THROW(socket_address::read(std::string(60, 'x'), at, false, "/" + std::string(60, 'y')),
                 config::error)
        << "the whole path counts";
}

TEST(SocketAddress, IsRefusedWhereNobodyCanListen) {
    try {
        listener(socket_address::read("/not/there/x", {}, false), {"f.yaml", 3, 5});
        FAIL();
    } catch (const config::error& e) {
        EXPECT_STREQ(e.what(), "f.yaml:3:5: cannot listen at unix:/not/there/x: No such file or directory");
    }
}

}  // namespace
}  // namespace sare::test::bridge_bad_test
