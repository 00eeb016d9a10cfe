// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/router/protocol_checker.h"

#include "tlm/memory/timing/transaction_trace.h"
#include "tlm/systemc/reports.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

/// Maps that deal bytes to several memories, accesses that cross from one to another, and initiators with
/// addresses of their own.
namespace sare::test::memory_split_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

std::vector<address_range> dealt(std::uint32_t memories, std::uint64_t granule,
                                 const std::vector<std::uint64_t>& hash = {}) {
    std::vector<memory_place> places;
    for (std::uint32_t k = 0; k < memories; ++k) places.push_back({5 + k, 0x100 * k, 0});
    return interleaved(0x10000, 0xc000, places, granule, hash);
}

/// Every byte has a place of its own, stripe by stripe, and each memory has as many.
void every_byte_has_a_place(const std::vector<address_range>& ranges) {
    const address_map map(ranges);
    std::map<std::uint32_t, std::set<std::uint64_t>> taken;
    for (std::uint64_t a = 0x10000; a < 0x1c000; ++a) {
        const address_range* r = map.find(a);
        ASSERT_NE(r, nullptr);
        ASSERT_TRUE(taken[r->node].insert(r->in_memory(a)).second) << a;
        const std::uint64_t room = r->bytes_from(a);
        ASSERT_EQ(map.find(a + room - 1), r);
        ASSERT_EQ(r->in_memory(a + room - 1), r->in_memory(a) + room - 1);
        ASSERT_EQ(r->bytes_before(a) + room, ranges[0].stripes->granule);
    }
    EXPECT_EQ(map.find(0xffff), nullptr);
    EXPECT_EQ(map.find(0x1c000), nullptr);
    ASSERT_EQ(taken.size(), ranges.size());
    for (const auto& [node, bytes] : taken) {
        EXPECT_EQ(bytes.size(), 0xc000 / ranges.size());
        EXPECT_EQ(*bytes.rbegin() - *bytes.begin() + 1, bytes.size());
        EXPECT_EQ(*bytes.begin(), 0x100U * (node - 5));
    }
}

TEST(Interleaving, GivesEveryByteAPlace) {
    every_byte_has_a_place(dealt(1, 0x400));
    every_byte_has_a_place(dealt(3, 64));
    every_byte_has_a_place(dealt(4, 256));
    every_byte_has_a_place(dealt(4, 256, {0x1400, 0xa000}));
}

TEST(Interleaving, DealsStripesInTurnOrByHashedBits) {
    const address_map in_turn(dealt(4, 256)), hashed(dealt(4, 256, {0x1400, 0xa000}));
    EXPECT_EQ(in_turn.find(0x10000)->node, 5U);
    EXPECT_EQ(in_turn.find(0x102ff)->node, 7U);
    EXPECT_EQ(in_turn.find(0x10400)->in_memory(0x10401), 0x101U);
    EXPECT_EQ(hashed.find(0x10000)->node, 5U);
    EXPECT_EQ(hashed.find(0x10400)->node, 6U);
    EXPECT_EQ(hashed.find(0x11400)->node, 5U);
    EXPECT_EQ(hashed.find(0x12000)->node, 7U);
    EXPECT_EQ(hashed.find(0x12500)->node, 7U);
}

