// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_of.h"
#include "tests/support/in_child.h"
#include "tests/tlm/amba/axi_support.h"

/// What subordinates see and say: accesses of any TLM initiator, reads beside writes, answers by every path,
/// and what is refused.
namespace sare::test::axi_subordinate_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// ---- initiators that know no AXI4 ------------------------------------------------------------------------

/// Of any length and alignment, streaming, with byte enables: beside bursts on the same range.
template <class Subordinate>
void reach_by_plain_initiator(const axi::bridge_params& params) {
    axi_pair<64, Subordinate> s(10, params);
    memory_bridge plain("plain", s.net.nics[1], s.map);
    phase_initiator<> dma("dma");
    dma.socket.bind(plain.initiators);
    rng random(1, stream::test, 1);
    std::vector<unsigned char> image(0x3000);
    unsigned wrong = 0, reads = 0;
    const auto draw = [&](unsigned k, bool write) -> transaction& {
        const unsigned length = 1 + random.below(k % 8 == 0 ? 6000 : 70);
        transaction& t = dma.pool.take(
            write, 0x10000 + random.below(static_cast<std::uint32_t>(image.size()) - length), length);
        for (auto& byte : t.data) byte = static_cast<unsigned char>(random.next());
        if (k % 5 == 0) t.set_streaming_width(1 + random.below(length));
        if (k % 3 == 0) {
            t.enables.resize(1 + random.below(length));
            for (auto& b : t.enables) b = random.bernoulli(0.6) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            t.set_byte_enable_ptr(t.enables.data());
            t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
        }
        return t;
    };
    dma.on_response = [&](transaction& t) {
        wrong += t.get_response_status() != tlm::TLM_OK_RESPONSE;
        std::vector<unsigned char> expected = t.data;
        tlm::tlm_generic_payload same;
        same.deep_copy_from(t);
        same.set_address(t.get_address() - 0x10000);
        same.set_data_ptr(expected.data());
        same.set_byte_enable_ptr(t.get_byte_enable_ptr());
        access_bytes(same, image);
        wrong += t.data != expected;
        reads += t.is_read();
        same.set_data_ptr(nullptr);
        same.set_byte_enable_ptr(nullptr);
    };
    dma.body = [&](phase_initiator<>& self) {
        for (unsigned k = 0; k < 300; ++k)
            for (const bool write : {true, false}) {
                self.begin(draw(k, write));
                self.finish();
            }
        transaction& nothing = self.pool.take(false, 0x10000, 0);
        nothing.set_command(tlm::TLM_IGNORE_COMMAND);
        self.begin(nothing);
        self.finish();
    };
    unsigned bursts = 0;
    sc_core::sc_spawn([&] {
        for (unsigned k = 0; k < 100; ++k)
            for (const bool write : {true, false}) {
                transaction& t = s.make(write, 0x13000, axi::burst::incr, 3, 4);
                const auto sent = t.data;
                s.access(t);
                EXPECT_EQ(t.data, sent);
                ++bursts;
                t.release();
            }
    });
    sc_core::sc_start();
    EXPECT_EQ(bursts, 200U);
    EXPECT_EQ(reads, 300U);
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(dma.outstanding, 0U);
    s.checkers.look();
}

TEST(axi_subordinate, ServesPlainInitiatorsByPhases) {
    reach_by_plain_initiator<phase_subordinate<64>>(axi_pair<64>::by_phases());
}
TEST(axi_subordinate, ServesPlainInitiatorsByCalls) {
    reach_by_plain_initiator<blocking_words<64>>({});
}

// ---- reads and writes side by side -----------------------------------------------------------------------

