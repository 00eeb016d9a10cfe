// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/systemc/systemc_support.h"
#include "tlm/base/rng.h"
#include "tlm/memory/timing/access_timing.h"

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <vector>

/// Initiators and memories for tests of the memory bridge.
namespace sare::test {

/// Transactions with data of their own, used again when nothing holds them any more.
class transaction_pool final : public tlm::tlm_mm_interface {
  public:
    struct transaction final : tlm::tlm_generic_payload {
        explicit transaction(tlm::tlm_mm_interface& m) : tlm::tlm_generic_payload(&m) {}
        std::vector<unsigned char> data, enables;
        std::size_t number = 0;           ///< the test's own
        sc_core::sc_time made, answered;  ///< likewise: when it began, and was over
    };

    /// A write or a read of `bytes`, acquired.
    transaction& take(bool write, std::uint64_t address, unsigned bytes, unsigned char fill = 0) {
        if (m_free.empty()) m_free.push_back(&m_all.emplace_back(*this));
        transaction& t = *m_free.back();
        m_free.pop_back();
        t.acquire();
        t.data.assign(bytes, fill);
        t.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        t.set_address(address);
        t.set_data_ptr(t.data.data());
        t.set_data_length(bytes);
        t.set_streaming_width(bytes);
        t.set_byte_enable_ptr(nullptr);
        t.set_byte_enable_length(0);
        t.set_dmi_allowed(false);
        t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        return t;
    }
    std::size_t in_use() const { return m_all.size() - m_free.size(); }

  private:
    void free(tlm::tlm_generic_payload* p) override {
        p->reset();
        m_free.push_back(static_cast<transaction*>(p));
    }
    std::deque<transaction> m_all;
    std::vector<transaction*> m_free;
};
using transaction = transaction_pool::transaction;

/// A process on an initiator socket, by phases: it keeps to the base protocol, whatever the target does.
template <unsigned Width = 32>
struct phase_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<phase_initiator, Width> socket;
    std::function<void(phase_initiator&)> body;
    std::function<void(transaction&)> on_response = [](transaction&) {};
    sc_core::sc_time response_time;  ///< from BEGIN_RESP to END_RESP
    sc_core::sc_time annotated;      ///< the same, told with the answer, where response_time is 0
    /// Gets the phase that it was called with, may change what it answers.
    std::function<void(tlm::tlm_phase, tlm::tlm_phase&, tlm::tlm_sync_enum&)> change_answer;
    transaction_pool pool;
    unsigned outstanding = 0;                      ///< from BEGIN_REQ to END_RESP
    std::vector<sc_core::sc_time> requests_ended;  ///< when END_REQ came

    explicit phase_initiator(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), socket("socket") {
        SC_HAS_PROCESS(phase_initiator);
        socket.register_nb_transport_bw(this, &phase_initiator::nb_transport_bw);
        SC_THREAD(run);
        SC_METHOD(end_response);
        sensitive << m_end_response;
        dont_initialize();
    }
    /// Returns when the request has been taken.
    void begin(transaction& t, const sc_core::sc_time& ahead = sc_core::SC_ZERO_TIME) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = ahead;
        ++outstanding;
        m_requesting = &t;
        const tlm::tlm_sync_enum answer = socket->nb_transport_fw(t, phase, delay);
        if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
            sc_core::wait(delay);
            end_request();
        }
        while (m_requesting != nullptr) sc_core::wait(m_request_ended);
    }
    void finish() {
        while (outstanding != 0) sc_core::wait(m_response_ended);
    }

  private:
    void run() {
        if (body) body(*this);
    }
    void end_request() {
        requests_ended.push_back(sc_core::sc_time_stamp());
        m_requesting = nullptr;
        m_request_ended.notify();
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        const tlm::tlm_phase called = phase;
        tlm::tlm_sync_enum said = answer(p, phase, delay);
        if (change_answer) change_answer(called, phase, said);
        return said;
    }
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase == tlm::END_REQ) {
            end_request();
            return tlm::TLM_ACCEPTED;
        }
        if (&p == m_requesting) end_request();
        static_cast<transaction&>(p).answered = sc_core::sc_time_stamp();
        if (response_time == sc_core::SC_ZERO_TIME) {
            take(p);
            delay += annotated;
            phase = tlm::END_RESP;
            return tlm::TLM_COMPLETED;
        }
        m_responding = &p;
        m_end_response.notify(response_time);
        return tlm::TLM_ACCEPTED;
    }
    void end_response() {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(*m_responding, phase, delay);
        take(*m_responding);
    }
    void take(tlm::tlm_generic_payload& p) {
        on_response(static_cast<transaction&>(p));
        p.release();
        --outstanding;
        m_response_ended.notify();
    }

    tlm::tlm_generic_payload *m_requesting = nullptr, *m_responding = nullptr;
    sc_core::sc_event m_request_ended, m_end_response, m_response_ended;
};

