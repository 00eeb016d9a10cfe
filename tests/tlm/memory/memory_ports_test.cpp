// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory/memory_support.h"
#include "tests/tlm/router/protocol_checker.h"

#include <gtest/gtest.h>

/// What is bound to a bridge, and how: one thing at a time.
namespace sare::test::memory_ports_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// A 3x3 mesh with a bridge of phases and its initiator at node 0.
struct small_system {
    explicit small_system(std::vector<address_range> ranges, const memory_bridge_params& params = {})
        : net("net", 3, 3, router_params{}, 2),
          map(net.engine, std::move(ranges)),
          near("near", net.nics[0], map, params),
          cpu("cpu") {
        checkers.between<32>(cpu.socket, near.initiators);
        cpu.on_response = [this](transaction& t) {
            answered.push_back(t.number);
            at.push_back(sc_core::sc_time_stamp());
            statuses.push_back(t.get_response_status());
        };
    }
    /// Begins all, which `prepare` makes of 0, 1, 2, ..., and runs to the end.
    void run(unsigned all, const std::function<transaction&(unsigned)>& prepare) {
        cpu.body = [=](phase_initiator<>& self) {
            for (unsigned k = 0; k < all; ++k) {
                transaction& t = prepare(k);
                t.number = k;
                self.begin(t);
            }
            self.finish();
        };
        sc_core::sc_start();
        EXPECT_EQ(answered.size(), all);
        checkers.look();
        EXPECT_EQ(net.engine.net().view().leftovers(), "");
    }
    transaction& access(bool write, std::uint64_t address, unsigned bytes, std::uint32_t id = 0) {
        transaction& t = cpu.pool.take(write, address, bytes, 1);
        if (id != 0) t.set_auto_extension(new access_id(id));
        return t;
    }

    hand_mesh net;
    memory_map map;
    memory_bridge near;
    phase_initiator<> cpu;
    protocol_checkers checkers;
    std::vector<std::size_t> answered;
    std::vector<sc_time> at;
    std::vector<tlm::tlm_response_status> statuses;
};

memory_bridge_params with(std::uint32_t at_once, memory_timing timing = memory_timing::blocking) {
    memory_bridge_params p;
    p.at_once = at_once;
    p.timing = timing;
    return p;
}

/// Eight reads of a memory that takes a microsecond for each.
double eight_reads(const memory_bridge_params& params) {
    small_system s({{0, 0x1000, 8}});
    memory_bridge far("far", s.net.nics[8], s.map, params);
    std::optional<blocking_memory_model<>> blocking;
    std::optional<phased_memory_model<>> phased;
    if (params.timing == memory_timing::blocking)
        s.checkers.between<32>(far.memory, blocking.emplace("blocking", 0x1000, always(1000)).socket);
    else
        s.checkers.between<32>(far.memory, phased.emplace("phased", 0x1000, always(1000)).socket);
    s.run(8, [&](unsigned k) -> transaction& { return s.access(false, 64 * k, 8, k); });
    if (params.timing == memory_timing::blocking)
        EXPECT_EQ(far.memory_counts_of(0).most_at_once, params.at_once);
    else
        EXPECT_GT(far.memory_counts_of(0).most_at_once, 1U);
    EXPECT_EQ(far.memory_counts_of(0).accesses, 8U);
    return s.at.back() / sc_time(1000, SC_NS);
}

TEST(MemoryPorts, DoOneAccessAtATimeOfABlockingMemory) {
    EXPECT_NEAR(eight_reads(with(1)), 8, 0.2);
}
TEST(MemoryPorts, DoFourAccessesAtATimeOfABlockingMemory) {
    EXPECT_NEAR(eight_reads(with(4)), 2, 0.2);
}
/// In the five ways of the model: some hold the next request back.
TEST(MemoryPorts, DoSeveralAccessesAtATimeOfAPhasedMemory) {
    EXPECT_LT(eight_reads(with(8, memory_timing::phases)), 6.5);
}

