// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/support/in_child.h"
#include "tests/tlm/memory/memory_support.h"
#include "tlm/memory/memory_bridge.h"

#include <gtest/gtest.h>

/// Payloads that are used, changed or named when they may not be: a line, and all goes on.
namespace sare::test::memory_payload_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

/// Answers by phases as a test says, and says phases of its own.
struct told_memory : public sc_core::sc_module {
    tlm_utils::simple_target_socket<told_memory> socket;
    std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&)> answer;

    explicit told_memory(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        socket.register_nb_transport_fw(this, &told_memory::nb_transport_fw);
    }
    std::string say(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        return error_of([&] { socket->nb_transport_bw(p, phase, delay); });
    }

  private:
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
        return answer(p, phase);
    }
};

TLM_DECLARE_EXTENDED_PHASE(of_another_protocol);

memory_bridge_params by_phases() {
    memory_bridge_params p;
    p.timing = memory_timing::phases;
    return p;
}

/// An initiator at node 0, a memory at node 1 that owns all addresses from the last 256 on, and the first
/// 256.
template <class Memory>
struct far_memory {
    template <class... Args>
    explicit far_memory(const memory_bridge_params& params, Args&&... args)
        : far("far", net.nics[1], map, params), ram("ram", std::forward<Args>(args)...) {
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
    }
    void blocking(transaction& t) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        cpu.socket->b_transport(t, delay);
    }
    hand_mesh net{"net", 2, 1, {}, 2};
    memory_map map{net.engine, {{0 - 0x100ULL, 0x100, 1}, {0, 0x100, 1, 0x100}}};
    memory_bridge near{"near", net.nics[0], map}, far;
    phase_initiator<> cpu{"cpu"};
    Memory ram;
};

std::string refused(const std::string& by, const std::string& phase, const std::string& what) {
    return "/sare/protocol: " + by + ": " + phase + " of a " + what +
           ", which does not come next in the base protocol";
}

/// Of another payload, and of one that it has answered: while the access is on its way back, and later.
TEST(MemoryPayload, IsRefusedFromAMemoryThatDoesNotHaveIt) {
    far_memory<told_memory> s(by_phases());
    tlm::tlm_generic_payload foreign;
    tlm::tlm_generic_payload* last = nullptr;
    std::vector<std::string> said;
    s.ram.answer = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
        if (phase == tlm::BEGIN_REQ) {
            last = &p;
            p.acquire();
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            said.push_back(s.ram.say(foreign, tlm::BEGIN_RESP));
        }
        return tlm::TLM_COMPLETED;
    };
    s.cpu.body = [&](phase_initiator<>& self) {
        transaction& t = self.pool.take(false, 0, 8);
        sc_core::sc_spawn([&] {
            while (last == nullptr) sc_core::wait(1, SC_NS);
            said.push_back(s.ram.say(*last, tlm::BEGIN_RESP));
        });
        s.blocking(t);
        EXPECT_TRUE(t.is_response_ok());
        sc_core::wait(100, SC_NS);
        said.push_back(s.ram.say(*last, tlm::BEGIN_RESP));
        said.push_back(s.ram.say(*last, tlm::END_REQ));
        last->release();
        t.release();
    };
    sc_core::sc_start();
    // The initiator's own transaction, which has its address again once the memory has answered.
    const std::string by = "far, memory 0", read = "read of 8 bytes at 0x0";
    EXPECT_EQ(said, (std::vector<std::string>{
                        refused(by, "BEGIN_RESP", "transaction without a command of 0 bytes at 0x0"),
                        refused(by, "BEGIN_RESP", read), refused(by, "BEGIN_RESP", read),
                        refused(by, "END_REQ", read)}));
    EXPECT_EQ(s.net.engine.net().view().leftovers(), "");
}

