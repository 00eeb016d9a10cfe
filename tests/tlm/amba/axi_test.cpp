// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/axi_support.h"

/// AXI4 at the network's edge: bursts, beats, order, exclusive accesses, errors, and what is refused.
namespace sare::test::axi_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// ---- bursts ----------------------------------------------------------------------------------------------

TEST(axi, TouchesTheRightBytesInBurstsOfAllTypes) {
    axi_pair<64, phase_subordinate<64>> s;
    auto& bytes = s.memory.bytes;
    s.run([&](phase_manager<64>& cpu) {
        cpu.begin(s.make(true, 0x10000, axi::burst::incr, 3, 4));   // 32 bytes at 0
        cpu.begin(s.make(true, 0x10103, axi::burst::incr, 2, 2));   // 1, then 4: bytes 3 to 7
        cpu.begin(s.make(true, 0x10218, axi::burst::wrap, 3, 4));   // from 0x18 of 0x00 to 0x1f
        cpu.begin(s.make(true, 0x10300, axi::burst::fixed, 1, 3));  // the last beat stays
        cpu.begin(s.make(true, 0x10fe0, axi::burst::incr, 3, 4));   // up to the 4 KiB
        cpu.begin(s.make(true, 0x13ff8, axi::burst::wrap, 3, 2));   // round the range's end
        cpu.finish();
        for (const bool wrap : {false, true}) {
            transaction& t =
                s.make(false, 0x10208, wrap ? axi::burst::wrap : axi::burst::incr, 3, wrap ? 4 : 3);
            cpu.on_response = [&](transaction& r) {
                EXPECT_EQ(r.get_extension<axi::extension>()->type == axi::burst::wrap, wrap);
                EXPECT_EQ(r.data[0], 17) << wrap;  // 0x208
                EXPECT_EQ(r.data[16], 1) << wrap;  // 0x218
                EXPECT_EQ(r.data.back(), wrap ? 16 : 8);
            };
            cpu.begin(t);
            cpu.finish();
        }
    });
    EXPECT_EQ(s.memory.types, (std::set<axi::burst>{axi::burst::fixed, axi::burst::incr}));
    EXPECT_EQ(bytes[31], 32);
    EXPECT_EQ(std::vector<unsigned char>(bytes.begin() + 0x102, bytes.begin() + 0x109),
              (std::vector<unsigned char>{0, 1, 2, 3, 4, 5, 0}));
    EXPECT_EQ(bytes[0x218], 1);
    EXPECT_EQ(bytes[0x200], 9);
    EXPECT_EQ(bytes[0x217], 32);
    EXPECT_EQ(std::vector<unsigned char>(bytes.begin() + 0x300, bytes.begin() + 0x303),
              (std::vector<unsigned char>{5, 6, 0}));
    EXPECT_EQ(bytes[0xfff], 32);
    EXPECT_EQ(bytes[0x3ff0], 9);
    EXPECT_EQ(bytes[0x3fff], 8);
}