/// What reads what is being written waits, however many accesses the memory would take at once.
TEST(MemoryPorts, DoDependentAccessesOneAfterAnother) {
    small_system s({{0, 0x1000, 8}});
    memory_bridge far("far", s.net.nics[8], s.map, with(8));
    unsigned calls = 0;  // each faster than the one before
    blocking_memory_model<> ram("ram", 0x1000,
                                [&] { return sc_time(std::max(1.0, 500.0 - 100 * calls++), SC_NS); });
    s.checkers.between<32>(far.memory, ram.socket);
    transaction* last = nullptr;
    s.run(5, [&](unsigned k) -> transaction& {
        transaction& t = s.access(k != 4, 0x20 + k % 2, 8);
        std::fill(t.data.begin(), t.data.end(), static_cast<unsigned char>(10 + k));
        if (k == 4) {
            last = &t;
            t.acquire();
        }
        return t;
    });
    const std::vector<unsigned char> seen{12, 13, 13, 13, 13, 13, 13, 13};
    EXPECT_EQ(last->data, seen);
    last->release();
    EXPECT_EQ(far.memory_counts_of(0).most_at_once, 1U);
}

/// Two initiators, and two memories with two ranges each, on one bridge.
TEST(MemoryPorts, ServeSeveralInitiatorsMemoriesAndRanges) {
    small_system s({{0x1000, 0x100, 0, 0x80, 0},
                    {0x8000, 0x80, 0, 0, 0},
                    {0x2000, 0x100, 0, 0, 1},
                    {0x3000, 0x40, 0, 0x100, 1}});
    phase_initiator<> other("other");
    blocking_memory_model<> first("first", 0x180, always(5)), second("second", 0x140, always(5));
    s.checkers.between<32>(other.socket, s.near.initiators);
    s.checkers.between<32>(s.near.memory, first.socket);
    s.checkers.between<32>(s.near.memory, second.socket);
    other.body = [](phase_initiator<>& self) {
        self.begin(self.pool.take(true, 0x303f, 1, 77));
        self.finish();
    };
    const std::uint64_t addresses[] = {0x1000, 0x10ff, 0x807f, 0x2003, 0x1100};
    s.run(5, [&](unsigned k) -> transaction& { return s.access(false, addresses[k], 1); });
    EXPECT_EQ(first.addresses, (std::vector<std::uint64_t>{0x80, 0x17f, 0x7f}));
    ASSERT_EQ(second.addresses.size(), 2U);
    EXPECT_EQ(second.addresses[0] + second.addresses[1], 0x13fU + 0x3U);
    EXPECT_EQ(second.bytes[0x13f], 77);
    EXPECT_EQ(s.statuses.back() == tlm::TLM_OK_RESPONSE, false);
    EXPECT_EQ(std::count(s.statuses.begin(), s.statuses.end(), tlm::TLM_OK_RESPONSE), 4);
    EXPECT_EQ(s.near.initiator_counts_of(1).accesses, 1U);
}

TEST(MemoryPorts, MayHaveDifferentWidthsOnOneNode) {
    small_system s({{0, 0x100, 8, 0, 0}, {0x100, 0x100, 8, 0, 1}});
    basic_memory_bridge<64> narrow("narrow", s.net.nics[8], s.map);
    basic_memory_bridge<512> wide("wide", s.net.nics[8], s.map);
    blocking_memory_model<64> first("first", 0x100, always(5));
    blocking_memory_model<512> second("second", 0x100, always(5));
    s.checkers.between<64>(narrow.memory, first.socket);
    s.checkers.between<512>(wide.memory, second.socket);
    s.run(2, [&](unsigned k) -> transaction& { return s.access(true, 0x100 * k, 200); });
    EXPECT_EQ(first.calls, 1U);
    EXPECT_EQ(second.calls, 1U);
}

/// The first access is long; what follows it is short.
std::vector<std::size_t> answers(access_order order, std::uint32_t id) {
    memory_bridge_params params;
    params.order = order;
    small_system s({{0, 0x1000, 8}, {0x1000, 0x1000, 1}}, params);
    memory_bridge far("far", s.net.nics[8], s.map, with(4)), close("close", s.net.nics[1], s.map);
    blocking_memory_model<> slow("slow", 0x1000, always(500)), fast("fast", 0x1000, always(1));
    s.checkers.between<32>(far.memory, slow.socket);
    s.checkers.between<32>(close.memory, fast.socket);
    s.run(3, [&](unsigned k) -> transaction& {
        return s.access(k == 0, k == 0 ? 0 : 0x1000 + 64 * k, k == 0 ? 2000 : 4, k == 0 ? 0 : id);
    });
    EXPECT_EQ(s.at[1] > sc_time(500, SC_NS), id == 0);
    // A round trip between two answers, or none.
    const unsigned first = id == 0 ? 1 : 0;
    EXPECT_EQ(s.at[first + 1] - s.at[first] > sc_time(20, SC_NS), order == access_order::wait);
    EXPECT_EQ(s.at[1] - s.at[0] > sc_time(20, SC_NS), order != access_order::reorder);
    return s.answered;
}