/// Threads that poll with reads leave the subordinate no moment without one; a write does not wait for it.
TEST(axi_subordinate, ServesAWriteBesidePollingReads) {
    axi_pair<64, blocking_words<64>> s(10, {});
    bool written = false;
    const sc_time patience(20, sc_core::SC_US);
    for (unsigned id = 0; id < 8; ++id)
        sc_core::sc_spawn([&, id] {
            while (!written && sc_core::sc_time_stamp() < patience) {
                transaction& t = s.make(false, 0x10000, axi::burst::incr, 3, 1, id);
                s.access(t);
                t.release();
            }
        });
    sc_core::sc_spawn([&] {
        sc_core::wait(sc_time(500, SC_NS));
        transaction& t = s.make(true, 0x10100, axi::burst::incr, 3, 1, 9);
        s.access(t);
        t.release();
        written = true;
        EXPECT_LT(sc_core::sc_time_stamp(), sc_time(700, SC_NS));
    });
    sc_core::sc_start();
    EXPECT_TRUE(written);
    s.checkers.look();
}

/// Called by b_transport: a write that does not end before a read has come.
TEST(axi_subordinate, LetsReadsPassAStalledWrite) {
    axi_pair<64, blocking_words<64>> s(10, {});
    sc_core::sc_event read;
    s.memory.before = [&](bool write) {
        if (write)
            sc_core::wait(read);
        else
            read.notify();
    };
    unsigned over = 0;
    for (const bool write : {true, false})
        sc_core::sc_spawn([&, write] {
            if (!write) sc_core::wait(sc_time(500, SC_NS));
            transaction& t = s.make(write, 0x10000, axi::burst::incr, 3, 4);
            s.access(t);
            t.release();
            ++over;
        });
    sc_core::sc_start();
    EXPECT_EQ(over, 2U);
    s.checkers.look();
}

// ---- answers ---------------------------------------------------------------------------------------------

/// Answers as a test says.
struct told_subordinate : public sc_core::sc_module {
    tlm_utils::simple_target_socket<told_subordinate, 64, axi::protocol> socket;
    std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&)> answer;
    std::vector<std::string> phases;

    told_subordinate(const sc_core::sc_module_name& name, std::size_t, const std::function<sc_time()>&)
        : sc_core::sc_module(name), socket("socket") {
        socket.register_nb_transport_fw(this, &told_subordinate::nb_transport_fw);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_time&) {
        phases.emplace_back(phase.get_name());
        return answer(p, phase);
    }
    std::string say(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
        sc_time delay = sc_core::SC_ZERO_TIME;
        return report_of([&] { socket->nb_transport_bw(p, phase, delay); });
    }
};
std::string out_of_turn(const std::string& of) {
    return "net_far, subordinate 0: BEGIN_RESP of a " + of + ", which does not come next in AXI4's protocol";
}

/// What the return path begins is ended by a call.
TEST(axi_subordinate, GetsAnEndForAResponseByTheReturnPath) {
    axi_pair<64, told_subordinate> s;
    s.memory.answer = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
    };
    s.run([&](phase_manager<64>& cpu) {
        cpu.begin(s.make(false, 0x10000, axi::burst::incr, 3, 1));
        cpu.finish();
    });
    EXPECT_EQ(s.memory.phases, (std::vector<std::string>{"BEGIN_REQ", "END_RESP"}));
}

/// It has seen enough with the first beat.
TEST(axi_subordinate, MayEndAWriteWithItsFirstBeat) {
    axi_pair<64, told_subordinate> s;
    phase_manager<64> raw("raw");
    axi::bridge<64> unchecked("unchecked", s.net.nics[2], s.map);
    raw.socket.bind(unchecked.managers);
    s.memory.answer = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase&) {
        p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    };
    unsigned errors = 0;
    raw.on_response = [&](transaction& t) { errors += resp_of(t) == axi::response::slverr; };
    raw.body = [&](phase_manager<64>& cpu, bool writes) {
        if (!writes) return;
        for (unsigned k = 0; k < 2; ++k) {
            transaction& t = cpu.pool.take(true, 0x10000, 1);
            make_burst(t, axi::burst::incr, 3, 4);
            cpu.begin(t);
            cpu.finish();
        }
    };
    sc_core::sc_start();
    EXPECT_EQ(errors, 2U);
    EXPECT_EQ(s.memory.phases, (std::vector<std::string>{"BEGIN_PARTIAL_REQ", "BEGIN_PARTIAL_REQ"}));
}