/// Each breaks one rule, and gets SLVERR; what no subordinate has gets DECERR.
TEST(axi, AnswersBrokenRulesByAnErrorResponse) {
    axi_pair<64, phase_subordinate<64>> s;
    phase_manager<64> raw("raw");  // without a checker
    raw.socket.bind(s.near_bridge.managers);
    struct burst_case {
        std::uint64_t address;
        axi::burst type;
        unsigned size, beats;
        axi::response resp;
        unsigned id = 0;
    };
    const std::vector<burst_case> cases = {
        {0x10000, axi::burst::incr, 4, 1, axi::response::slverr},  // wider than the bus
        {0x10000, axi::burst::fixed, 2, 17, axi::response::slverr},
        {0x10000, axi::burst::wrap, 2, 3, axi::response::slverr},
        {0x10002, axi::burst::wrap, 2, 4, axi::response::slverr},  // not at a beat
        {0x10ff8, axi::burst::incr, 3, 2, axi::response::slverr},  // crosses 4 KiB
        {0x10000, axi::burst::incr, 3, 1, axi::response::slverr, 0x10000},
        {0x20000, axi::burst::incr, 3, 1, axi::response::decerr},
        {0xfff8, axi::burst::incr, 3, 1, axi::response::decerr},
        {0x13ff8, axi::burst::incr, 3, 1, axi::response::okay}};
    bool over = false;
    raw.body = [&](phase_manager<64>&, bool writes) {
        if (writes) return;
        for (const burst_case& c : cases)
            for (const bool write : {false, true}) {
                transaction& b = s.make(write, c.address, c.type, c.size, c.beats, c.id);
                sc_time delay = sc_core::SC_ZERO_TIME;
                raw.socket->b_transport(b, delay);
                EXPECT_EQ(resp_of(b), c.resp) << &c - cases.data();
                EXPECT_EQ(b.is_response_ok(), c.resp == axi::response::okay);
                b.release();
            }
        over = true;
    };
    sc_core::sc_start();
    EXPECT_TRUE(over);
}

// ---- channels and time -----------------------------------------------------------------------------------

TEST(axi, MovesABeatACycle) {
    axi_pair<64, phase_subordinate<64>> s;
    s.run([&](phase_manager<64>& cpu) {
        const sc_time before = sc_core::sc_time_stamp();
        cpu.begin(s.make(true, 0x10000, axi::burst::incr, 3, 8));
        EXPECT_EQ(sc_core::sc_time_stamp() - before, sc_time(8, SC_NS));
        cpu.finish();
        cpu.begin(s.make(false, 0x10000, axi::burst::incr, 3, 8));
        cpu.finish();
        ASSERT_EQ(cpu.beats.size(), 8U);
        for (unsigned k = 1; k < 8; ++k) EXPECT_EQ(cpu.beats[k] - cpu.beats[k - 1], sc_time(1, SC_NS));
    });
}

/// The subordinate takes no write data before it has been read; windows and what it takes at once are full.
TEST(axi, LetsReadsPassStalledWrites) {
    axi::bridge_params one = axi_pair<64>::by_phases(), few;
    one.at_once = 1;
    one.window = 1;
    few.outstanding = 2;
    axi_pair<64, phase_subordinate<64>> s(10, one, few);
    s.memory.writes_stall = true;
    unsigned writes_done = 0, reads_done = 0;
    s.cpu.on_response = [&](transaction& t) { ++(t.is_read() ? reads_done : writes_done); };
    s.cpu.body = [&](phase_manager<64>& cpu, bool writes) {
        if (!writes) {
            sc_core::wait(sc_time(500, SC_NS));
            EXPECT_EQ(writes_done, 0U);
        }
        for (unsigned k = 0; k < (writes ? 6U : 1U); ++k)
            cpu.begin(s.make(writes, 0x10000 + 64 * k, axi::burst::incr, 3, 4, k % 2));
    };
    sc_core::sc_start();
    EXPECT_EQ(writes_done, 6U);
    EXPECT_EQ(reads_done, 1U);
    s.checkers.look();
}

/// Managers of one ID are different ones to the subordinate.
TEST(axi, ShowsSubordinatesWhichManagerItIs) {
    axi_pair<64, phase_subordinate<64>> s;
    phase_manager<64> other("other");
    s.checkers.between<64>(other.socket, s.near_bridge.managers);
    other.body = [&](phase_manager<64>& cpu, bool writes) {
        if (!writes) return;
        transaction& t = cpu.pool.take(true, 0x10080, 1);
        make_burst(t, axi::burst::incr, 3, 1, 7);
        cpu.begin(t);
    };
    std::uint32_t id_back = 0;
    s.cpu.on_response = [&](transaction& t) { id_back = t.get_extension<axi::extension>()->id; };
    s.run([&](phase_manager<64>& cpu) {
        cpu.begin(s.make(true, 0x10000, axi::burst::incr, 3, 1, 7));
        cpu.finish();
    });
    EXPECT_EQ(id_back, 7U);
    EXPECT_EQ(s.memory.ids, (std::set<std::uint32_t>{7U, 1U << 16 | 7U}));
}