TEST(Interleaving, RefusesImpossibleRanges) {
    const auto of_map = [](const auto& f) { return error_of([&] { with_config_reports("map", f); }); };
    const auto error = [](std::uint64_t base, std::uint64_t size, std::uint32_t memories,
                          std::uint64_t granule, const std::vector<std::uint64_t>& hash = {}) {
        return error_of([&] { interleaved(base, size, std::vector<memory_place>(memories), granule, hash); });
    };
    EXPECT_EQ(error(0x100, 64, 0, 64),
              "/sare/config: the memory map: the interleaved range at 0x100 has no memories");
    EXPECT_EQ(error(0x100, 96, 1, 96),
              "/sare/config: the memory map: the interleaved range at 0x100 has stripes of 96 bytes; they "
              "must be a power of 2");
    EXPECT_EQ(error(0x100, 64, 2, 64),
              "/sare/config: the memory map: the interleaved range at 0x100 has 64 bytes; they must be a "
              "multiple of 2 stripes of 64");
    EXPECT_EQ(error(0, 192, 3, 64, {64}),
              "/sare/config: the memory map: the interleaved range at 0x0 has 3 memories and 1 masks; a hash "
              "has a mask for each bit of a "
              "memory's number");
    EXPECT_EQ(error(0x40, 128, 2, 64, {0x100}),
              "/sare/config: the memory map: the interleaved range at 0x40 is hashed; its base must be a "
              "multiple of 0x80, a stripe of each "
              "memory");
    EXPECT_EQ(error(0x80, 128, 2, 64, {0x140}),
              "/sare/config: the memory map: the interleaved range at 0x80 is hashed by 0x140; only bits "
              "above those of a stripe and of the "
              "memory's number may be, 0x80 and up");
    auto some = dealt(3, 64);
    some.pop_back();
    EXPECT_EQ(of_map([&] { address_map map(some); }),
              "/sare/config: map: range 0x10000 to 0x1bfff of node 5 is one of 3 that interleaved() has "
              "made; a map has all of them");
    EXPECT_EQ(of_map([] {
                  address_view view({{0x100, 0, 0}});
              }),
              "/sare/config: map: the address window at 0x100 is empty");
    EXPECT_EQ(of_map([] {
                  address_view view({{0x100, 2, ~0ULL}});
              }),
              "/sare/config: map: the address window at 0x100 goes beyond the last address");
    EXPECT_EQ(of_map([] {
                  address_view view({{0x100, 16, 0}, {0x10f, 1, 0}});
              }),
              "/sare/config: map: the address window at 0x10f overlaps the one before it");
}

/// A 3x3 mesh, the initiator at node 0. 0x1000 to 0x10ff is of node 8, the next 256 bytes are of node 2, and
/// from 0x8000 on 4 KiB are dealt to both by 64 bytes.
struct split_system {
    explicit split_system(const memory_bridge_params& params = {})
        : net("net", 3, 3, router_params{}, 2),
          map(net.engine, ranges()),
          near("near", net.nics[0], map, params),
          at8("at8", net.nics[8], map),
          at2("at2", net.nics[2], map),
          cpu("cpu"),
          ram8("ram8", 0x1000, always(10)),
          ram2("ram2", 0x1000, always(300)) {
        checkers.between<32>(cpu.socket, near.initiators);
        checkers.between<32>(at8.memory, ram8.socket);
        checkers.between<32>(at2.memory, ram2.socket);
        for (unsigned k = 0; k < 0x1000; ++k) {
            ram8.bytes[k] = static_cast<unsigned char>(3 * k);
            ram2.bytes[k] = static_cast<unsigned char>(5 * k + 1);
        }
    }
    static std::vector<address_range> ranges() {
        std::vector<address_range> all{{0x1000, 0x100, 8}, {0x1100, 0x100, 2}};
        for (const auto& r : interleaved(0x8000, 0x1000, {{8, 0x100}, {2, 0x100}})) all.push_back(r);
        return all;
    }
    unsigned char& byte_at(std::uint64_t address) {
        const address_range& r = *map.find(address);
        return (r.node == 8 ? ram8 : ram2).bytes[r.in_memory(address)];
    }
    void run(const std::function<void()>& body) {
        cpu.body = [&](phase_initiator<>& self) {
            body();
            self.finish();
        };
        sc_core::sc_start();
        checkers.look();
        EXPECT_EQ(net.engine.net().view().leftovers(), "");
    }
    tlm::tlm_response_status blocking(transaction& t) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        cpu.socket->b_transport(t, delay);
        return t.get_response_status();
    }

    hand_mesh net;
    memory_map map;
    memory_bridge near, at8, at2;
    phase_initiator<> cpu;
    blocking_memory_model<> ram8, ram2;
    protocol_checkers checkers;
};

class split_modes : public testing::TestWithParam<int> {};

