// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstring>
#include <systemc>
#include <vector>

/// An initiator and a memory that know only TLM-2.0, and nothing of Sare.
namespace sare::examples {

/// Writes three blocks of 8, 64 and 256 bytes and reads them back: first loosely timed with a quantum keeper,
/// one after the other; then approximately timed, three at a time.
class initiator : public sc_core::sc_module {
  public:
    /// An access that has ended: its kind of timing as text, direction, number of bytes and duration.
    struct access {
        const char* timing;
        bool write;
        unsigned bytes;
        sc_core::sc_time took;
    };

    tlm_utils::simple_initiator_socket<initiator> socket;

    /// `base`: address of the first block; the others are 0x400 and 0x800 bytes behind it.
    initiator(const sc_core::sc_module_name& name, std::uint64_t base)
        : sc_core::sc_module(name), m_base(base) {
        SC_HAS_PROCESS(initiator);
        socket.register_nb_transport_bw(this, &initiator::nb_transport_bw);
        SC_THREAD(run);
    }
    /// Returns the accesses that have ended so far, in the order in which they ended.
    const std::vector<access>& done() const { return m_done; }
    /// Returns true if all 12 accesses have ended, and all data read were those written.
    bool all_right() const { return m_right && m_done.size() == 12; }

  private:
    /// A transaction with memory for its data.
    struct block {
        tlm::tlm_generic_payload payload;
        unsigned char data[256];
        sc_core::sc_time start;
    };

    void prepare(block& b, unsigned k, bool write, unsigned salt) {
        const unsigned bytes = m_sizes[k];
        for (unsigned i = 0; i < bytes; ++i) b.data[i] = write ? static_cast<unsigned char>(i * 7 + salt) : 0;
        b.payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        b.payload.set_address(m_base + k * 0x400);
        b.payload.set_data_ptr(b.data);
        b.payload.set_data_length(bytes);
        b.payload.set_streaming_width(bytes);
        b.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }

    void finish(const char* timing, block& b, unsigned salt) {
        m_right = m_right && b.payload.is_response_ok();
        for (unsigned i = 0; i < b.payload.get_data_length(); ++i)
            m_right = m_right && b.data[i] == static_cast<unsigned char>(i * 7 + salt);
        m_done.push_back(
            {timing, b.payload.is_write(), b.payload.get_data_length(), sc_core::sc_time_stamp() - b.start});
    }

    void run() {
        loosely_timed();
        approximately_timed(true);
        approximately_timed(false);
    }

    void loosely_timed() {
        tlm_utils::tlm_quantumkeeper keeper;
        tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(1, sc_core::SC_US));
        keeper.reset();
        for (const bool write : {true, false})
            for (unsigned k = 0; k < 3; ++k) {
                block b;
                prepare(b, k, write, 3);
                keeper.inc(sc_core::sc_time(100, sc_core::SC_NS));  // the program computes
                b.start = keeper.get_current_time();
                sc_core::sc_time delay = keeper.get_local_time();
                socket->b_transport(b.payload, delay);
                keeper.set(delay);
                finish("loosely timed,       ", b, 3);
                if (keeper.need_sync()) keeper.sync();
            }
        keeper.sync();
    }

    void approximately_timed(bool write) {
        for (unsigned k = 0; k < 3; ++k) {
            block& b = m_blocks[k];
            prepare(b, k, write, 5);
            b.start = sc_core::sc_time_stamp();
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_fw(b.payload, phase, delay);
            ++m_outstanding;
        }
        while (m_outstanding != 0) sc_core::wait(m_response);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) {
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        for (block& b : m_blocks)
            if (&b.payload == &payload) finish("approximately timed, ", b, 5);
        --m_outstanding;
        m_response.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_COMPLETED;
    }

    static constexpr unsigned m_sizes[] = {8, 64, 256};
    std::uint64_t m_base;
    block m_blocks[3];
    unsigned m_outstanding = 0;
    sc_core::sc_event m_response;
    std::vector<access> m_done;
    bool m_right = true;
};

/// A memory whose bytes have addresses from 0 on. Each access takes the same time; an access beyond the end
/// gets an address error.
class memory : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<memory> socket;

    /// `bytes`: size of the memory; `latency`: time that each access takes.
    memory(const sc_core::sc_module_name& name, std::size_t bytes, const sc_core::sc_time& latency)
        : sc_core::sc_module(name), m_bytes(bytes), m_latency(latency) {
        socket.register_b_transport(this, &memory::b_transport);
        socket.register_transport_dbg(this, &memory::access);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        delay += m_latency;
        const bool done = access(payload) == payload.get_data_length();
        payload.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }

    unsigned access(tlm::tlm_generic_payload& payload) {
        const std::uint64_t at = payload.get_address();
        const unsigned length = payload.get_data_length();
        if (at > m_bytes.size() || length > m_bytes.size() - at) return 0;
        if (payload.is_write())
            std::memcpy(&m_bytes[at], payload.get_data_ptr(), length);
        else
            std::memcpy(payload.get_data_ptr(), &m_bytes[at], length);
        return length;
    }

    std::vector<unsigned char> m_bytes;
    sc_core::sc_time m_latency;
};

}  // namespace sare::examples