TEST(MemoryPorts, AnswerAnIdInOrder) {
    EXPECT_EQ(answers(access_order::reorder, 0), (std::vector<std::size_t>{0, 1, 2}));
}
TEST(MemoryPorts, AnswerDifferentIdsOutOfOrder) {
    EXPECT_EQ(answers(access_order::reorder, 5), (std::vector<std::size_t>{1, 2, 0}));
}
TEST(MemoryPorts, MakeAnIdWaitForItsResponse) {
    EXPECT_EQ(answers(access_order::wait, 0), (std::vector<std::size_t>{0, 1, 2}));
}
TEST(MemoryPorts, LetDifferentIdsGoOnWithoutWaiting) {
    EXPECT_EQ(answers(access_order::wait, 5), (std::vector<std::size_t>{1, 2, 0}));
}

TEST(MemoryPorts, KeepAnIdInOrderInAnOrderedNetwork) {
    EXPECT_EQ(answers(access_order::network, 0), (std::vector<std::size_t>{0, 1, 2}));
}

/// The memory of the first one has no place for it yet; that of the second one has.
TEST(MemoryPorts, KeepAWaitingIdInOrderAcrossMemories) {
    memory_bridge_params waits, narrow;
    waits.order = access_order::wait;
    narrow.window = 1;
    small_system s({{0, 0x1000, 8}, {0x1000, 0x1000, 1}}, waits);
    memory_bridge far("far", s.net.nics[8], s.map, narrow), close("close", s.net.nics[1], s.map);
    std::vector<sc_time> done;
    const auto note = [&](double ns) {
        return [&done, ns] {
            done.push_back(sc_core::sc_time_stamp());
            return sc_time(ns, SC_NS);
        };
    };
    blocking_memory_model<> slow("slow", 0x1000, note(500)), fast("fast", 0x1000, note(1));
    s.checkers.between<32>(far.memory, slow.socket);
    s.checkers.between<32>(close.memory, fast.socket);
    s.cpu.body = [&](phase_initiator<>&) {
        const auto write = [&](std::uint64_t address, std::uint32_t id) {
            transaction& t = s.access(true, address, 8, id);
            sc_time delay = sc_core::SC_ZERO_TIME;
            s.cpu.socket->b_transport(t, delay);
            t.release();
        };
        sc_core::sc_spawn([=] { write(0, 7); });  // takes the one place
        sc_core::wait(1, SC_NS);
        sc_core::sc_spawn([=] { write(0, 0); });
        sc_core::wait(5, SC_NS);
        write(0x1000, 0);
    };
    sc_core::sc_start();
    ASSERT_EQ(done.size(), 3U);
    EXPECT_EQ(fast.calls, 1U);
    EXPECT_GT(done[2], sc_time(1000, SC_NS)) << "the last one came before the second";
}

/// A memory holds what it has places for, and no more.
TEST(MemoryPorts, FillAWindowAndDoNotExceedIt) {
    small_system s({{0, 0x1000, 8}});
    memory_bridge_params params;
    params.window = 3;
    memory_bridge far("far", s.net.nics[8], s.map, params);
    blocking_memory_model<> ram("ram", 0x1000, always(300));
    s.checkers.between<32>(far.memory, ram.socket);
    s.run(20, [&](unsigned k) -> transaction& { return s.access(true, 8 * k, 8, k); });
    EXPECT_EQ(far.memory_counts_of(0).most_held, 3U);
}

