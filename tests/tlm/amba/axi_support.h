// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/memory/memory_support.h"
#include "tlm/axi/axi_bridge.h"
#include "tlm/axi/checker.h"

#include <gtest/gtest.h>

#include <set>

/// AXI4 managers and subordinates for tests of the bridge.
namespace sare::test {

/// A burst for a pool's transaction: its extension, and data as long as the burst's.
inline axi::extension& make_burst(transaction& t, axi::burst type, unsigned size, unsigned beats,
                                  std::uint32_t id = 0) {
    auto* e = new axi::extension;
    e->type = type;
    e->size = static_cast<std::uint8_t>(size);
    e->beats = static_cast<std::uint16_t>(beats);
    e->id = id;
    t.set_auto_extension(e);
    const unsigned bytes = axi::bytes_of(*e, t.get_address());
    t.data.resize(bytes);
    t.set_data_ptr(t.data.data());
    t.set_data_length(bytes);
    t.set_streaming_width(type == axi::burst::fixed ? bytes / beats : bytes);
    return *e;
}

/// The bytes that beat for beat a burst touches, by AXI4's equations.
inline std::vector<std::uint64_t> addresses_of(const axi::extension& e, std::uint64_t start) {
    std::vector<std::uint64_t> all;
    const std::uint64_t size = 1ULL << e.size, aligned = start / size * size;
    const std::uint64_t whole = size * e.beats, boundary = start / whole * whole;
    for (unsigned beat = 0; beat < e.beats; ++beat) {
        std::uint64_t first = beat == 0 || e.type == axi::burst::fixed ? start : aligned + beat * size;
        if (e.type == axi::burst::wrap && first >= boundary + whole) first -= whole;
        for (std::uint64_t a = first; a < first / size * size + size; ++a) all.push_back(a);
    }
    return all;
}

/// A manager by phases: AR and AW with W run side by side; R and B are ended in `response_time`, beat by
/// beat, by the return path where that is 0.
template <unsigned Width = 64>
struct phase_manager : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<phase_manager, Width, axi::protocol> socket;
    /// Called for reads (false) and for writes (true), each from a process of its own.
    std::function<void(phase_manager&, bool)> body;
    std::function<void(transaction&)> on_response = [](transaction&) {};
    sc_core::sc_time response_time;
    std::function<void(tlm::tlm_phase, tlm::tlm_phase&)> change_answer;  ///< to the first phase, for tests
    transaction_pool pool;
    unsigned outstanding = 0;
    std::vector<sc_core::sc_time> beats;  ///< of R, as they come

    explicit phase_manager(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
        socket.register_nb_transport_bw(this, &phase_manager::nb_transport_bw);
        for (const bool writes : {false, true}) {
            sc_core::sc_spawn([this, writes] {
                if (body) body(*this, writes);
            });
            sc_core::sc_spawn_options options;
            options.spawn_method();
            options.set_sensitivity(&m_ways[writes].end_response);
            options.dont_initialize();
            sc_core::sc_spawn([this, writes] { end_response(m_ways[writes]); },
                              sc_core::sc_gen_unique_name("end_response"), &options);
        }
    }
    /// Returns when the request has been taken.
    void begin(transaction& t) {
        way& w = m_ways[t.is_write()];
        ++outstanding;
        const unsigned all = t.is_write() ? t.template get_extension<axi::extension>()->beats : 1;
        for (unsigned k = 1; k <= all; ++k) {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            if (k < all) phase = axi::BEGIN_PARTIAL_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            w.requesting = &t;
            if (socket->nb_transport_fw(t, phase, delay) == tlm::TLM_UPDATED) {
                sc_core::wait(delay);
                w.requesting = nullptr;
            }
            while (w.requesting != nullptr) sc_core::wait(w.ended);
        }
    }
    void finish() {
        while (outstanding != 0) sc_core::wait(m_response_ended);
    }

