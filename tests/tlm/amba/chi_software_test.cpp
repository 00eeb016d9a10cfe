// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/chi_support.h"

#include <sstream>

/// What software sees of CHI's caches: debuggers, loaders, byte enables.
namespace sare::test::chi_software_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

unsigned debug(chi_cpu& cpu, bool write, std::uint64_t address, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload p;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(address);
    p.set_data_ptr(bytes.data());
    p.set_data_length(static_cast<unsigned>(bytes.size()));
    return cpu.socket->transport_dbg(p);
}

void run(chi_system& s, const std::function<void()>& body) {
    bool through = false;
    sc_core::sc_spawn([&] {
        body();
        through = true;
    });
    sc_core::sc_start();
    EXPECT_TRUE(through);
    s.look();
}

/// A line that is dirty in one cache, one that only memory has, and one that two caches have.
TEST(ChiSoftware, SeesCoherentDataByDebugAccesses) {
    chi_system s(3, 2, 1, 32, {}, {});
    run(s, [&] {
        std::vector<unsigned char> stored(64, 7), seen(192), loaded(64);
        s.cpus[0].access(true, 64, stored.data(), 64);
        sc_core::wait(sc_time(500, SC_NS));  // acknowledged
        for (chi_cpu& cpu : s.cpus) {
            ASSERT_EQ(debug(cpu, false, 0, seen), 192U);
            EXPECT_EQ(seen[63], 0);
            EXPECT_EQ(seen[64], 7);
            EXPECT_EQ(seen[127], 7);
            EXPECT_EQ(seen[128], 0);
        }
        s.cpus[0].access(false, 128, loaded.data(), 64);
        s.cpus[1].access(false, 128, loaded.data(), 64);
        sc_core::wait(sc_time(500, SC_NS));
        std::vector<unsigned char> program(150, 9);
        ASSERT_EQ(debug(s.cpus[2], true, 30, program), 150U);
        for (chi_cpu& cpu : s.cpus) {  // the checker of coherence knows what a load must give
            ASSERT_EQ(cpu.access(false, 0, seen.data(), 192), tlm::TLM_OK_RESPONSE);
            EXPECT_EQ(seen[29], 0);
            EXPECT_EQ(seen[30], 9);
            EXPECT_EQ(seen[179], 9);
            EXPECT_EQ(seen[180], 0);
        }
        EXPECT_EQ(s.rams[0].bytes[64], 9);
    });
}

/// Nobody can say where a line is whose transaction is under way: the access ends before it.
TEST(ChiSoftware, EndsADebugAccessAtALineUnderWay) {
    chi_system s(2, 1, 1, 32, {}, {});
    run(s, [&] {
        std::vector<unsigned char> stored(64, 7), seen(128);
        sc_core::sc_spawn([&] { s.cpus[0].access(true, 64, stored.data(), 64); });
        unsigned short_ones = 0;
        for (int k = 0; k < 200; ++k) {
            const unsigned done = debug(s.cpus[1], false, 0, seen);
            EXPECT_TRUE(done == 64 || done == 128);
            short_ones += done == 64;
            sc_core::wait(sc_time(1, SC_NS));
        }
        EXPECT_GT(short_ones, 10U);
        EXPECT_EQ(debug(s.cpus[1], false, 0, seen), 128U);
        EXPECT_EQ(seen[64], 7);
    });
}

/// Behind the last address there is nothing.
TEST(ChiSoftware, EndsADebugAccessAtTheLastAddress) {
    chi_system s(1, 1, 1, 32, {}, {});
    run(s, [&] {
        std::vector<unsigned char> stored(64, 7), seen(128);
        s.cpus[0].access(true, 0 - 64ULL, stored.data(), 64);
        sc_core::wait(sc_time(500, SC_NS));
        EXPECT_EQ(debug(s.cpus[0], false, 0 - 64ULL, seen), 64U);
        EXPECT_EQ(seen[63], 7);
    });
}