/// Begins an access whenever it is called: within the end of a request, and within a response, which it ends
/// by a call of its own there.
struct calling_back : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<calling_back> socket;
    transaction_pool pool;
    unsigned begun = 0, ended = 0;
    tlm::tlm_generic_payload* requesting = nullptr;

    explicit calling_back(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        SC_HAS_PROCESS(calling_back);
        socket.register_nb_transport_bw(this, &calling_back::nb_transport_bw);
        SC_METHOD(begin);
    }
    void begin() {
        while (requesting == nullptr && begun < 100) {
            requesting = &pool.take(begun % 2 == 0, 8 * begun, 8);
            ++begun;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay(begun % 3, SC_NS);
            if (socket->nb_transport_fw(*requesting, phase, delay) == tlm::TLM_UPDATED) requesting = nullptr;
        }
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time& delay) {
        if (phase == tlm::END_REQ) {
            requesting = nullptr;
        } else {
            ++ended;
            tlm::tlm_phase end = tlm::END_RESP;
            socket->nb_transport_fw(p, end, delay);
            p.release();
        }
        begin();
        return tlm::TLM_ACCEPTED;
    }
};

TEST(MemoryPorts, LetInitiatorsCallWithinCalls) {
    hand_mesh net("net", 3, 3, {}, 2);
    memory_map map(net.engine, {{0, 0x1000, 8}});
    memory_bridge near("near", net.nics[0], map),
        far("far", net.nics[8], map, with(4, memory_timing::phases));
    phased_memory_model<> ram("ram", 0x1000, always(20));
    calling_back cpu("cpu");
    protocol_checkers checkers;
    checkers.between<32>(cpu.socket, near.initiators);
    checkers.between<32>(far.memory, ram.socket);
    sc_core::sc_start();
    EXPECT_EQ(cpu.ended, 100U);
    EXPECT_EQ(cpu.pool.in_use(), 0U);
    checkers.look();
    EXPECT_EQ(net.engine.net().view().leftovers(), "");
}

/// What no memory has takes its place among what is outstanding, and its turn.
TEST(MemoryPorts, AnswerAddressErrorsBoundedAndInOrder) {
    memory_bridge_params params;
    params.outstanding = 2;
    small_system s({{0, 0x1000, 8}}, params);
    memory_bridge far("far", s.net.nics[8], s.map);
    blocking_memory_model<> ram("ram", 0x1000, always(300));
    s.checkers.between<32>(far.memory, ram.socket);
    s.cpu.response_time = sc_time(10, SC_NS);
    s.run(20, [&](unsigned k) -> transaction& { return s.access(true, k == 0 ? 0 : 0x1000, 8); });
    EXPECT_TRUE(std::is_sorted(s.answered.begin(), s.answered.end()));
    EXPECT_GT(s.at.front(), sc_time(300, SC_NS));
    EXPECT_EQ(std::count(s.statuses.begin(), s.statuses.end(), tlm::TLM_ADDRESS_ERROR_RESPONSE), 19);
    EXPECT_EQ(s.near.initiator_counts_of(0).most_outstanding, 2U);
    EXPECT_EQ(ram.calls, 1U);
}

/// In the last bytes of a range: what counts is what is touched.
TEST(MemoryPorts, ServeStreamsAndByteEnablesAtARangeEnd) {
    small_system s({{0x1000, 0x100, 8}});
    memory_bridge far("far", s.net.nics[8], s.map);
    blocking_memory_model<> ram("ram", 0x100, always(5));
    s.checkers.between<32>(far.memory, ram.socket);
    std::vector<transaction*> all;
    s.run(6, [&](unsigned k) -> transaction& {
        transaction& t = s.access(k % 2 == 0, 0x10fc, k < 4 ? 64 : 8);
        for (unsigned j = 0; j < t.data.size(); ++j) t.data[j] = static_cast<unsigned char>(100 * k + j);
        if (k == 0 || k == 1) t.set_streaming_width(4);  // a register that is written 16 times, and read
        if (k == 2) t.set_streaming_width(5);            // a byte too far
        if (k >= 3) {
            t.enables.assign(t.data.size(), TLM_BYTE_DISABLED);
            t.enables[1] = t.enables[3] = TLM_BYTE_ENABLED;
            if (k == 5) t.enables[4] = TLM_BYTE_ENABLED;  // a byte too far
            t.set_byte_enable_ptr(t.enables.data());
            t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
        }
        t.acquire();
        all.push_back(&t);
        return t;
    });
    const auto ok = tlm::TLM_OK_RESPONSE, error = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    EXPECT_EQ(s.statuses, (std::vector<tlm::tlm_response_status>{ok, ok, error, ok, ok, error}));
    for (unsigned j = 0; j < 64; ++j) {
        EXPECT_EQ(all[1]->data[j], 60 + j % 4);  // of the last of 16 writes
        const bool read = j == 1 || j == 3;
        EXPECT_EQ(all[3]->data[j], static_cast<unsigned char>(read ? 60 + j : 300 + j));
    }
    EXPECT_EQ(std::vector<unsigned char>(ram.bytes.end() - 4, ram.bytes.end()),
              (std::vector<unsigned char>{60, static_cast<unsigned char>(401), 62,
                                          static_cast<unsigned char>(403)}));
    for (transaction* t : all) t->release();
}

