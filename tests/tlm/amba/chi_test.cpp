// SPDX-License-Identifier: Apache-2.0
#include "tests/support/told_traffic.h"
#include "tests/tlm/amba/chi_support.h"

/// CHI at the network's edge: channels and their classes, flows with and without coherence, retries, and what
/// the checkers find.
namespace sare::test::chi_test {
namespace {

using chi::flit;

// ---- transport -------------------------------------------------------------------------------------------

TEST(chi, NeedsAMessageClassForEachChannel) {
    hand_mesh two("two", 2, 2, with_vcs(2), 2), four("four", 2, 2, with_vcs(4), 4);
    const std::string of_four = "the CHI transport of four_engine: ";
    EXPECT_EQ(report_of([&] { chi::transport t(two.engine); }),
              "the CHI transport of two_engine: CHI needs a message class for each of REQ, RSP, DAT and SNP, "
              "and the network has 2");
    chi::transport_params p;
    p.classes = {0, 1, 2, 2};
    EXPECT_EQ(report_of([&] { chi::transport t(four.engine, p); }),
              of_four + "two of CHI's channels share a message class, where they would wait for each other");
    p.classes = {0, 1, 2, 4};
    EXPECT_EQ(report_of([&] { chi::transport t(four.engine, p); }),
              of_four + "message class 4 is asked for, and the network has 4");
    p = {};
    p.bus_bytes = 48;
    EXPECT_EQ(report_of([&] { chi::transport t(four.engine, p); }),
              of_four + "bus_bytes is 48; DAT carries 16, 32 or 64");
}

/// A node sends no more than it has credits for, to a node that takes nothing meanwhile: the rest waits in
/// it.
TEST(chi, SendsNoMoreThanItsLinkCredits) {
    chi_system s(0, 1, 1, 32, {}, {}, 1, 2, 3);
    std::uint64_t most = 0;
    s.scripts[1].on_flit = [&](const flit&) { most = std::max(most, s.transport.in_flight()); };
    sc_core::sc_spawn([&] {
        for (unsigned k = 0; k < 40; ++k)
            s.scripts[0].send(flit::make(chi::rsp::snp_resp, 1, static_cast<std::uint16_t>(k)));
    });
    sc_core::sc_start();
    EXPECT_EQ(s.scripts[1].got.size(), 40U);
    EXPECT_LE(most, 3U);
    EXPECT_EQ(s.scripts[0].most_waiting(), 37U);
}

/// Parameters and fields that no DAT flit has.
TEST(chi, RefusesPacketsThatDoNotFitTheBus) {
    EXPECT_EQ(report_of([] { chi_script odd("odd", 48); }), "odd: bus_bytes is 48; DAT carries 16, 32 or 64");
    chi_system s(0, 1, 1, 32, {}, {}, 1, 1);
    std::string said;
    sc_core::sc_spawn([&] {
        flit f = flit::make(chi::dat::snp_resp_data, 15, 0);
        f.data_id = 1;
        said = report_of([&] { s.scripts[0].send(f); });
    });
    sc_core::sc_start();
    EXPECT_EQ(said, "interface0: DataID 1, where no packet of 32 bytes begins");
}

/// Traffic that ends soon, and an engine that ends with it: but not before requests have been answered,
/// with no flit on its way while the memory is at it.
TEST(chi, LetsTheEngineEndOnceRequestsAreAnswered) {
    chi_system s(1, 1, 1, 32, {}, {});
    s.rams[0].takes = always(2000);
    told_messages traffic(1, 10, 0, 1);  // none, until cycle 10
    bool over = false;
    sc_core::sc_spawn([&] {
        unsigned char byte = 0;
        EXPECT_EQ(s.cpus[0].access(false, 0x40, &byte, 1), tlm::TLM_OK_RESPONSE);
        EXPECT_FALSE(s.net.engine.finished());
        over = true;
    });
    s.net.engine.set_workload(traffic, true);
    sc_core::sc_start();
    EXPECT_TRUE(over);
    EXPECT_TRUE(s.net.engine.finished());
    EXPECT_EQ(s.transport.open(), 0U);
}

/// Nothing is on its way, but caches and homes have state that a checkpoint would not have.
TEST(chi, RefusesACheckpoint) {
    chi_system s(1, 1, 1, 32, {}, {});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::ostringstream to;
    EXPECT_NE(report_of([&] { s.net.engine.save(to); }).find("what is in CHI's nodes cannot be written"),
              std::string::npos);
    EXPECT_EQ(to.str(), "");
}

/// What a home does not know is not done as something else.
TEST(chi, RefusesRequestsAHomeDoesNotKnow) {
    chi_system s(0, 1, 1, 32, {}, {}, 1, 1);
    const auto send = [&](std::uint8_t opcode, bool allow_retry) {
        flit f = flit::make(chi::req::read_shared, 15, 1);
        f.opcode = opcode;
        f.allow_retry = allow_retry;
        f.source = 0;
        chi::phase p = chi::phase::flit;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        return report_of([&] { s.homes[0].nb_transport_bw(f, p, delay); });
    };
    EXPECT_EQ(send(0x05, true), "home15: a request of node 0 with opcode 5, which a home does not take");
    EXPECT_EQ(send(0x08, true), "home15: a request of node 0 with opcode 8, which a home does not take");
    EXPECT_EQ(send(0x38, true),
              "home15: a request of node 0 for an atomic access of Size 6, which it cannot have there");
    EXPECT_EQ(send(0x01, false),
              "home15: a request of node 0 without AllowRetry, and no credit has been granted");
    EXPECT_EQ(s.homes[0].open(), 0U);
}

TEST(chi, RefusesASecondTransportOnOneMap) {
    hand_mesh net("net", 2, 2, with_vcs(4), 4);
    memory_map map(net.engine, {});
    chi::transport first(map);
    EXPECT_EQ(report_of([&] { chi::transport second(map); }),
              "net_engine: its memory map has a CHI transport already");
}

// ---- flows without coherence -----------------------------------------------------------------------------

class chi_widths : public testing::TestWithParam<std::uint32_t> {};

TEST_P(chi_widths, CarryWriteNoSnpAndReadNoSnp) {
    const std::uint32_t bus = GetParam();
    chi_system s(0, 1, 1, bus, {}, {}, 1, 1);
    chi_script& rn = s.scripts[0];
    std::array<unsigned char, 64> data{};
    for (unsigned k = 0; k < 64; ++k) data[k] = static_cast<unsigned char>(k + 1);
    s.rams[0].bytes[0x101] = 99;
    chi::line_buffer back;
    rn.on_flit = [&](const flit& f) {
        if (f.is(chi::rsp::dbid_resp)) {
            flit d = flit::make(chi::dat::non_copy_back_wr_data, f.source, f.db);
            d.enables = ~std::uint64_t{0} << 8;  // the first 8 bytes stay
            rn.send_line(d, data);
        }
        if (f.is(chi::rsp::comp)) {
            flit r = flit::make(chi::req::read_no_snp, f.source, 8);
            r.address = 0x100;
            rn.send(r);
        }
        if (f.is(chi::dat::comp_data)) back.add(f, bus);
    };
    sc_core::sc_spawn([&] {
        flit w = flit::make(chi::req::write_no_snp_ptl, 15, 7);
        w.address = 0x100;
        rn.send(w);
    });
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
    s.look();
    data[0] = 0, data[1] = 99;
    for (unsigned k = 2; k < 8; ++k) data[k] = 0;
    EXPECT_EQ(back.data(), data);
    EXPECT_EQ(s.transport.carried(chi::channel::dat), 3 * 64 / bus + 64 / bus);
}

INSTANTIATE_TEST_SUITE_P(bytes, chi_widths, testing::Values(16U, 32U, 64U));

// ---- coherence -------------------------------------------------------------------------------------------

/// One after another, in the time of a thread.
struct coherent : testing::Test {
    std::optional<chi_system> s;
    void make(std::uint32_t lines = 4) {
        chi::cache_params p;
        p.lines = lines;
        s.emplace(3, 1, 1, 32, p, chi::home_params{});
    }
    void run(const std::function<void()>& body) {
        sc_core::sc_spawn([&] { body(); });
        sc_core::sc_start();
        s->look();
    }
    unsigned load(unsigned node, std::uint64_t address) {
        unsigned char byte = 0;
        EXPECT_EQ(s->cpus[node].access(false, address, &byte, 1), tlm::TLM_OK_RESPONSE);
        return byte;
    }
    void store(unsigned node, std::uint64_t address, unsigned char byte) {
        EXPECT_EQ(s->cpus[node].access(true, address, &byte, 1), tlm::TLM_OK_RESPONSE);
    }
    std::uint64_t snoops() const { return s->homes[0].count().snoops; }
};

TEST_F(coherent, ShowsAStoreToAllCaches) {
    make();
    run([&] {
        EXPECT_EQ(load(0, 0x40), 0U);
        EXPECT_EQ(snoops(), 0U);
        store(0, 0x40, 5);  // it was unique
        EXPECT_EQ(s->homes[0].count().requests, 1U);
        EXPECT_EQ(load(1, 0x40), 5U);
        EXPECT_EQ(snoops(), 1U);
        EXPECT_EQ(s->memories[0].writes(), 1U);  // what was dirty went to memory
        EXPECT_EQ(load(2, 0x40), 5U);
        EXPECT_EQ(snoops(), 1U);
        store(2, 0x41, 6);  // CleanUnique: two others have it
        EXPECT_EQ(snoops(), 3U);
        store(1, 0x42, 7);  // ReadUnique: the dirty line goes over
        EXPECT_EQ(s->memories[0].writes(), 1U);
        EXPECT_EQ(load(0, 0x41), 6U);
        EXPECT_EQ(load(0, 0x42), 7U);
    });
}

TEST_F(coherent, LetsLinesLeaveByWriteBackOrEvict) {
    make(2);
    run([&] {
        store(0, 0x000, 1);
        EXPECT_EQ(load(0, 0x040), 0U);
        EXPECT_EQ(load(0, 0x080), 0U);  // the dirty one goes
        EXPECT_EQ(s->rams[0].bytes[0], 1);
        EXPECT_EQ(load(0, 0x0c0), 0U);  // a clean one goes
        const auto before = snoops();
        store(1, 0x000, 2);
        store(1, 0x040, 2);
        EXPECT_EQ(snoops(), before);  // the directory knows
    });
    EXPECT_EQ(s->caches[0].count().write_backs, 1U);
}

TEST_F(coherent, DoesNotReadALineThatIsStoredWhole) {
    make();
    run([&] {
        store(0, 0x100, 1);
        std::array<unsigned char, 64> line{};
        line.fill(9);
        EXPECT_EQ(s->cpus[1].access(true, 0x100, line.data(), 64), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(s->memories[0].reads(), 1U);
        EXPECT_EQ(s->memories[0].writes(), 0U);  // what was dirty is gone
        EXPECT_EQ(load(2, 0x13f), 9U);
    });
}

/// Messages one after another: 1 hop costs more than none, and an error of the memory comes back.
TEST_F(coherent, PassesAnErrorOfTheMemoryToTheLoad) {
    make();
    sc_core::sc_spawn([&] {
        unsigned char byte = 0;
        EXPECT_EQ(s->cpus[0].access(false, 0x20000, &byte, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
        EXPECT_EQ(load(0, 0x40), 0U);
    });
    sc_core::sc_start();
    s->look();
}

TEST_F(coherent, RefusesImpossibleAttributes) {
    make();
    EXPECT_EQ(s->cpus[0].access(false, 0, nullptr, 1), tlm::TLM_GENERIC_ERROR_RESPONSE);
    unsigned char byte = 0;
    EXPECT_EQ(s->cpus[0].access(false, 0, &byte, 0), tlm::TLM_BURST_ERROR_RESPONSE);
}

/// A process is killed within its access: the transaction comes to its end, and what it was for is left
/// alone.
TEST_F(coherent, EndsTheTransactionOfAKilledProcess) {
    make();
    run([&] {
        store(1, 0x200, 7);
        auto victim = sc_core::sc_spawn([&] { load(0, 0x100); });
        sc_core::wait(sc_core::sc_time(5, sc_core::SC_NS));
        const auto loads = s->coherence.loads;
        victim.kill();
        sc_core::wait(sc_core::sc_time(1, sc_core::SC_US));
        EXPECT_EQ(s->coherence.loads, loads);
        EXPECT_EQ(s->caches[0].open(), 0U);
        EXPECT_EQ(load(0, 0x100), 0U);

        auto storing = sc_core::sc_spawn([&] {  // what others have of the line is void by then
            std::array<unsigned char, 64> line{};
            line.fill(9);
            s->cpus[0].access(true, 0x200, line.data(), 64);
        });
        sc_core::wait(sc_core::sc_time(5, sc_core::SC_NS));
        storing.kill();
        sc_core::wait(sc_core::sc_time(1, sc_core::SC_US));
        EXPECT_EQ(load(2, 0x200), 9U);
    });
}

/// A home with one tracker: the others are refused, get a credit, and go again.
TEST(chi, SendsARefusedRequestAgainWithACredit) {
    chi::home_params one;
    one.trackers = 1;
    chi_system s(8, 1, 1, 32, {}, one);
    for (unsigned k = 0; k < 8; ++k)
        sc_core::sc_spawn([&, k] {
            unsigned char byte = static_cast<unsigned char>(k);
            EXPECT_EQ(s.cpus[k].access(true, 64 * k, &byte, 1), tlm::TLM_OK_RESPONSE);
        });
    sc_core::sc_start();
    s.look();
    EXPECT_EQ(s.homes[0].count().refused, 7U);
    EXPECT_EQ(s.homes[0].count().most_trackers, 1U);
}

/// AXI4 beside CHI: neither disturbs the other, and each gets its own messages.
TEST(chi, WorksBesideAMemoryMap) {
    hand_mesh net("net", 2, 2, with_vcs(4), 4);
    memory_map map(net.engine, {{0, 0x1000, 3}});
    memory_bridge near_bridge("near", net.nics[0], map), far_bridge("far", net.nics[3], map);
    phase_initiator<> dma("dma");
    blocking_memory_model<> ram("ram", 0x1000, always(5));
    blocking_memory_model<512> dram("dram", 0x1000, always(5));
    dma.socket.bind(near_bridge.initiators);
    far_bridge.memory.bind(ram.socket);
    chi::transport transport(map);
    const chi::system_map nodes{{1}, {2}};
    chi::cache cache("cache", 32, nodes);
    chi::home home("home", 32, nodes);
    chi::memory_node memory("memory", 32);
    chi::interface at0("at0", net.nics[0], transport), at1("at1", net.nics[1], transport),
        at2("at2", net.nics[2], transport);
    chi_cpu cpu("cpu");
    cpu.socket.bind(cache.cpu);
    cache.socket.bind(at0.node);
    home.socket.bind(at1.node);
    memory.socket.bind(at2.node);
    memory.memory.bind(dram.socket);
    unsigned wrong = 0;
    dma.on_response = [&](transaction& t) { wrong += t.is_read() && t.data[0] != 7; };
    dma.body = [](phase_initiator<>& self) {
        for (unsigned k = 0; k < 100; ++k)
            for (const bool write : {true, false}) self.begin(self.pool.take(write, 8 * k, 8, 7));
        self.finish();
    };
    sc_core::sc_spawn([&] {
        for (unsigned k = 0; k < 100; ++k)
            for (const bool write : {true, false}) {
                auto byte = static_cast<unsigned char>(write ? k : 0);
                EXPECT_EQ(cpu.access(write, 16 * k, &byte, 1), tlm::TLM_OK_RESPONSE);
                wrong += byte != k;
            }
    });
    sc_core::sc_start();
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(dma.pool.in_use(), 0U);
    EXPECT_EQ(transport.in_flight(), 0U);
    EXPECT_EQ(near_bridge.initiator_counts_of(0).accesses, 200U);
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
}

// ---- the checkers ----------------------------------------------------------------------------------------

/// Each plants one violation, and it is found.
struct chi_rules : testing::Test {
    chi::checker_rules rules{32};

    template <class Opcode>
    flit tell(Opcode o, std::uint32_t from, std::uint32_t to, std::uint16_t txn, std::uint16_t db = 0,
              std::uint8_t data_id = 0, bool retry = true) {
        flit f = flit::make(o, to, txn);
        f.source = from;
        f.db = db;
        f.data_id = data_id;
        f.allow_retry = retry;
        f.address = 0x40;
        f.exp_comp_ack = f.is(chi::req::read_shared) || f.is(chi::req::clean_unique);
        f.home = 9;
        rules.flit_seen(f);
        return f;
    }
    void read() {
        tell(chi::req::read_shared, 1, 9, 5);
        tell(chi::dat::comp_data, 9, 1, 5, 3, 2);
        tell(chi::dat::comp_data, 9, 1, 5, 3, 0);
    }
    void found(const std::string& rule) {
        ASSERT_FALSE(rules.violations.empty());
        EXPECT_NE(rules.violations.front().find(rule), std::string::npos) << rules.violations.front();
    }
};

TEST_F(chi_rules, FindNothingWhereNothingIsWrong) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::rsp::pcrd_grant, 9, 1, 0);  // before the answer that it is for
    tell(chi::rsp::retry_ack, 9, 1, 5);
    tell(chi::req::read_shared, 1, 9, 5, 0, 0, false);
    tell(chi::dat::comp_data, 9, 1, 5, 3, 2);
    tell(chi::dat::comp_data, 9, 1, 5, 3, 0);
    tell(chi::rsp::comp_ack, 1, 9, 3);
    tell(chi::req::write_back_full, 1, 9, 5);
    tell(chi::rsp::comp_dbid_resp, 9, 1, 5, 3);
    tell(chi::dat::copy_back_wr_data, 1, 9, 3, 0, 0);
    tell(chi::dat::copy_back_wr_data, 1, 9, 3, 0, 2);
    tell(chi::snp::snp_unique, 9, 1, 4);
    tell(chi::rsp::snp_resp, 1, 9, 4);
    EXPECT_EQ(rules.violations, std::vector<std::string>());
    EXPECT_EQ(rules.open(), 0U);
}
TEST_F(chi_rules, FindATxnIDInUse) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::req::read_unique, 1, 9, 5);
    found("TxnID that is in use");
}
TEST_F(chi_rules, FindARetryWithoutACredit) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::rsp::retry_ack, 9, 1, 5);
    tell(chi::req::read_shared, 1, 9, 5, 0, 0, false);
    found("without a credit");
}
TEST_F(chi_rules, FindARequestRefusedTwice) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::rsp::retry_ack, 9, 1, 5);
    tell(chi::rsp::pcrd_grant, 9, 1, 0);
    tell(chi::req::read_shared, 1, 9, 5, 0, 0, false);
    tell(chi::rsp::retry_ack, 9, 1, 5);
    found("RetryAck");
}
TEST_F(chi_rules, FindAnEarlyCompAck) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::dat::comp_data, 9, 1, 5, 3, 0);
    tell(chi::rsp::comp_ack, 1, 9, 3);
    found("CompAck without");
}
TEST_F(chi_rules, FindASecondCompAck) {
    read();
    tell(chi::rsp::comp_ack, 1, 9, 3);
    tell(chi::rsp::comp_ack, 1, 9, 3);
    found("CompAck without");
}
TEST_F(chi_rules, FindAPacketThatComesTwice) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::dat::comp_data, 9, 1, 5, 3, 2);
    tell(chi::dat::comp_data, 9, 1, 5, 3, 2);
    found("twice");
}
TEST_F(chi_rules, FindDataWithoutADBID) {
    tell(chi::req::write_back_full, 1, 9, 5);
    tell(chi::dat::copy_back_wr_data, 1, 9, 3);
    found("without a DBID");
}
TEST_F(chi_rules, FindASnoopBeforeCompAck) {
    read();
    tell(chi::snp::snp_unique, 9, 1, 4);
    found("before its CompAck");
}
TEST_F(chi_rules, FindASecondSnoopToALine) {
    tell(chi::snp::snp_shared, 9, 1, 4);
    tell(chi::snp::snp_unique, 9, 1, 6);
    found("second snoop");
}
TEST_F(chi_rules, FindAnAnswerToNoSnoop) {
    tell(chi::rsp::snp_resp, 1, 9, 4);
    found("no snoop");
}
TEST_F(chi_rules, FindTheWrongAnswer) {
    tell(chi::req::read_shared, 1, 9, 5);
    tell(chi::rsp::comp, 9, 1, 5);
    found("another answer");
}

TEST(chi_coherence, FindsStaleLoadsAndTwoWriters) {
    const unsigned char one = 1, two = 2;
    chi::coherence_checker c;
    c.changed(0, 0x40, chi::state::ud);
    c.stored(0, 0x40, &one, 1);
    c.loaded(0, 0x40, &one, 1);
    EXPECT_TRUE(c.violations.empty());
    c.loaded(0, 0x40, &two, 1);
    c.changed(1, 0x40, chi::state::sc);
    c.stored(1, 0x40, &two, 1);
    ASSERT_EQ(c.violations.size(), 3U);
    EXPECT_NE(c.violations[0].find("stored last"), std::string::npos);
    EXPECT_NE(c.violations[1].find("another cache"), std::string::npos);
    EXPECT_NE(c.violations[2].find("not its own"), std::string::npos);
}

}  // namespace
}  // namespace sare::test::chi_test