TEST_P(split_modes, JoinThePartsOfAnAccess) {
    split_system s;
    s.run([&] {
        s.map.accesses().count_all();
        s.near.set_mode(static_cast<access_mode>(GetParam()));
        for (const auto& [address, bytes] : {std::pair{0x10f0U, 32U}, {0x10ffU, 2U}, {0x8030U, 300U}}) {
            transaction& t = s.cpu.pool.take(false, address, bytes);
            EXPECT_EQ(s.blocking(t), tlm::TLM_OK_RESPONSE);
            for (unsigned k = 0; k < bytes; ++k) ASSERT_EQ(t.data[k], s.byte_at(address + k)) << k;
            t.set_command(tlm::TLM_WRITE_COMMAND);
            for (unsigned k = 0; k < bytes; ++k) t.data[k] = static_cast<unsigned char>(11 * k);
            t.enables = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
            t.set_byte_enable_ptr(t.enables.data());
            t.set_byte_enable_length(3);
            std::vector<unsigned char> before;
            for (unsigned k = 0; k < bytes; ++k) before.push_back(s.byte_at(address + k));
            EXPECT_EQ(s.blocking(t), tlm::TLM_OK_RESPONSE);
            for (unsigned k = 0; k < bytes; ++k)
                ASSERT_EQ(s.byte_at(address + k), k % 3 == 1 ? before[k] : t.data[k]) << k;
            t.release();
        }
    });
    EXPECT_EQ(s.near.initiator_counts_of(0).accesses, 6U);
    EXPECT_EQ(s.map.accesses().results()[0].bytes, 2 * 334U);
}
INSTANTIATE_TEST_SUITE_P(all, split_modes, testing::Range(0, 3));