TEST(MemoryPorts, AnswerImpossibleAttributes) {
    small_system s({{0x1000, 0x100, 8}});
    memory_bridge far("far", s.net.nics[8], s.map);
    blocking_memory_model<> ram("ram", 0x100, always(5));
    s.checkers.between<32>(far.memory, ram.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto status = [&](const std::function<void(transaction&)>& spoil) {
        transaction& t = s.access(true, 0x1000, 8);
        spoil(t);
        sc_time delay = sc_core::SC_ZERO_TIME;
        s.cpu.socket->b_transport(t, delay);
        const auto its = t.get_response_status();
        t.release();
        return its;
    };
    EXPECT_EQ(status([](transaction& t) { t.set_data_length(0); }), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status([](transaction& t) { t.set_streaming_width(0); }), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(status([](transaction& t) { t.set_data_ptr(nullptr); }), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(status([](transaction& t) { t.set_byte_enable_ptr(t.get_data_ptr()); }),
              tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

/// An extension of the user's: the memory sees it, what it writes there comes back, and none is left.
struct stamp final : tlm::tlm_extension<stamp> {
    static int alive;
    int value = 0;
    stamp() { ++alive; }
    stamp(const stamp& o) : tlm::tlm_extension<stamp>(), value(o.value) { ++alive; }
    ~stamp() override { --alive; }
    tlm::tlm_extension_base* clone() const override { return new stamp(*this); }
    void copy_from(const tlm::tlm_extension_base& o) override { value = static_cast<const stamp&>(o).value; }
};
int stamp::alive = 0;

struct stamping_memory : public sc_core::sc_module {
    tlm_utils::simple_target_socket<stamping_memory> socket;
    explicit stamping_memory(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        socket.register_b_transport(this, &stamping_memory::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_time&) {
        p.get_extension<stamp>()->value *= 2;
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

TEST(MemoryPorts, CarryExtensions) {
    small_system s({{0, 0x100, 8}});
    memory_bridge far("far", s.net.nics[8], s.map);
    stamping_memory ram("ram");
    s.checkers.between<32>(far.memory, ram.socket);
    const auto told = s.cpu.on_response;
    int seen = 0;
    s.cpu.on_response = [&](transaction& t) {
        told(t);
        seen += t.get_extension<stamp>()->value;
    };
    s.run(20, [&](unsigned k) -> transaction& {
        transaction& t = s.access(true, 0, 8);
        auto* with_value = new stamp;
        with_value->value = static_cast<int>(k);
        t.set_auto_extension(with_value);
        return t;
    });
    EXPECT_EQ(seen, 2 * 190);
    EXPECT_EQ(stamp::alive, 0);
}

TEST(MemoryPorts, EndDebugAccessesWithTheRangeAndRefuseDmi) {
    small_system s({{0x1000, 0x40, 8, 0x80}});
    memory_bridge far("far", s.net.nics[8], s.map);
    blocking_memory_model<> ram("ram", 0x100, always(5));
    s.checkers.between<32>(far.memory, ram.socket);
    phase_initiator<> direct("direct");
    direct.socket.bind(s.near.initiators);
    ram.bytes[0xbf] = 9;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    transaction& t = s.access(false, 0x103e, 16);
    EXPECT_EQ(s.cpu.socket->transport_dbg(t), 2U);
    EXPECT_EQ(t.data[1], 9);
    EXPECT_EQ(t.data[2], 1);
    EXPECT_EQ(t.get_data_length(), 16U);
    EXPECT_EQ(t.get_address(), 0x103eU);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(direct.socket->get_direct_mem_ptr(t, dmi));
    t.release();
}

}  // namespace
}  // namespace sare::test::memory_ports_test