// ---- exclusive accesses ----------------------------------------------------------------------------------

/// Threads, each an ID of its own, that count in the same word: load and store exclusively until it is done.
TEST(axi, CountsByExclusiveAccesses) {
    constexpr unsigned threads = 4, times = 50;
    axi_pair<64, phase_subordinate<64>> s;
    unsigned failed = 0;
    const auto exclusive = [&](bool write, unsigned id, std::uint64_t& word) {
        transaction& t = s.make(write, 0x10040, axi::burst::incr, 3, 1, id);
        t.get_extension<axi::extension>()->exclusive = true;
        std::memcpy(t.data.data(), &word, 8);
        s.access(t);
        EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
        std::memcpy(&word, t.data.data(), 8);
        const bool done = resp_of(t) == axi::response::exokay;
        EXPECT_TRUE(write || done);
        t.release();
        return done;
    };
    for (unsigned id = 0; id < threads; ++id)
        sc_core::sc_spawn([&, id] {
            for (unsigned k = 0; k < times; ++k)
                for (;;) {
                    std::uint64_t word = 0;
                    exclusive(false, id, word);
                    ++word;
                    if (exclusive(true, id, word)) break;
                    ++failed;
                    sc_core::wait(sc_time(1 + (id * 37 + failed * 13) % 97, SC_NS));
                }
        });
    sc_core::sc_start();
    std::uint64_t word = 0;
    std::memcpy(&word, s.memory.bytes.data() + 0x40, 8);
    EXPECT_EQ(word, threads * times);
    EXPECT_GT(failed, 0U);
    s.checkers.look();
}

/// To the network the bridge says them of its own.
TEST(axi, LeavesExtensionsOfTheNetworkToTheManager) {
    axi_pair<> s;
    s.run([&](phase_manager<>&) {
        transaction& t = s.make(true, 0x10000, axi::burst::incr, 3, 1, 9);
        t.set_auto_extension(new access_id(5));
        t.set_auto_extension(new access_options);
        t.get_extension<access_options>()->agent = 7;
        s.access(t);
        EXPECT_EQ(id_of(t), 5U);
        EXPECT_EQ(t.get_extension<access_options>()->agent, 7U);
        t.release();
    });
}

/// A plain write ends a reservation; one beside it does not.
TEST(axi, EndsAReservationByAWrite) {
    axi_pair<64, phase_subordinate<64>> s;
    const auto access = [&](bool write, std::uint64_t address, unsigned id, bool exclusive) {
        transaction& t = s.make(write, address, axi::burst::incr, 3, 1, id);
        t.get_extension<axi::extension>()->exclusive = exclusive;
        s.access(t);
        const axi::response resp = resp_of(t);
        t.release();
        return resp;
    };
    bool over = false;
    sc_core::sc_spawn([&] {
        EXPECT_EQ(access(true, 0x10040, 1, true), axi::response::okay);  // nothing is reserved
        EXPECT_EQ(s.memory.bytes[0x40], 0);
        EXPECT_EQ(access(false, 0x10040, 1, true), axi::response::exokay);
        EXPECT_EQ(access(true, 0x10048, 2, false), axi::response::okay);
        EXPECT_EQ(access(true, 0x10040, 1, true), axi::response::exokay);
        EXPECT_EQ(access(false, 0x10040, 1, true), axi::response::exokay);
        EXPECT_EQ(access(true, 0x10044, 2, false), axi::response::okay);
        EXPECT_EQ(access(true, 0x10040, 1, true), axi::response::okay);
        EXPECT_EQ(access(false, 0x10040, 1, false), axi::response::okay);
        over = true;
    });
    sc_core::sc_start();
    EXPECT_TRUE(over);
}

// ---- modes -----------------------------------------------------------------------------------------------