TEST(ChiSoftware, UsesByteEnablesAndStreams) {
    chi_system s(2, 1, 1, 32, {}, {});
    run(s, [&] {
        std::vector<unsigned char> data(130), enables{TLM_BYTE_ENABLED, TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
        for (unsigned k = 0; k < 130; ++k) data[k] = static_cast<unsigned char>(k + 1);
        tlm::tlm_generic_payload p;
        p.set_command(tlm::TLM_WRITE_COMMAND);
        p.set_address(20);
        p.set_data_ptr(data.data());
        p.set_data_length(130);
        p.set_streaming_width(130);
        p.set_byte_enable_ptr(enables.data());
        p.set_byte_enable_length(3);
        sc_time delay = sc_core::SC_ZERO_TIME;
        s.cpus[0].socket->b_transport(p, delay);
        EXPECT_TRUE(p.is_response_ok());
        std::vector<unsigned char> seen(130);
        s.cpus[1].access(false, 20, seen.data(), 130);
        for (unsigned k = 0; k < 130; ++k) EXPECT_EQ(seen[k], k % 3 == 2 ? 0 : data[k]) << k;

        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        p.set_dmi_allowed(false);
        p.set_byte_enable_ptr(nullptr);
        p.set_streaming_width(4);  // a register that is written time after time
        s.cpus[0].socket->b_transport(p, delay);
        s.cpus[1].access(false, 20, seen.data(), 5);
        EXPECT_EQ(seen[0], 129);
        EXPECT_EQ(seen[1], 130);
        EXPECT_EQ(seen[2], 127);
        EXPECT_EQ(seen[4], data[4]);
    });
}

/// What one node stores by DMI another one loads; the pointer is void before.
TEST(ChiSoftware, LosesDirectAccessWithTheLine) {
    chi_system s(2, 1, 1, 32, {2, 4}, {});
    run(s, [&] {
        chi_cpu &first = s.cpus[0], &second = s.cpus[1];
        std::vector<unsigned char> seen(64);
        EXPECT_EQ(first.pointer(false, 0x100), nullptr);  // not here
        first.access(false, 0x100, seen.data(), 64);      // the only one: unique
        unsigned char* here = first.pointer(true, 0x108);
        ASSERT_NE(here, nullptr);
        *here = 42;
        first.access(false, 0x108, seen.data(), 1);
        EXPECT_EQ(seen[0], 42);
        EXPECT_EQ(first.withdrawn, 0U);
        second.access(false, 0x100, seen.data(), 64);  // by SnpShared
        EXPECT_EQ(seen[8], 42);
        EXPECT_EQ(first.withdrawn, 1U);
        EXPECT_EQ(first.pointer(true, 0x108), nullptr);  // shared now
        ASSERT_NE(here = first.pointer(false, 0x108), nullptr);
        EXPECT_EQ(*here, 42);
        ASSERT_NE(second.pointer(false, 0x108), nullptr);
        unsigned char stored = 43;
        second.access(true, 0x108, &stored, 1);  // by SnpCleanInvalid
        EXPECT_EQ(first.withdrawn, 2U);
        *second.pointer(true, 0x109) = 44;
        second.access(false, 0x200, seen.data(), 64);
        second.access(false, 0x300, seen.data(), 64);  // two lines have room: the dirty one leaves
        EXPECT_EQ(second.direct.count(0x100), 0U);
        first.access(false, 0x108, seen.data(), 2);
        EXPECT_EQ(seen[0], 43);
        EXPECT_EQ(seen[1], 44);
    });
}

struct atomic_case {
    atomic_operation what;
    unsigned bytes;
    std::uint64_t value, operand, swapped, result;
    bool big_endian = false;
};
const atomic_case atomic_cases[] = {
    {atomic_operation::add, 2, 0xffff, 2, 0, 1},
    {atomic_operation::add, 4, 0x01000000, 0xff000000, 0, 0x00010000, true},
    {atomic_operation::clear, 8, 0xff00ff00ff00ff00, 0x0f0f0f0f0f0f0f0f, 0, 0xf000f000f000f000},
    {atomic_operation::exclusive_or, 1, 0xa5, 0xff, 0, 0x5a},
    {atomic_operation::set, 4, 0x10, 0x01, 0, 0x11},
    {atomic_operation::signed_max, 1, 0x80, 0x01, 0, 0x01},
    {atomic_operation::signed_min, 8, 5, ~std::uint64_t{0}, 0, ~std::uint64_t{0}},
    {atomic_operation::unsigned_max, 2, 0x8000, 1, 0, 0x8000},
    {atomic_operation::unsigned_min, 4, 7, 6, 0, 6},
    {atomic_operation::swap, 8, 1, 2, 0, 2},
    {atomic_operation::compare, 4, 9, 9, 10, 10},
    {atomic_operation::compare, 8, 9, 8, 10, 9},
};

/// Of each operation, by the home and in a cache that has the line for itself; lines that others have dirty.
TEST(ChiSoftware, DoesEachAtomicOperation) {
    chi_system s(3, 1, 1, 32, {}, {});
    run(s, [&] {
        std::uint64_t address = 0x1000, at_home = 0;
        for (const atomic_case& c : atomic_cases)
            for (const bool near : {false, true})
                for (const bool fetches : {true, false}) {
                    address += 0x38;
                    address &= ~std::uint64_t{7};
                    std::uint64_t value = c.value, seen = 0;
                    auto* bytes = reinterpret_cast<unsigned char*>(&value);
                    s.cpus[1].access(true, address, bytes, c.bytes);
                    if (near) s.cpus[0].access(true, address, bytes, c.bytes);
                    unsigned char operand[16];
                    std::memcpy(operand, &c.operand, 8);
                    std::memcpy(operand + c.bytes, &c.swapped, 8);
                    atomic_access a;
                    a.operation = c.what;
                    a.fetches = fetches;
                    a.big_endian = c.big_endian;
                    const bool compares = c.what == atomic_operation::compare;
                    ASSERT_EQ(s.cpus[0].access(true, address, operand, c.bytes << compares, &a),
                              tlm::TLM_OK_RESPONSE);
                    at_home += !near;
                    EXPECT_EQ(s.homes[0].count().atomics, at_home);
                    std::uint64_t before = 0;
                    std::memcpy(&before, a.before.data(), c.bytes);
                    if (fetches || near || c.what >= atomic_operation::swap) {
                        EXPECT_EQ(before, c.value);
                    }
                    s.cpus[2].access(false, address, reinterpret_cast<unsigned char*>(&seen), c.bytes);
                    EXPECT_EQ(seen, c.result) << static_cast<int>(c.what) << (near ? " near" : " far");
                }
    });
}

TEST(ChiSoftware, IsRefusedImpossibleAtomics) {
    chi_system s(1, 1, 1, 32, {}, {});
    run(s, [&] {
        std::array<unsigned char, 32> operand{};
        atomic_access a;
        const auto status = [&](bool write, std::uint64_t address, unsigned length) {
            return s.cpus[0].access(write, address, operand.data(), length, &a);
        };
        EXPECT_EQ(status(true, 8, 8), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(status(false, 8, 8), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(status(true, 4, 8), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(status(true, 0, 3), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(status(true, 0, 16), tlm::TLM_BURST_ERROR_RESPONSE);
        a.operation = atomic_operation::compare;
        EXPECT_EQ(status(true, 16, 32), tlm::TLM_OK_RESPONSE);
        // An error of the memory, beyond its end, is the access's.
        EXPECT_EQ(status(true, 0x20000, 16), tlm::TLM_GENERIC_ERROR_RESPONSE);
    });
}

/// Hits take no time; a miss is request, home with its memory, and response; so is one with a snoop. The same
/// is in accesses.csv, by cache and memory node.
TEST(ChiSoftware, LearnsWhereTheTimeWent) {
    chi_system s(2, 1, 1, 64, {}, {});
    run(s, [&] {
        std::array<unsigned char, 8> bytes{};
        const auto parts = [&](std::uint32_t k, bool write, std::uint64_t address) {
            s.cpus[k].access(write, address, bytes.data(), 8);
            return s.cpus[k].times;
        };
        s.transport.accesses().keep_intervals(sc_time(1, sc_core::SC_US));
        const access_times miss = parts(0, true, 0);
        EXPECT_GT(miss.request(), sc_time(10, SC_NS));
        EXPECT_GT(miss.memory(), sc_time(30, SC_NS));
        EXPECT_GT(miss.response(), sc_time(10, SC_NS));
        EXPECT_LE(miss.queueing(), sc_time(4, SC_NS));
        const access_times hit = parts(0, true, 0);
        EXPECT_EQ(hit.total(), sc_core::SC_ZERO_TIME);
        const access_times snoop = parts(1, false, 0);  // dirty: SnpShared, and memory gets the line
        EXPECT_GT(snoop.memory(), miss.memory());
        sc_core::wait(sc_time(500, SC_NS));
        // While the home serves the one, the other waits there.
        sc_core::sc_spawn([&] { s.cpus[0].access(true, 0x400, bytes.data(), 8); });
        const access_times waits = parts(1, true, 0x400);
        sc_core::wait(sc_time(500, SC_NS));
        EXPECT_GT(std::max(waits.queueing(), s.cpus[0].times.queueing()), sc_time(50, SC_NS));
        const std::vector<access_summary> rows = s.transport.accesses().results();
        ASSERT_EQ(rows.size(), 3U);
        EXPECT_EQ(rows[0].bridge, "cache0");
        EXPECT_EQ(rows[0].node, 0U);
        EXPECT_EQ(rows[0].writes, 3U);
        EXPECT_EQ(rows[0].bytes, 24U);
        EXPECT_EQ(rows[0].most_outstanding, 1U);
        const sc_time all = miss.total() + hit.total() + s.cpus[0].times.total();
        EXPECT_NEAR(rows[0].mean_ns, all / sc_time(3, SC_NS), 1e-6);
        EXPECT_NEAR(rows[0].queueing_ns + rows[0].request_ns + rows[0].memory_ns + rows[0].response_ns,
                    rows[0].mean_ns, 1e-6);
        EXPECT_EQ(rows[1].reads, 1U);
        EXPECT_EQ(rows[1].writes, 1U);
        EXPECT_TRUE(rows[2].memory);
        EXPECT_EQ(rows[2].bridge, s.memories[0].name());
        EXPECT_EQ(rows[2].reads, s.memories[0].reads());
        EXPECT_EQ(rows[2].writes, s.memories[0].writes());
        EXPECT_GT(rows[2].mean_ns, 0);
        std::ostringstream timeline;
        s.transport.accesses().write_timeline(timeline);
        EXPECT_NE(timeline.str().find("cache1,initiator,0,"), std::string::npos) << timeline.str();
    });
}

}  // namespace
}  // namespace sare::test::chi_software_test