  private:
    struct way {
        transaction *requesting = nullptr, *responding = nullptr;
        bool last = false;  ///< beat of the response
        sc_core::sc_event ended, end_response;
    };
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) {
        auto& t = static_cast<transaction&>(p);
        way& w = m_ways[p.is_write()];
        if (phase == tlm::END_REQ) {
            w.requesting = nullptr;
            w.ended.notify();
            return tlm::TLM_ACCEPTED;
        }
        if (p.is_read()) beats.push_back(sc_core::sc_time_stamp());
        const bool last = phase == tlm::BEGIN_RESP;
        t.answered = sc_core::sc_time_stamp();
        if (response_time == sc_core::SC_ZERO_TIME) {
            const tlm::tlm_phase called = phase;
            phase = axi::END_PARTIAL_RESP;
            if (last) {
                phase = tlm::END_RESP;
                take(t);
            }
            if (change_answer) change_answer(called, phase);
            return last ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
        }
        w.responding = &t;
        w.last = last;
        w.end_response.notify(response_time);
        return tlm::TLM_ACCEPTED;
    }
    void end_response(way& w) {
        transaction& t = *w.responding;
        tlm::tlm_phase phase = tlm::END_RESP;
        if (!w.last) phase = axi::END_PARTIAL_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        const bool last = w.last;
        socket->nb_transport_fw(t, phase, delay);
        if (last) take(t);
    }
    void take(transaction& t) {
        on_response(t);
        t.release();
        --outstanding;
        m_response_ended.notify();
    }

    std::array<way, 2> m_ways;
    sc_core::sc_event m_response_ended;
};

/// Bytes behind AXI4's channels: reads and writes side by side, each answered after `takes`, in the order of
/// its channel and ID; some W beats wait for `slow`.
template <unsigned Width = 64>
struct phase_subordinate : public sc_core::sc_module {
    tlm_utils::simple_target_socket<phase_subordinate, Width, axi::protocol> socket;
    std::vector<unsigned char> bytes;
    std::function<sc_core::sc_time()> takes;
    unsigned at_once[2] = {0, 0}, most_at_once = 0, calls = 0;
    bool writes_stall = false;  ///< W is taken when a read has come
    std::set<std::uint32_t> ids;
    std::set<axi::burst> types;

    phase_subordinate(const sc_core::sc_module_name& name, std::size_t size,
                      std::function<sc_core::sc_time()> time)
        : sc_core::sc_module(name), socket("socket"), bytes(size), takes(std::move(time)) {
        socket.register_nb_transport_fw(this, &phase_subordinate::nb_transport_fw);
        socket.register_transport_dbg(this, &phase_subordinate::transport_dbg);
        for (way& w : m_ways) {
            sc_core::sc_spawn([this, &w] { answer(w); });
            sc_core::sc_spawn_options options;
            options.spawn_method();
            options.set_sensitivity(&w.take_beat);
            options.dont_initialize();
            sc_core::sc_spawn([this, &w] { take_beat(w); }, sc_core::sc_gen_unique_name("take_beat"),
                              &options);
        }
    }