TEST(axi_subordinate, MayAnswerOnlyWhatIsAsked) {
    axi_pair<64, told_subordinate> s;
    tlm::tlm_generic_payload foreign;
    std::vector<std::string> said;
    s.memory.answer = [&](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
        p.acquire();
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        said.push_back(s.memory.say(foreign, tlm::BEGIN_RESP));
        said.push_back(s.memory.say(p, tlm::BEGIN_RESP));
        said.push_back(s.memory.say(p, tlm::BEGIN_RESP));
        p.release();
        return tlm::TLM_ACCEPTED;
    };
    sc_core::sc_spawn([&] {
        transaction& t = s.make(false, 0x10000, axi::burst::incr, 3, 1);
        s.access(t);
        EXPECT_EQ(resp_of(t), axi::response::okay);
        t.release();
    });
    sc_core::sc_start();
    EXPECT_EQ(said, (std::vector<std::string>{out_of_turn("transaction without a command of 0 bytes at 0x0"),
                                              "", out_of_turn("read of 8 bytes at 0x0")}));
}

/// A manager ends a beat by the phase that ends it.
TEST(axi_manager, MayEndABeatOnlyByItsOwnPhase) {
    const auto run = [](tlm::tlm_phase to, tlm::tlm_phase by) {
        return in_child([=] {
            axi_pair<64, phase_subordinate<64>> s;
            phase_manager<64> raw("raw");
            axi::bridge<64> unchecked("unchecked", s.net.nics[2], s.map);
            raw.socket.bind(unchecked.managers);
            raw.change_answer = [=](tlm::tlm_phase called, tlm::tlm_phase& phase) {
                if (called == to) phase = by;
            };
            raw.body = [&](phase_manager<64>& cpu, bool writes) {
                if (writes) return;
                transaction& t = cpu.pool.take(false, 0x10000, 1);
                make_burst(t, axi::burst::incr, 3, 4);
                cpu.begin(t);
                cpu.finish();
            };
            const std::string said = error_of([] { sc_core::sc_start(); });
            return said.empty() ? std::to_string(raw.outstanding) + " left" : said;
        });
    };
    EXPECT_EQ(run(tlm::BEGIN_REQ, tlm::END_REQ), "0 left");
    for (const tlm::tlm_phase by : {tlm::tlm_phase(axi::BEGIN_PARTIAL_RESP), tlm::tlm_phase(tlm::END_RESP)})
        EXPECT_EQ(run(axi::BEGIN_PARTIAL_RESP, by),
                  "/sare/protocol: unchecked, manager 0: " + std::string(by.get_name()) +
                      " of a read of 32 bytes at 0x10000, which does not come next in AXI4's protocol");
}

// ---- what is refused -------------------------------------------------------------------------------------

/// A payload that is under way is not the manager's.
TEST(axi_subordinate, RefusesABurstThatBeginsAgainBeforeItsEnd) {
    axi_pair<64, phase_subordinate<64>> s(50);
    phase_manager<64> raw("raw");
    raw.socket.bind(s.near_bridge.managers);
    std::vector<std::string> said;
    raw.body = [&](phase_manager<64>& self, bool writes) {
        if (writes) return;
        transaction& t = s.make(false, 0x10000, axi::burst::incr, 3, 4);
        t.acquire();
        self.begin(t);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_time delay = sc_core::SC_ZERO_TIME;
        said.push_back(error_of([&] { self.socket->nb_transport_fw(t, phase, delay); }));
        said.push_back(error_of([&] { self.socket->b_transport(t, delay); }));
        self.finish();
        self.begin(t);
        self.finish();
    };
    sc_core::sc_start();
    EXPECT_EQ(said,
              std::vector<std::string>(
                  2,
                  "/sare/protocol: net_near, manager 1: a read of 32 bytes at 0x10000 by a payload that "
                  "is under way; it may begin again after its end"));
    EXPECT_EQ(s.memory.calls, 2U);
    EXPECT_EQ(s.net.engine.net().view().leftovers(), "");
}

