// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/axi_support.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <gtest/gtest.h>

#include <set>

/// Atomic accesses over AXI4's bridges to a subordinate that knows none: it sees reads and writes.
namespace sare::test::axi_atomic_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

transaction& make_atomic(axi_pair<>& s, std::uint64_t address, atomic_operation what,
                         const std::vector<std::uint64_t>& words, unsigned id = 0) {
    transaction& t = s.make(true, address, axi::burst::incr, 3, static_cast<unsigned>(words.size()), id);
    std::memcpy(t.data.data(), words.data(), t.data.size());
    auto* a = new atomic_access;
    a->operation = what;
    t.set_auto_extension(a);
    return t;
}
std::uint64_t before(const transaction& t) {
    std::uint64_t x = 0;
    std::memcpy(&x, atomic_of(t)->before.data(), 8);
    return x;
}

/// Threads by calls and a process by phases count in the same word; a plain write beside it is not lost.
TEST(AxiAtomic, CountsEveryOperationOfManyThreads) {
    axi_pair<> s;
    std::set<std::uint64_t> seen;
    for (unsigned id = 0; id < 4; ++id)
        sc_core::sc_spawn([&, id] {
            for (unsigned k = 0; k < 40; ++k) {
                transaction& t = make_atomic(s, 0x10040, atomic_operation::add, {1}, id);
                s.access(t);
                EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
                EXPECT_TRUE(seen.insert(before(t)).second);
                t.release();
                transaction& own = s.make(true, 0x10048 + 8 * id, axi::burst::incr, 3, 1, id);
                s.access(own);
                own.release();
            }
        });
    s.cpu.on_response = [&](transaction& t) { EXPECT_TRUE(seen.insert(before(t)).second); };
    s.run([&](phase_manager<>& self) {
        for (unsigned k = 0; k < 40; ++k) self.begin(make_atomic(s, 0x10040, atomic_operation::add, {1}, 7));
        self.finish();
    });
    EXPECT_EQ(seen.size(), 200U);
    EXPECT_EQ(*seen.rbegin(), 199U);
}

TEST(AxiAtomic, EndsReservationsAndKeepsToItsBytes) {
    axi_pair<> s;
    s.run([&](phase_manager<>&) {
        const auto exclusive = [&](bool write, std::uint64_t address) {
            transaction& t = s.make(write, address, axi::burst::incr, 3, 1);
            t.get_extension<axi::extension>()->exclusive = true;
            s.access(t);
            const bool done = t.get_extension<axi::extension>()->resp == axi::response::exokay;
            t.release();
            return done;
        };
        const auto compare = [&](std::uint64_t address, const std::vector<std::uint64_t>& words) {
            transaction& t = make_atomic(s, address, atomic_operation::compare, words);
            s.access(t);
            EXPECT_TRUE(t.is_response_ok());
            const std::uint64_t was = before(t);
            t.release();
            return was;
        };
        std::uint64_t* const memory = reinterpret_cast<std::uint64_t*>(s.memory.bytes.data());
        // The last word of the memory, whose neighbour is beyond it; 16 bytes in four beats.
        memory[0x3ff8 / 8] = 5;
        EXPECT_EQ(compare(0x13ff8, {5, 6}), 5U);
        EXPECT_EQ(memory[0x3ff8 / 8], 6U);
        EXPECT_EQ(compare(0x13ff8, {5, 7}), 6U);
        EXPECT_EQ(memory[0x3ff8 / 8], 6U);
        memory[2] = 8, memory[3] = 9;
        EXPECT_EQ(compare(0x10010, {8, 9, 10, 11}), 8U);
        EXPECT_EQ(memory[2], 10U);
        EXPECT_EQ(memory[3], 11U);
        EXPECT_TRUE(exclusive(false, 0x10008));
        compare(0x10000, {1, 2});  // its operand is 16 bytes, what it touches is 8
        EXPECT_TRUE(exclusive(true, 0x10008));
        EXPECT_TRUE(exclusive(false, 0x10008));
        compare(0x10008, {1, 2});
        EXPECT_FALSE(exclusive(true, 0x10008));
    });
}

/// A subordinate takes one write at a time: none begins beside an atomic access, be it in its step that
/// reads.
TEST(AxiAtomic, HoldsOffOtherWritesInBothItsSteps) {
    axi::bridge_params one_at_once = axi_pair<>::by_phases();
    one_at_once.at_once = 1;
    axi_pair<> s(1000, one_at_once);
    sc_time ended;
    sc_core::sc_spawn([&] {
        sc_core::wait(sc_time(100, SC_NS));
        transaction& beside = s.make(true, 0x10100, axi::burst::incr, 3, 1, 1);
        s.access(beside);
        ended = sc_core::sc_time_stamp();
        beside.release();
    });
    s.run([&](phase_manager<>&) {
        transaction& t = make_atomic(s, 0x10040, atomic_operation::add, {1});
        s.access(t);
        t.release();
    });
    EXPECT_GT(ended, sc_time(3000, SC_NS));
    EXPECT_LT(ended, sc_time(3500, SC_NS));
}

TEST(AxiAtomic, RefusesImpossibleAtomics) {
    EXPECT_EQ((atomic_access{}.awatop()), 0x20);
    atomic_access a;
    a.fetches = false;
    a.operation = atomic_operation::unsigned_min;
    a.big_endian = true;
    EXPECT_EQ(a.awatop(), 0x1f);
    a.operation = atomic_operation::swap;
    EXPECT_EQ(a.awatop(), 0x30);
    a.operation = atomic_operation::compare;
    EXPECT_EQ(a.awatop(), 0x31);

    axi_pair<> s;  // its checkers would say the same
    bool through = false;
    s.cpu.body = [&](phase_manager<>&, bool writes) {
        if (!writes) return;
        const auto status = [&](std::uint64_t address, const std::vector<std::uint64_t>& words,
                                bool exclusive = false) {
            transaction& t = make_atomic(s, address, atomic_operation::add, words);
            t.get_extension<axi::extension>()->exclusive = exclusive;
            s.access(t);
            const auto result = t.get_response_status();
            t.release();
            return result;
        };
        EXPECT_EQ(status(0x10000, {1}), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(status(0x10000, {1, 2}), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(status(0x10000, {1}, true), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(status(0x20000, {1}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        through = true;
    };
    sc_core::sc_start();
    EXPECT_TRUE(through);
}

}  // namespace
}  // namespace sare::test::axi_atomic_test