/// Without other traffic an estimated burst takes as long as an exact one, and a functional one no network
/// time.
TEST(axi, TakesTheTimesOfEachAccessMode) {
    axi_pair<64, blocking_words<64>> blocking(10, {});
    std::map<access_mode, sc_time> took;
    sc_core::sc_spawn([&] {
        for (const access_mode mode : {access_mode::exact, access_mode::estimate, access_mode::functional}) {
            blocking.near_bridge.set_mode(mode);
            for (const bool write : {true, false}) {
                transaction& t = blocking.make(write, 0x10018, axi::burst::wrap, 3, 4);
                const auto sent = t.data;
                if (!write) std::fill(t.data.begin(), t.data.end(), 0);
                sc_time delay = sc_core::SC_ZERO_TIME;
                const sc_time before = sc_core::sc_time_stamp();
                blocking.cpu.socket->b_transport(t, delay);
                sc_core::wait(delay);
                took[mode] += sc_core::sc_time_stamp() - before;
                EXPECT_EQ(resp_of(t), axi::response::okay);
                EXPECT_EQ(t.data, sent);
                EXPECT_EQ(blocking.memory.bytes[0x18], 1);
                t.release();
            }
        }
    });
    sc_core::sc_start();
    EXPECT_EQ(took[access_mode::exact], took[access_mode::estimate]);
    EXPECT_EQ(took[access_mode::functional], sc_time(2 * (10 + 5), SC_NS));
    blocking.checkers.look();
}

struct classes_seen final : observer {
    std::set<std::pair<std::uint32_t, bool>> all;  ///< class, and whether towards the subordinate
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override {}
    void message_consumed(const message_record& m, cycle_t) override {
        all.insert({m.what.message_class, m.what.destination == 3});
    }
};

TEST(axi, MapsQosToAMessageClass) {
    hand_mesh net("net", 2, 2, with_vcs(4), 4);
    memory_map map(net.engine, {{0, 0x1000, 3}});
    axi::bridge_params p;
    p.request_classes = {0, 0, 0, 0, 1};
    p.response_classes = {2, 2, 2, 2, 3};
    axi::bridge<> near_bridge("near", net.nics[0], map, p), far_bridge("far", net.nics[3], map, p);
    phase_manager<> cpu("cpu");
    phase_subordinate<> memory("memory", 0x1000, always(5));
    cpu.socket.bind(near_bridge.managers);
    far_bridge.subordinates.bind(memory.socket);
    classes_seen seen;
    net.engine.set_observer(&seen);
    bool over = false;
    sc_core::sc_spawn([&] {
        for (const unsigned qos : {0U, 15U}) {
            seen.all.clear();
            transaction& t = cpu.pool.take(true, 0, 1);
            make_burst(t, axi::burst::incr, 3, 4).qos = static_cast<std::uint8_t>(qos);
            sc_time delay = sc_core::SC_ZERO_TIME;
            cpu.socket->b_transport(t, delay);
            t.release();
            using set = std::set<std::pair<std::uint32_t, bool>>;
            EXPECT_EQ(seen.all, qos == 0 ? (set{{0, true}, {2, false}}) : (set{{1, true}, {3, false}}));
        }
        over = true;
    });
    sc_core::sc_start();
    EXPECT_TRUE(over);
}

/// What estimated times are learned from goes the way of the accesses.
TEST(axi, SendsProbesInTheClassOfTheQos) {
    hand_mesh net("net", 2, 2, with_vcs(4), 4);
    memory_map map(net.engine, {{0, 0x1000, 3}});
    axi::bridge_params p;
    p.request_classes = {0, 1};
    p.response_classes = {2, 3};
    p.mode = access_mode::estimate;
    axi::bridge<> near_bridge("near", net.nics[0], map, p), far_bridge("far", net.nics[3], map, p);
    phase_manager<> cpu("cpu");
    blocking_words<64> memory("memory", 0x1000, always(5));
    cpu.socket.bind(near_bridge.managers);
    far_bridge.subordinates.bind(memory.socket);
    classes_seen seen;
    net.engine.set_observer(&seen);
    sc_core::sc_spawn([&] {
        transaction& t = cpu.pool.take(true, 0, 1);
        make_burst(t, axi::burst::incr, 3, 4).qos = 15;
        sc_time delay = sc_core::SC_ZERO_TIME;
        cpu.socket->b_transport(t, delay);
        t.release();
    });
    sc_core::sc_start();
    EXPECT_EQ(seen.all, (std::set<std::pair<std::uint32_t, bool>>{{1, true}, {3, false}}));
}