/// One error is the whole's; where a byte has no memory nothing is done.
TEST(MemorySplit, ReportsAnErrorOfOnePartForTheWhole) {
    split_system s;
    s.ram2.bytes.resize(0x80);
    s.run([&] {
        transaction& t = s.cpu.pool.take(true, 0x10e0, 0xc0, 7);
        EXPECT_EQ(s.blocking(t), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // of the second memory
        EXPECT_EQ(s.ram8.bytes[0xe0], 7);
        t.set_address(0x11e0);
        EXPECT_EQ(s.blocking(t), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(s.ram2.calls, 1U);
        access_options alone;
        alone.exclusive = true;
        t.set_address(0x10e0);
        t.set_extension(&alone);
        EXPECT_EQ(s.blocking(t), tlm::TLM_BURST_ERROR_RESPONSE);
        t.clear_extension(&alone);
        t.release();
    });
    EXPECT_EQ(s.map.accesses().results()[0].errors, 3U);
}

/// Where as many are outstanding as one access has parts, or fewer; answers are in order all the same.
TEST(MemorySplit, KeepsBoundsAndOrder) {
    memory_bridge_params params;
    params.outstanding = 1;
    split_system s(params);
    std::vector<std::uint64_t> answered;
    s.cpu.on_response = [&](transaction& t) {
        answered.push_back(t.get_address());
        EXPECT_TRUE(times_fit(t, t.made, t.answered));
    };
    s.run([&] {
        for (const std::uint64_t address : {0x8000, 0x1000, 0x10f0, 0x8020}) {
            transaction& t = s.cpu.pool.take(false, address, 200);
            t.set_auto_extension(new access_timing);
            t.made = sc_core::sc_time_stamp();
            s.cpu.begin(t);
        }
    });
    EXPECT_EQ(answered, (std::vector<std::uint64_t>{0x8000, 0x1000, 0x10f0, 0x8020}));
    EXPECT_EQ(s.near.initiator_counts_of(0).most_outstanding, 1U);
    EXPECT_EQ(s.cpu.pool.in_use(), 0U);
}

TEST(MemorySplit, ContinuesDebugAccessesAcrossMemories) {
    split_system s;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    transaction& t = s.cpu.pool.take(false, 0x10f0, 600);
    EXPECT_EQ(s.cpu.socket->transport_dbg(t), 0x110U);
    for (unsigned k = 0; k < 0x110; ++k) ASSERT_EQ(t.data[k], s.byte_at(0x10f0 + k));
    t.set_address(0x8ff0);
    EXPECT_EQ(s.cpu.socket->transport_dbg(t), 0x10U);
    t.release();
}

/// A process that is killed leaves its parts to end by themselves.
TEST(MemorySplit, LetsThePartsOfAKilledAccessEnd) {
    split_system s;
    sc_core::sc_report_handler::set_actions(report_id::killed, sc_core::SC_DO_NOTHING);
    s.run([&] {
        for (const double ns : {0.0, 40.0, 700.0}) {
            auto victim = sc_core::sc_spawn([&] { s.blocking(s.cpu.pool.take(true, 0x8000, 300)); });
            sc_core::wait(sc_time(ns, SC_NS));
            victim.kill();
            transaction& t = s.cpu.pool.take(false, 0x8000, 300);
            EXPECT_EQ(s.blocking(t), tlm::TLM_OK_RESPONSE);
            t.release();
        }
    });
}

/// Windows onto the map, in mid-run others.
TEST(MemorySplit, GivesAnInitiatorAddressesOfItsOwn) {
    split_system s;
    s.run([&] {
        const auto read = [&](std::uint64_t address) {
            transaction& t = s.cpu.pool.take(false, address, 1, 0xee);
            const auto status = s.blocking(t);
            EXPECT_EQ(status == tlm::TLM_OK_RESPONSE ? 1U : 0U, s.cpu.socket->transport_dbg(t));
            const int byte = status == tlm::TLM_OK_RESPONSE ? t.data[0] : -1;
            t.release();
            return byte;
        };
        EXPECT_EQ(read(0), -1);
        s.near.set_view(0, {{0, 0x80, 0x1080}, {0x80, 0x40, 0x1100}, {0x1000, 0x100, 0x1000}});
        EXPECT_EQ(read(0), s.byte_at(0x1080));
        EXPECT_EQ(read(0x7f), s.byte_at(0x10ff));
        EXPECT_EQ(read(0x80), s.byte_at(0x1100));
        EXPECT_EQ(read(0xc0), -1);
        EXPECT_EQ(read(0x1001), s.byte_at(0x1001));
        EXPECT_EQ(read(0x1100), -1);
        transaction& t = s.cpu.pool.take(false, 0x70, 0x40);  // across two windows
        EXPECT_EQ(s.blocking(t), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(t.data[0x3f], s.byte_at(0x112f));
        t.release();
        s.near.set_view(0, {});
        EXPECT_EQ(read(0), -1);
        EXPECT_EQ(read(0x1100), s.byte_at(0x1100));
    });
    EXPECT_EQ(error_of([&] {
                  s.near.set_view(0, {{0x100, 0, 0}});
              }),
              "/sare/config: near, initiator 0: the address window at 0x100 is empty");
}

/// A range of one network's map leads into another network, whose own map says where it goes on to.
TEST(MemorySplit, LeadsFromOneNetworkIntoAnother) {
    split_system s;
    hand_mesh first("first", 2, 1, router_params{}, 2);
    first.engine.set_period(sc_time(3, SC_NS));
    memory_map map(first.engine, {{0x100000, 0x4000, 1, 0x8000}, {0x200000, 0x1000, 1, 0x1000}});
    memory_bridge_params phases;
    phases.timing = memory_timing::phases;
    phases.at_once = 4;
    memory_bridge at0("at0", first.nics[0], map), gateway("gateway", first.nics[1], map, phases);
    gateway.memory.bind(s.near.initiators);
    phase_initiator<> far("far_cpu");
    far.socket.bind(at0.initiators);
    far.body = [&](phase_initiator<>& self) {
        for (const auto& [address, there] : {std::pair{0x100030U, 0x8030U}, {0x2000f0U, 0x10f0U}}) {
            transaction& t = self.pool.take(false, address, 200);
            t.set_auto_extension(new access_timing);
            sc_time delay;
            const sc_time made = sc_core::sc_time_stamp();
            self.socket->b_transport(t, delay);
            EXPECT_TRUE(t.is_response_ok());
            EXPECT_TRUE(times_fit(t, made, sc_core::sc_time_stamp()));
            EXPECT_EQ(t.get_extension<access_timing>()->request_hops, 2U);
            EXPECT_GT(t.get_extension<access_timing>()->memory(), sc_time(300, SC_NS));
            for (unsigned k = 0; k < 200; ++k) ASSERT_EQ(t.data[k], s.byte_at(there + k)) << k;
            t.release();
        }
    };
    s.run([&] {  // a process of its own beside
        transaction& t = s.cpu.pool.take(false, 0x1000, 1);
        s.blocking(t);
        t.release();
    });
    EXPECT_EQ(map.accesses().results()[0].accesses, 2U);
}

/// All that a trace tells of an access and its packets.
TEST(TransactionTrace, ShowsAccessesAndTheirPackets) {
    split_system s;
    transaction_trace trace(s.map), second(s.map);
    trace.start();
    EXPECT_EQ(error_of([&] { second.start(); }),
              "/sare/memory: net_engine: its accesses are traced already; stop() that trace first");
    s.run([&] {
        message m;
        m.source = 1;
        s.net.engine.send(m);  // packet 0
        sc_core::wait(sc_time(40, SC_NS));
        for (const std::uint64_t address : {0x1000, 0x10fc, 0x5000}) {
            transaction& t = s.cpu.pool.take(address == 0x1000, address, 8);
            t.set_auto_extension(new access_id(3));
            s.blocking(t);
            t.release();
        }
    });
    trace.stop();
    std::ostringstream out;
    trace.write_csv(out);
    std::istringstream lines(out.str());
    std::string line;
    std::vector<std::string> all;
    while (std::getline(lines, line)) all.push_back(line);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[1].substr(0, 78),
              "\"near, initiator 0\",\"at8, memory 0\",write,0x1000,8,3,TLM_OK_RESPONSE,40,106,2,");
    EXPECT_EQ(all[1].substr(all[1].size() - 8), ",5,0,1,2") << all[1];
    EXPECT_EQ(all[2].substr(all[2].size() - 10), ",0,3 4,5 6") << all[2];
    EXPECT_EQ(all[3],
              "\"near, initiator 0\",,read,0x5000,8,3,TLM_ADDRESS_ERROR_RESPONSE,443,443,0,0,0,0,0,0,0,,");
    std::ostringstream perfetto;
    trace.write_perfetto(perfetto);
    for (const char* text :
         {"initiators", "near, initiator 0", "read 8 B at 0x10fc, ID 3", "packet 4 to 2, 1 flit", "node 8",
          "at2, memory 0", "read 8 B at 0x5000, ID 3: TLM_ADDRESS_ERROR_RESPONSE"})
        EXPECT_NE(perfetto.str().find(text), std::string::npos) << text;
}

/// A reset takes a request, and then a response.
struct resets : sc_core::sc_module {
    resets(const sc_core::sc_module_name& name, cycle_engine& e, std::vector<sc_time> at)
        : sc_core::sc_module(name), engine(e), times(std::move(at)) {
        SC_HAS_PROCESS(resets);
        SC_THREAD(run);
    }
    void run() {
        for (const sc_time& t : times) {
            wait(t - sc_core::sc_time_stamp());
            engine.reset();
        }
    }
    cycle_engine& engine;
    std::vector<sc_time> times;
};

/// A memory that a request never came to has nothing to show, and a packet that never came lasts as long as
/// its access.
TEST(TransactionTrace, ShowsLostPackets) {
    split_system s;
    resets both("resets", s.net.engine, {sc_time(50, SC_NS), sc_time(115, SC_NS)});
    transaction_trace trace(s.map);
    trace.start();
    s.run([&] {
        sc_core::wait(sc_time(40, SC_NS));
        for (const std::uint64_t address : {0x1000, 0x1010, 0x1100}) {
            transaction& t = s.cpu.pool.take(false, address, 8);
            s.blocking(t);
            t.release();
        }
    });
    std::ostringstream out, perfetto;
    trace.write_csv(out);
    std::istringstream lines(out.str());
    std::string line;
    std::vector<std::string> all;
    while (std::getline(lines, line)) all.push_back(line);
    ASSERT_EQ(all.size(), 4U);
    const std::string access = "\"near, initiator 0\",\"at8, memory 0\",read,0x10";
    EXPECT_EQ(all[1], access + "00,8,0,TLM_GENERIC_ERROR_RESPONSE,40,51,11,0,0,0,0,0,0,0,") << out.str();
    EXPECT_EQ(all[2].rfind(access + "10,8,0,TLM_GENERIC_ERROR_RESPONSE,51,116,", 0), 0U) << out.str();
    EXPECT_NE(all[3].find("\"at2, memory 0\",read,0x1100,8,0,TLM_OK_RESPONSE,"), std::string::npos)
        << out.str();
    trace.write_perfetto(perfetto);
    const auto times = [&](const std::string& text) {
        unsigned n = 0;
        for (std::size_t at = 0; (at = perfetto.str().find(text, at)) != std::string::npos; ++at) ++n;
        return n;
    };
    EXPECT_EQ(times("read 8 B at 0x1000: "), 1U);
    EXPECT_EQ(times("read 8 B at 0x1010: "), 2U);
    EXPECT_EQ(times(", lost"), 2U);
}

}  // namespace
}  // namespace sare::test::memory_split_test