/// Fields that no burst has are an error of the burst, whatever they are.
TEST(axi_subordinate, TurnsInvalidFieldsIntoABurstError) {
    axi_pair<64, phase_subordinate<64>> s;
    axi::bridge<64> unchecked("unchecked", s.net.nics[2], s.map);
    phase_manager<64> raw("raw");
    raw.socket.bind(unchecked.managers);
    unsigned judged = 0;
    raw.body = [&](phase_manager<64>& cpu, bool writes) {
        if (writes) return;
        const std::vector<std::tuple<axi::burst, unsigned, unsigned>> cases = {{axi::burst::wrap, 3, 0},
                                                                               {axi::burst::wrap, 64, 4},
                                                                               {axi::burst::incr, 200, 1},
                                                                               {axi::burst(3), 3, 1}};
        for (const auto& [type, size, beats] : cases) {
            transaction& t = cpu.pool.take(false, 0x10000, 1);
            auto& e = make_burst(t, axi::burst::incr, 3, 1);
            e.type = type;
            e.size = static_cast<std::uint8_t>(size);
            e.beats = static_cast<std::uint16_t>(beats);
            sc_time delay = sc_core::SC_ZERO_TIME;
            cpu.socket->b_transport(t, delay);
            EXPECT_EQ(t.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE) << judged;
            EXPECT_EQ(e.type, type);
            t.release();
            ++judged;
        }
    };
    sc_core::sc_start();
    EXPECT_EQ(judged, 4U);
}

TEST(axi_subordinate, NeedsExclusiveBurstsAlignedToTheirSize) {
    transaction_pool pool;
    transaction& t = pool.take(false, 12, 1);
    make_burst(t, axi::burst::incr, 3, 2).exclusive = true;  // 12 bytes at 12, of 16
    EXPECT_NE(axi::wrong_with(*t.get_extension<axi::extension>(), t, 8).find("aligned"), std::string::npos);
    t.release();
}

TEST(axi_subordinate, NeedsBaseAndOffsetAlikeModulo4KiB) {
    hand_mesh net("net", 2, 2, {}, 2);
    memory_map map(net.engine, {{0x10100, 0x1000, 3}});
    axi::bridge<64> far_bridge("far", net.nics[3], map);
    phase_subordinate<64> memory("memory", 0x1000, always(1));
    far_bridge.subordinates.bind(memory.socket);
    const std::string said = report_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); });
    EXPECT_NE(said.find("of an AXI4 subordinate: base and offset must be alike in their last 12 bits"),
              std::string::npos)
        << said;
}

/// A subordinate may end a read at once, all beats of it, and must give it a status.
TEST(axi_subordinate, NeedsAStatusToCompleteABurst) {
    axi::checker_rules rules(8);
    transaction_pool pool;
    for (const bool answered : {true, false}) {
        transaction& t = pool.take(false, 0x100, 1);
        make_burst(t, axi::burst::incr, 3, 4, 0);
        rules.phase(t, tlm::BEGIN_REQ, sc_core::SC_ZERO_TIME);
        if (answered) t.set_response_status(tlm::TLM_OK_RESPONSE);
        rules.completed(t, sc_core::SC_ZERO_TIME);
        EXPECT_EQ(rules.violations.size(), answered ? 0U : 1U);
        EXPECT_EQ(rules.open(), 0U);
    }
    EXPECT_NE(rules.violations.front().find("without a status"), std::string::npos);
}

}  // namespace
}  // namespace sare::test::axi_subordinate_test
