// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/support/in_child.h"
#include "tests/tlm/memory/memory_support.h"
#include "tlm/memory/memory_bridge.h"

#include <gtest/gtest.h>

/// What TLM-2.0 asks of an interconnect: that the target gets the initiator's own transaction, that no time
/// is lost, and that a call which must wait is refused where nobody may.
namespace sare::test::memory_originals_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// An extension that carries what the target works on, as gem5's bridges have it.
struct packet_extension final : tlm::tlm_extension<packet_extension> {
    unsigned char* data = nullptr;
    tlm::tlm_extension_base* clone() const override {
        auto* copy = new packet_extension;
        copy->data = data;
        return copy;
    }
    void copy_from(const tlm::tlm_extension_base& o) override {
        data = static_cast<const packet_extension&>(o).data;
    }
};

/// A memory that answers into the packet of the extension, and does to the delay what it is told.
struct packet_memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<packet_memory> socket{"socket"};
    std::function<void(sc_time&)> take_time = [](sc_time& delay) { delay += sc_time(10, SC_NS); };
    const tlm::tlm_generic_payload* seen = nullptr;
    std::uint64_t address = 0;
    explicit packet_memory(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
        socket.register_b_transport(this, &packet_memory::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        seen = &p;
        address = p.get_address();
        const auto* packet = p.get_extension<packet_extension>();
        std::memset(packet != nullptr ? packet->data : p.get_data_ptr(), 0xab, p.get_data_length());
        take_time(delay);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

struct client : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<client> socket{"socket"};
    std::function<void(client&)> body;
    explicit client(const sc_core::sc_module_name& name, bool thread = true) : sc_core::sc_module(name) {
        SC_HAS_PROCESS(client);
        if (thread) {
            SC_THREAD(run);
        } else {
            SC_METHOD(run);
        }
    }
    void run() { body(*this); }
    /// Reads 16 bytes at 0x20, with the delay `ahead`. Returns the delay that came back.
    sc_time read(tlm::tlm_generic_payload& t, unsigned char* data, sc_time ahead = sc_core::SC_ZERO_TIME) {
        t.set_command(tlm::TLM_READ_COMMAND);
        t.set_address(0x20);
        t.set_data_ptr(data);
        t.set_data_length(16);
        t.set_streaming_width(16);
        t.set_byte_enable_ptr(nullptr);
        t.set_dmi_allowed(false);
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        socket->b_transport(t, ahead);
        return ahead;
    }
};

struct platform {
    explicit platform(access_mode mode, bool thread = true)
        : near("near", net.nics[0], map, params_of(mode)),
          far("far", net.nics[1], map, params_of(mode)),
          cpu("cpu", thread) {
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
    }
    static memory_bridge_params params_of(access_mode mode) {
        memory_bridge_params p;
        p.mode = mode;
        p.sample = 0;
        return p;
    }
    hand_mesh net{"net", 2, 1, {}, 2};
    memory_map map{net.engine, {{0, 0x100, 1}}};
    memory_bridge near, far;
    client cpu;
    packet_memory ram{"ram"};
};

TEST(MemoryOriginals, TheTargetGetsTheInitiatorsTransaction) {
    for (const access_mode mode : {access_mode::exact, access_mode::estimate, access_mode::functional}) {
        EXPECT_EQ(in_child([=] {
                      platform p(mode);
                      std::string said;
                      p.cpu.body = [&](client& self) {
                          unsigned char data[16] = {};
                          tlm::tlm_generic_payload t;
                          packet_extension packet;
                          packet.data = data;
                          t.set_extension(&packet);
                          self.read(t, data);
                          t.clear_extension(&packet);
                          said = t.get_response_string() + (data[5] == 0xab ? ", its data" : ", other data") +
                                 (p.ram.seen == &t ? ", itself" : ", a copy");
                      };
                      sc_core::sc_start();
                      return said;
                  }),
                  "TLM_OK_RESPONSE, its data, itself")
            << static_cast<int>(mode);
    }
}

/// A transaction that the memory's side has is at the memory's address, and at its own before and after.
TEST(MemoryOriginals, AddressesAreTheMemorysWhileItHasThem) {
    platform p(access_mode::exact);
    transaction_pool pool;
    p.cpu.body = [&](client& self) {
        transaction& t = pool.take(false, 0x20, 16);
        unsigned char data[16] = {};
        self.read(t, data);
        EXPECT_EQ(p.ram.seen, &t);
        EXPECT_EQ(p.ram.address, 0x20U);
        EXPECT_EQ(t.get_address(), 0x20U);
        EXPECT_EQ(t.get_ref_count(), 1);
        EXPECT_EQ(data[15], 0xab);
        t.release();
    };
    sc_core::sc_start();
    EXPECT_EQ(pool.in_use(), 0U);
}

TEST(MemoryOriginals, AMethodIsToldThatItCannotWait) {
    EXPECT_EQ(
        in_child([] {
            platform p(access_mode::exact, false);
            std::string said;
            p.cpu.body = [&](client& self) {
                unsigned char data[16] = {};
                tlm::tlm_generic_payload t;
                said = error_of([&] { self.read(t, data); });
            };
            sc_core::sc_start();
            return said;
        }),
        "/sare/protocol: near, initiator 0: b_transport of a read of 16 bytes at 0x20 by the method cpu.run, "
        "and in mode 'exact' the call must wait for the network: call it from a thread, by "
        "nb_transport_fw, or in mode 'estimate'");
}

/// Delay of four accesses one after the other, in mode estimate.
sc_time time_of_four(const std::function<void(sc_time&)>& memory, bool drops) {
    sc_time last;
    platform p(access_mode::estimate);
    p.ram.take_time = memory;
    p.cpu.body = [&](client& self) {
        unsigned char data[16] = {};
        sc_time delay;
        for (int k = 0; k < 4; ++k) {
            tlm::tlm_generic_payload t;
            delay = self.read(t, data, drops ? sc_core::SC_ZERO_TIME : delay);
        }
        last = delay;
    };
    sc_core::sc_start();
    return last;
}

/// A target that sets the delay instead of adding to it, and an initiator that drops what it got, take the
/// time that they would take if they did as the standard says.
TEST(MemoryOriginals, NoTimeIsLostWhereAnotherLosesIt) {
    const auto adds = [](sc_time& delay) { delay += sc_time(10, SC_NS); };
    const auto sets = [](sc_time& delay) { delay = sc_time(10, SC_NS); };
    const auto run = [](const std::function<void(sc_time&)>& memory, bool drops) {
        return in_child([&] {
            sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
            return time_of_four(memory, drops).to_string();
        });
    };
    const std::string right = run(adds, false);
    EXPECT_NE(right, "0 s");
    EXPECT_EQ(run(sets, false), right);
    EXPECT_EQ(run(adds, true), right);
    EXPECT_EQ(run(sets, true), right);
}

}  // namespace
}  // namespace sare::test::memory_originals_test