TEST(axi, RefusesRequestsAndResponsesInOneClass) {
    hand_mesh one("one", 2, 2, {}), two("two", 2, 2, with_vcs(2), 2);
    memory_map map1(one.engine, {}), map2(two.engine, {});
    EXPECT_EQ(report_of([&] { axi::bridge<> b("b", one.nics[0], map1); }),
              "b: requests and responses share message class 0, where they would wait for each other; a "
              "network of 2 "
              "classes has one for each");
    axi::bridge_params p;
    p.request_classes = {0, 1};
    EXPECT_EQ(report_of([&] { axi::bridge<> b("c", two.nics[0], map2, p); }),
              "c: requests and responses share message class 1, where they would wait for each other; a "
              "network of 2 "
              "classes has one for each");
    p.request_classes = {0, 2};
    EXPECT_EQ(report_of([&] { axi::bridge<> b("d", two.nics[0], map2, p); }),
              "d: message class 2 is asked for, and the network has 2");
}

/// Every node is manager and subordinate, buffers have one place, subordinates are slow: the network is full
/// of both kinds of messages, both ways, and all comes to its end.
TEST(axi, FinishesInANetworkFullOfRequestsAndResponses) {
    router_params small = with_vcs(2);
    small.depth = 1;
    hand_mesh net("net", 3, 3, small, 2);
    std::vector<address_range> ranges;
    for (std::uint32_t n = 0; n < 9; ++n) ranges.push_back({0x1000 * n, 0x1000, n});
    memory_map map(net.engine, ranges);
    axi::bridge_params p;
    p.timing = memory_timing::phases;
    p.outstanding = 64;
    std::deque<axi::bridge<>> bridges;
    std::deque<phase_manager<>> managers;
    std::deque<phase_subordinate<>> memories;
    axi_checkers checkers;
    unsigned done = 0;
    for (std::uint32_t n = 0; n < 9; ++n) {
        const std::string number = std::to_string(n);
        bridges.emplace_back(("b" + number).c_str(), net.nics[n], map, p);
        managers.emplace_back(("m" + number).c_str());
        memories.emplace_back(("s" + number).c_str(), 0x1000, always(3));
        checkers.between<64>(managers[n].socket, bridges[n].managers);
        checkers.between<64>(bridges[n].subordinates, memories[n].socket);
        managers[n].on_response = [&](transaction&) { ++done; };
        managers[n].body = [n](phase_manager<>& cpu, bool writes) {
            for (unsigned k = 0; k < 100; ++k) {
                transaction& t = cpu.pool.take(writes, 0x1000 * ((n + k) % 9) + 256 * (k % 8), 1);
                make_burst(t, axi::burst::incr, 3, 32, k % 16);
                cpu.begin(t);
            }
            cpu.finish();
        };
    }
    sc_core::sc_start();
    EXPECT_EQ(done, 1800U);
    checkers.look();
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
    for (const auto& b : bridges) EXPECT_LE(b.subordinate_counts_of(0).most_held, p.window * 18);
}

// ---- the checker -----------------------------------------------------------------------------------------

/// Each plants one violation, and it is found.
struct axi_rules : testing::Test {
    axi::checker_rules rules{8};
    transaction_pool pool;
    sc_time now = sc_core::SC_ZERO_TIME;