/// By the return path, too: an initiator may end a response, or say something of a protocol of its own.
TEST(MemoryPayload, TakesOnlyFittingPhasesFromAnInitiator) {
    const auto run = [](tlm::tlm_phase to, tlm::tlm_phase by, double response_time) {
        return in_child([=] {
            far_memory<blocking_memory_model<>> s({}, 0x200, always(50));
            s.cpu.response_time = sc_time(response_time, SC_NS);
            s.cpu.change_answer = [=](tlm::tlm_phase called, tlm::tlm_phase& phase,
                                      tlm::tlm_sync_enum& answer) {
                if (called != to) return;
                phase = by;
                answer = tlm::TLM_UPDATED;
            };
            s.cpu.body = [&](phase_initiator<>& self) {
                // Made ahead of its time: END_REQ comes by a call.
                for (int k = 0; k < 2; ++k) self.begin(self.pool.take(true, 0, 8), sc_time(1, SC_NS));
                self.finish();
            };
            const std::string said = error_of([] { sc_core::sc_start(); });
            return said.empty() ? std::to_string(s.cpu.outstanding) + " left" : said;
        });
    };
    const auto cannot = [](const char* phase) {
        return refused("near, initiator 0", phase, "write of 8 bytes at 0x0");
    };
    EXPECT_EQ(run(tlm::BEGIN_RESP, tlm::END_RESP, 0), "0 left");
    EXPECT_EQ(run(tlm::BEGIN_RESP, of_another_protocol, 20), "0 left");
    EXPECT_EQ(run(tlm::BEGIN_RESP, tlm::BEGIN_RESP, 20), cannot("BEGIN_RESP"));
    EXPECT_EQ(run(tlm::BEGIN_RESP, tlm::END_REQ, 20), cannot("END_REQ"));
    EXPECT_EQ(run(tlm::END_REQ, of_another_protocol, 0), "0 left");
    EXPECT_EQ(run(tlm::END_REQ, tlm::BEGIN_RESP, 0), cannot("BEGIN_RESP"));
}

/// By phases from BEGIN_REQ to END_RESP, by b_transport until it returns; the access before goes on.
TEST(MemoryPayload, MayBeginAgainOnlyAfterItsEnd) {
    far_memory<blocking_memory_model<>> s({}, 0x200, always(50));
    std::vector<std::string> said;
    s.cpu.response_time = sc_time(20, SC_NS);
    s.cpu.body = [&](phase_initiator<>& self) {
        transaction& t = self.pool.take(true, 0x10, 8, 7);
        const auto again = [&] {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay = sc_core::SC_ZERO_TIME;
            said.push_back(error_of([&] { self.socket->nb_transport_fw(t, phase, delay); }));
            said.push_back(error_of([&] { s.blocking(t); }));
        };
        t.acquire();
        self.begin(t);
        again();
        while (t.is_response_error()) sc_core::wait(1, SC_NS);
        again();  // its END_RESP is to come
        self.finish();
        sc_core::sc_spawn([&] { s.blocking(t); });
        sc_core::wait(1, SC_NS);
        again();
        sc_core::wait(200, SC_NS);
        s.blocking(t);
        t.release();
    };
    sc_core::sc_start();
    EXPECT_EQ(said, std::vector<std::string>(
                        6,
                        "/sare/protocol: near, initiator 0: a write of 8 bytes at 0x10 by a payload that is "
                        "under way; it may begin again after its end"));
    EXPECT_EQ(s.ram.calls, 3U);
    EXPECT_EQ(s.net.engine.net().view().leftovers(), "");
}

/// Its response has no place for what was not asked for.
TEST(MemoryPayload, MustNotChangeOnItsWay) {
    far_memory<blocking_memory_model<>> s({}, 0x200, always(50));
    std::vector<unsigned char> many(4096, 1);
    std::string said;
    s.cpu.body = [&](phase_initiator<>& self) {
        transaction& t = self.pool.take(false, 0x10, 8);
        sc_core::sc_spawn([&] {
            sc_core::wait(10, SC_NS);
            t.set_data_ptr(many.data());
            t.set_data_length(4096);
        });
        said = error_of([&] { s.blocking(t); });
        EXPECT_EQ(t.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    };
    sc_core::sc_start();
    EXPECT_EQ(said,
              "/sare/protocol: near, initiator 0: a read of 4096 bytes at 0x10 had fewer bytes as it began; "
              "a payload on its way is not to be changed");
    EXPECT_EQ(many, std::vector<unsigned char>(4096, 1));
}

/// As an access does, in both ways: behind the last address there is nothing, though there is a first one.
TEST(MemoryPayload, EndsAtTheLastAddress) {
    far_memory<blocking_memory_model<>> s({}, 0x200, always(50));
    s.cpu.body = [&](phase_initiator<>& self) {
        transaction& t = self.pool.take(true, 0 - 8ULL, 16, 5);
        EXPECT_EQ(self.socket->transport_dbg(t), 8U);
        s.blocking(t);
        EXPECT_EQ(t.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(s.ram.bytes[0xff], 5);
        EXPECT_EQ(s.ram.bytes[0x100], 0);
        t.set_data_ptr(nullptr);
        EXPECT_EQ(self.socket->transport_dbg(t), 0U);
        t.release();
    };
    sc_core::sc_start();
}

}  // namespace
}  // namespace sare::test::memory_payload_test