  private:
    struct way {
        tlm::tlm_generic_payload* requesting = nullptr;
        bool last = false;
        std::deque<tlm::tlm_generic_payload*> waiting;
        bool answering = false;  ///< a response
        bool begun = false;      ///< one by the return path, whose beat has not been ended
        unsigned sent = 0;       ///< beats of the first one that waits
        sc_core::sc_time free_at;
        sc_core::sc_event take_beat, come, ended;
    };
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return debug_bytes(p, bytes); }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        way& w = m_ways[p.is_write()];
        const bool last = phase == tlm::BEGIN_REQ;
        if (!last && phase != axi::BEGIN_PARTIAL_REQ) {  // the end of a beat of ours
            if (w.begun) go_on(w, p, delay);
            w.ended.notify();
            return phase == tlm::END_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        }
        if (p.is_read() && writes_stall) {
            writes_stall = false;
            m_ways[1].take_beat.notify(sc_core::SC_ZERO_TIME);
        }
        if (last) accept(p);
        if (++calls % 5 == 0 && last && is_free(w) && !writes_stall) {  // it begins by the return path
            const bool one = beats_of(p) == 1;
            respond(p);
            w.begun = true;
            if (one) --at_once[p.is_write()];
            phase = one ? tlm::tlm_phase(tlm::BEGIN_RESP) : tlm::tlm_phase(axi::BEGIN_PARTIAL_RESP);
            return tlm::TLM_UPDATED;
        }
        if (calls % 3 == 0 && !(writes_stall && p.is_write())) {
            phase = last ? tlm::tlm_phase(tlm::END_REQ) : tlm::tlm_phase(axi::END_PARTIAL_REQ);
            delay += sc_core::sc_time(1, sc_core::SC_NS);
            if (last) w.waiting.push_back(&p);
            w.come.notify(delay);
            return tlm::TLM_UPDATED;
        }
        w.requesting = &p;
        w.last = last;
        w.take_beat.notify(calls % 3 == 1 ? sc_core::sc_time(1, sc_core::SC_NS) : takes() / 4);
        return tlm::TLM_ACCEPTED;
    }
    static unsigned beats_of(const tlm::tlm_generic_payload& p) {
        return p.is_write() ? 1 : p.get_extension<axi::extension>()->beats;
    }
    static bool is_free(const way& w) {
        return w.waiting.empty() && !w.answering && !w.begun && w.free_at <= sc_core::sc_time_stamp();
    }
    void respond(tlm::tlm_generic_payload& p) {
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    /// The beat that the return path began has been ended.
    void go_on(way& w, tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
        w.begun = false;
        w.free_at = sc_core::sc_time_stamp() + delay;
        if (beats_of(p) == 1) {
            p.release();
        } else {
            w.waiting.push_front(&p);
            w.sent = 1;
        }
        w.come.notify();
    }
    void accept(tlm::tlm_generic_payload& p) {
        types.insert(p.get_extension<axi::extension>()->type);
        p.acquire();
        ids.insert(p.get_extension<axi::extension>()->id);
        most_at_once = std::max(most_at_once, ++at_once[p.is_write()]);
    }
    void take_beat(way& w) {
        if (w.requesting == nullptr || (writes_stall && w.requesting->is_write())) return;
        tlm::tlm_phase phase = tlm::END_REQ;
        if (!w.last) phase = axi::END_PARTIAL_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        tlm::tlm_generic_payload& p = *w.requesting;
        const bool last = w.last;
        w.requesting = nullptr;
        socket->nb_transport_bw(p, phase, delay);
        if (!last) return;
        w.waiting.push_back(&p);
        w.come.notify();
    }
    void answer(way& w) {
        for (;;) {
            w.answering = false;
            while (w.waiting.empty() || w.begun) sc_core::wait(w.come);
            w.answering = true;
            tlm::tlm_generic_payload& p = *w.waiting.front();
            w.waiting.pop_front();
            const unsigned sent = std::exchange(w.sent, 0), beats = beats_of(p);
            if (w.free_at > sc_core::sc_time_stamp()) sc_core::wait(w.free_at - sc_core::sc_time_stamp());
            if (sent == 0) {
                sc_core::wait(takes());
                respond(p);
            }
            for (unsigned k = sent + 1; k <= beats; ++k) {
                tlm::tlm_phase phase = tlm::BEGIN_RESP;
                if (k < beats) phase = axi::BEGIN_PARTIAL_RESP;
                sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
                if (k == beats) --at_once[p.is_write()];
                if (socket->nb_transport_bw(p, phase, delay) == tlm::TLM_ACCEPTED)
                    sc_core::wait(w.ended);
                else
                    sc_core::wait(delay);
            }
            p.release();
        }
    }

    std::array<way, 2> m_ways;
};