    transaction& make(bool write, unsigned beats, std::uint32_t id = 0, std::uint64_t address = 0x100,
                      axi::burst type = axi::burst::incr) {
        transaction& t = pool.take(write, address, 1);
        make_burst(t, type, 3, beats, id);
        return t;
    }
    void tell(transaction& t, const tlm::tlm_phase& phase) {
        rules.phase(t, phase, now += sc_time(1, SC_NS));
    }
    void request(transaction& t) {
        tell(t, tlm::BEGIN_REQ);
        tell(t, tlm::END_REQ);
    }
    void respond(transaction& t) {
        t.set_response_status(tlm::TLM_OK_RESPONSE);
        tell(t, tlm::BEGIN_RESP);
        tell(t, tlm::END_RESP);
    }
    void found(const std::string& rule) {
        ASSERT_FALSE(rules.violations.empty());
        EXPECT_NE(rules.violations.front().find(rule), std::string::npos) << rules.violations.front();
    }
};

TEST_F(axi_rules, FindsNothingWhereNothingIsWrong) {
    transaction &read = make(false, 2, 1), &other = make(false, 1, 2), &write = make(true, 2, 1);
    request(read);
    request(other);
    tell(write, axi::BEGIN_PARTIAL_REQ);
    tell(write, axi::END_PARTIAL_REQ);
    request(write);
    respond(other);  // of another ID
    tell(read, axi::BEGIN_PARTIAL_RESP);
    respond(write);
    tell(read, axi::END_PARTIAL_RESP);
    respond(read);
    EXPECT_EQ(rules.violations, std::vector<std::string>());
    EXPECT_EQ(rules.open(), 0U);
}
TEST_F(axi_rules, FindsABurstAcross4KiB) {
    request(make(false, 4, 0, 0xff0));
    found("4 KiB");
}
TEST_F(axi_rules, FindsAWrapOfThreeBeats) {
    request(make(false, 3, 0, 0x100, axi::burst::wrap));
    found("WRAP");
}
TEST_F(axi_rules, FindsTooFewWriteBeats) {
    request(make(true, 2));
    found("as many beats");
}
TEST_F(axi_rules, FindsTooManyReadBeats) {
    transaction& t = make(false, 1);
    request(t);
    tell(t, axi::BEGIN_PARTIAL_RESP);
    found("as many beats");
}
TEST_F(axi_rules, FindsMixedWriteData) {
    transaction &a = make(true, 2), &b = make(true, 1);
    tell(a, axi::BEGIN_PARTIAL_REQ);
    tell(a, axi::END_PARTIAL_REQ);
    tell(b, tlm::BEGIN_REQ);
    found("mixed");
}
TEST_F(axi_rules, FindsAResponseOutOfOrder) {
    transaction &a = make(false, 1, 5), &b = make(false, 1, 5);
    request(a);
    request(b);
    respond(b);
    found("overtakes");
}
TEST_F(axi_rules, FindsAnEarlyResponse) {
    transaction& t = make(true, 2);
    tell(t, axi::BEGIN_PARTIAL_REQ);
    tell(t, axi::END_PARTIAL_REQ);
    respond(t);
    found("before the last beat");
}
TEST_F(axi_rules, FindsABeatBeforeTheEndOfAnother) {
    transaction &a = make(false, 1), &b = make(false, 1);
    tell(a, tlm::BEGIN_REQ);
    tell(b, tlm::BEGIN_REQ);
    found("before the one before has ended");
}
TEST_F(axi_rules, FindsEXOKAYThatNobodyAskedFor) {
    transaction& t = make(false, 1);
    request(t);
    t.get_extension<axi::extension>()->resp = axi::response::exokay;
    respond(t);
    found("EXOKAY");
}
TEST_F(axi_rules, FindsAttributesThatChange) {
    transaction& t = make(false, 1);
    request(t);
    t.set_address(0x108);
    respond(t);
    found("attributes");
}

}  // namespace
}  // namespace sare::test::axi_test
