// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/chi_support.h"

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
TEST(ChiSoftware, DebugAccessesAreCoherent) {
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
TEST(ChiSoftware, ADebugAccessEndsAtALineOnItsWay) {
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

TEST(ChiSoftware, ByteEnablesAndStreams) {
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

}  // namespace
}  // namespace sare::test::chi_software_test