/// Reads or writes what a transaction says, streaming width and byte enables as the standard has them; false
/// if it touches what is not there.
inline bool access_bytes(tlm::tlm_generic_payload& p, std::vector<unsigned char>& bytes) {
    const auto enabled = [&](unsigned k) {
        return p.get_byte_enable_ptr() == nullptr ||
               p.get_byte_enable_ptr()[k % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    };
    if (p.get_address() > bytes.size() ||
        std::min(p.get_data_length(), p.get_streaming_width()) > bytes.size() - p.get_address())
        return false;
    for (unsigned k = 0; k < p.get_data_length(); ++k) {
        if (!enabled(k)) continue;
        unsigned char& byte = bytes[p.get_address() + k % p.get_streaming_width()];
        (p.is_write() ? byte : p.get_data_ptr()[k]) = p.is_write() ? p.get_data_ptr()[k] : byte;
    }
    return true;
}

/// The same by the debug transport: all of them or none.
inline unsigned debug_bytes(tlm::tlm_generic_payload& p, std::vector<unsigned char>& bytes) {
    const unsigned length = p.get_data_length();
    if (p.get_address() > bytes.size() || length > bytes.size() - p.get_address()) return 0;
    unsigned char* here = bytes.data() + p.get_address();
    std::memcpy(p.is_write() ? here : p.get_data_ptr(), p.is_write() ? p.get_data_ptr() : here, length);
    return length;
}

/// Which calls of a memory annotate their time; the others wait.
enum class annotates { even_calls, all, none };

/// Bytes that are called by b_transport; `takes` says how long each access takes, in its wait() or annotated.
template <unsigned Width = 32>
struct blocking_memory_model : public sc_core::sc_module {
    tlm_utils::simple_target_socket<blocking_memory_model, Width> socket;
    std::vector<unsigned char> bytes;
    std::function<sc_core::sc_time()> takes;
    unsigned at_once = 0, most_at_once = 0, calls = 0;
    annotates time_of = annotates::even_calls;
    std::vector<std::uint64_t> addresses;  ///< as they came

    blocking_memory_model(const sc_core::sc_module_name& name, std::size_t size,
                          std::function<sc_core::sc_time()> time)
        : sc_core::sc_module(name), socket("socket"), bytes(size), takes(std::move(time)) {
        socket.register_b_transport(this, &blocking_memory_model::b_transport);
        socket.register_transport_dbg(this, &blocking_memory_model::transport_dbg);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        addresses.push_back(p.get_address());
        most_at_once = std::max(most_at_once, ++at_once);
        ++calls;
        if (time_of == annotates::even_calls ? calls % 2 == 0 : time_of == annotates::all)
            delay += takes();
        else
            sc_core::wait(takes());
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        --at_once;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return debug_bytes(p, bytes); }
};

/// Bytes that are accessed by phases: each access in another one of the ways that the base protocol allows,
/// responses in any order.
template <unsigned Width = 32>
struct phased_memory_model : public sc_core::sc_module {
    tlm_utils::simple_target_socket<phased_memory_model, Width> socket;
    std::vector<unsigned char> bytes;
    std::function<sc_core::sc_time()> takes;
    unsigned at_once = 0, most_at_once = 0, calls = 0;

    phased_memory_model(const sc_core::sc_module_name& name, std::size_t size,
                        std::function<sc_core::sc_time()> time)
        : sc_core::sc_module(name),
          socket("socket"),
          bytes(size),
          takes(std::move(time)),
          m_taken("taken"),
          m_ready("ready") {
        SC_HAS_PROCESS(phased_memory_model);
        socket.register_nb_transport_fw(this, &phased_memory_model::nb_transport_fw);
        socket.register_transport_dbg(this, &phased_memory_model::transport_dbg);
        SC_METHOD(run);
        sensitive << m_taken.get_event() << m_ready.get_event() << m_free;
        dont_initialize();
    }

  private:
    unsigned transport_dbg(tlm::tlm_generic_payload& p) { return debug_bytes(p, bytes); }
    void access(tlm::tlm_generic_payload& p) {
        p.set_response_status(access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                     : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (phase == tlm::END_RESP) {
            end(p, delay);
            return tlm::TLM_COMPLETED;
        }
        p.acquire();
        most_at_once = std::max(most_at_once, ++at_once);
        const sc_core::sc_time all = takes();
        const bool free = m_responding == nullptr && sc_core::sc_time_stamp() >= m_response_end;
        switch (++calls % 5) {
            case 0:  // done at once
                access(p);
                delay += all;
                p.release();
                --at_once;
                return tlm::TLM_COMPLETED;
            case 1:  // the response by the return path
                if (!free) break;
                access(p);
                delay += all;
                m_responding = &p;
                phase = tlm::BEGIN_RESP;
                return tlm::TLM_UPDATED;
            case 2:  // END_REQ by the return path
                delay += all / 4;
                m_ready.notify(p, all);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            case 3:  // END_REQ by the backward path
                m_taken.notify(p, all / 4);
                m_ready.notify(p, all);
                return tlm::TLM_ACCEPTED;
            default:
                break;
        }
        m_ready.notify(p, all);  // BEGIN_RESP ends the request
        return tlm::TLM_ACCEPTED;
    }
    void run() {
        tlm::tlm_phase phase;
        sc_core::sc_time delay;
        while (tlm::tlm_generic_payload* p = m_taken.get_next_transaction()) {
            phase = tlm::END_REQ;
            delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_bw(*p, phase, delay);
        }
        while (tlm::tlm_generic_payload* p = m_ready.get_next_transaction()) m_out.push_back(p);
        while (m_responding == nullptr && !m_out.empty()) {
            if (sc_core::sc_time_stamp() < m_response_end)
                return m_free.notify(m_response_end - sc_core::sc_time_stamp());
            tlm::tlm_generic_payload& p = *m_out.front();
            m_out.pop_front();
            access(p);
            m_responding = &p;
            phase = tlm::BEGIN_RESP;
            delay = sc_core::SC_ZERO_TIME;
            if (socket->nb_transport_bw(p, phase, delay) != tlm::TLM_ACCEPTED) end(p, delay);
        }
    }
    void end(tlm::tlm_generic_payload& p, const sc_core::sc_time& delay) {
        m_responding = nullptr;
        m_response_end = sc_core::sc_time_stamp() + delay;
        p.release();
        --at_once;
        m_free.notify(sc_core::SC_ZERO_TIME);
    }

    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_taken, m_ready;
    std::deque<tlm::tlm_generic_payload*> m_out;
    tlm::tlm_generic_payload* m_responding = nullptr;
    sc_core::sc_time m_response_end;
    sc_core::sc_event m_free;
};

/// What an access with the extension access_timing tells: points in order, and parts that add up to what its
/// initiator has measured.
inline bool times_fit(const tlm::tlm_generic_payload& p, const sc_core::sc_time& made,
                      const sc_core::sc_time& answered) {
    const access_times& t = *p.get_extension<access_timing>();
    const sc_core::sc_time points[] = {t.made,        t.request_injected,  t.request_arrived,  t.memory_begun,
                                       t.memory_done, t.response_injected, t.response_arrived, t.answered};
    return std::is_sorted(std::begin(points), std::end(points)) && t.made == made && t.answered == answered &&
           t.queueing() + t.request() + t.memory() + t.response() == answered - made;
}

inline router_params with_vcs(std::uint32_t vcs) {
    router_params p;
    p.vcs = vcs;
    return p;
}

inline std::function<sc_core::sc_time()> always(double ns) {
    return [=] { return sc_core::sc_time(ns, sc_core::SC_NS); };
}

}  // namespace sare::test