/// Checkers on every AXI4 socket of a test; at its end none has seen a violation, or an open burst.
class axi_checkers {
  public:
    template <unsigned Width, class Manager, class Subordinate>
    void between(Manager& manager, Subordinate& subordinate) {
        const std::string name = "axi_checker" + std::to_string(m_all.size());
        auto made = std::make_shared<axi::checker<Width>>(name.c_str());
        manager.bind(made->from);
        made->to.bind(subordinate);
        m_all.push_back([made] {
            EXPECT_EQ(made->rules.violations, std::vector<std::string>()) << made->name();
            EXPECT_EQ(made->rules.open(), 0U) << made->name();
        });
    }
    void look() const {
        for (const auto& look : m_all) look();
    }

  private:
    std::vector<std::function<void()>> m_all;
};

/// Two nodes of a 2x2 mesh: a manager's bridge and a subordinate's.
template <unsigned Width = 64, class Subordinate = phase_subordinate<Width>>
struct axi_pair {
    explicit axi_pair(double takes_ns = 10, const axi::bridge_params& at_subordinate = by_phases(),
                      const axi::bridge_params& at_manager = {}, const std::string& name = "net")
        : net(name, 2, 2, {}, 2),
          map(net.engine, {{0x10000, 0x4000, 3}}),
          near_bridge((name + "_near").c_str(), net.nics[0], map, at_manager),
          far_bridge((name + "_far").c_str(), net.nics[3], map, at_subordinate),
          cpu((name + "_cpu").c_str()),
          memory((name + "_memory").c_str(), 0x4000, always(takes_ns)) {
        checkers.between<Width>(cpu.socket, near_bridge.managers);
        checkers.between<Width>(far_bridge.subordinates, memory.socket);
    }
    static axi::bridge_params by_phases() {
        axi::bridge_params p;
        p.timing = memory_timing::phases;
        p.at_once = 4;
        return p;
    }
    /// Runs `body` in a process, to the end.
    void run(std::function<void(phase_manager<Width>&)> body) {
        cpu.body = [body = std::move(body)](phase_manager<Width>& self, bool writes) {
            if (!writes) body(self);
        };
        sc_core::sc_start();
        checkers.look();
        EXPECT_EQ(cpu.pool.in_use(), 0U);
        EXPECT_EQ(net.engine.net().view().leftovers(), "");
    }
    transaction& make(bool write, std::uint64_t address, axi::burst type, unsigned size, unsigned beats,
                      std::uint32_t id = 0) {
        transaction& t = cpu.pool.take(write, address, 1);
        make_burst(t, type, size, beats, id);
        for (std::size_t k = 0; k < t.data.size(); ++k) t.data[k] = static_cast<unsigned char>(k + 1);
        return t;
    }
    /// Loosely timed.
    void access(transaction& t) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        cpu.socket->b_transport(t, delay);
    }

    hand_mesh net;
    memory_map map;
    axi::bridge<Width> near_bridge, far_bridge;
    phase_manager<Width> cpu;
    Subordinate memory;
    axi_checkers checkers;
};

/// Bytes that are called by b_transport.
template <unsigned Width>
struct blocking_words : public sc_core::sc_module {
    tlm_utils::simple_target_socket<blocking_words, Width, axi::protocol> socket;
    std::vector<unsigned char> bytes;
    std::function<sc_core::sc_time()> takes;
    std::function<void(bool)> before = [](bool) {};  ///< an access: whether it is a write
    blocking_words(const sc_core::sc_module_name& name, std::size_t size,
                   std::function<sc_core::sc_time()> time)
        : sc_core::sc_module(name), socket("socket"), bytes(size), takes(std::move(time)) {
        socket.register_b_transport(this, &blocking_words::b_transport);
        socket.register_transport_dbg(this, &blocking_words::transport_dbg);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return debug_bytes(p, bytes); }
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        before(p.is_write());
        delay += takes();
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
};

inline axi::response resp_of(const transaction& t) {
    return t.get_extension<axi::extension>()->resp;
}

}  // namespace sare::test
