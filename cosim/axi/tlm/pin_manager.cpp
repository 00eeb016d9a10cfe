// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/tlm/pin_manager.h"

#include "cosim/axi/model/atomic.h"
#include "cosim/axi/model/burst.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <vector>

namespace sare::axi {
namespace {

constexpr std::size_t places = 2;  // of queues at the pins: a beat a cycle passes

}  // namespace

/// A transaction; it ends when nobody holds it any more.
class pin_manager_base::pin_burst final : public tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
  public:
    pin_burst(const address& a, bool write, std::uint32_t bus_bytes)
        : where(a), m_lanes(operand_of(a)), m_bus(bus_bytes), m_atomic(atomic_of(a)) {
        for (std::uint32_t n = 0; n < a.beats(); ++n)
            for_bytes(m_lanes, n, bus_bytes, [&](std::uint64_t, std::uint32_t) { m_data.push_back(0); });
        m_enables.resize(m_data.size(), TLM_BYTE_ENABLED);
        const auto bytes = static_cast<unsigned>(m_data.size());
        set_mm(this);
        set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        set_address(a.addr);
        set_data_ptr(m_data.data());
        set_data_length(bytes);
        set_streaming_width(a.burst == burst_kind::fixed ? bytes / a.beats() : bytes);
        describe(a);
        set_extension(&m_extension);
        if (m_atomic) set_extension(&*m_atomic);
        acquire();
    }
    ~pin_burst() override {
        clear_extension(&m_extension);
        if (m_atomic) clear_extension(&*m_atomic);
    }

    void put(const wide& beat) {
        for_bytes(m_lanes, m_next++, m_bus, [&](std::uint64_t, std::uint32_t lane) {
            // A compare of an upper half has what is to be written first.
            const std::size_t half = is_upper_half(where) ? m_data.size() / 2 : 0;
            m_data[(m_filled + half) % m_data.size()] = static_cast<unsigned char>(beat.get(8 * lane, 8));
            const bool enabled = beat.get(8 * m_bus + lane, 1) != 0;
            m_enables[m_filled++] = enabled ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            m_partial = m_partial || !enabled;
        });
        if (!whole() || !m_partial) return;
        set_byte_enable_ptr(m_enables.data());
        set_byte_enable_length(static_cast<unsigned>(m_enables.size()));
    }
    wide get() {
        wide beat;
        for_bytes(where, m_next++, m_bus,
                  [&](std::uint64_t, std::uint32_t lane) { beat.set(8 * lane, 8, m_data[m_filled++]); });
        return beat;
    }
    /// Returns beat `n` of the value that an atomic transaction has fetched.
    wide fetched(std::uint32_t n) const {
        wide beat;
        const address value = value_of(where);
        std::size_t k = n << value.size;
        for_bytes(value, n, m_bus,
                  [&](std::uint64_t, std::uint32_t lane) { beat.set(8 * lane, 8, m_atomic->before[k++]); });
        return beat;
    }
    bool fetches_value() const { return m_atomic && fetches(where); }
    /// True if all beats have been put or got.
    bool whole() const { return m_next == where.beats(); }
    response resp() const { return m_extension.resp; }

    const address where;

  private:
    void describe(const address& a) {
        m_extension.id = static_cast<std::uint32_t>(a.id);
        m_extension.type = a.atop == 0 ? a.burst : burst_kind::incr;
        m_extension.beats = static_cast<std::uint16_t>(a.beats());
        m_extension.size = a.size;
        m_extension.qos = a.qos;
        m_extension.exclusive = a.lock != 0;
        m_extension.cache = a.cache;
        m_extension.prot = a.prot;
        m_extension.region = a.region;
        m_extension.user = static_cast<std::uint32_t>(a.user);
    }
    void free(tlm::tlm_generic_payload*) override { delete this; }

    const address m_lanes;
    const std::uint32_t m_bus;
    std::optional<atomic_access> m_atomic;
    extension m_extension;
    std::vector<unsigned char> m_data, m_enables;
    std::uint32_t m_next = 0, m_filled = 0;
    bool m_partial = false;
};

pin_manager_base::~pin_manager_base() = default;

void pin_manager_base::dump(std::ostream& to) const {
    sc_core::sc_object::dump(to);
    to << "transactions under way = " << m_open << ", beats for the pins: R " << m_reads.back.size() << ", B "
       << m_writes.back.size() << '\n';
}

void pin_manager_base::edge() {
    take(in.read());
    request_read();
    request_write();
    show();
    out.write(m_shown);
}

/// Takes the handshakes of the cycle that ends.
void pin_manager_base::take(const forward_pins& f) {
    if (f.ar_valid && m_shown.ar_ready) m_reads.addresses.push_back(f.ar);
    if (f.aw_valid && m_shown.aw_ready) m_writes.addresses.push_back(f.aw);
    if (f.w_valid && m_shown.w_ready) m_w.push_back(f.w);
    if (f.r_ready && m_shown.r_valid) pop(m_reads);
    if (f.b_ready && m_shown.b_valid) pop(m_writes);
}

void pin_manager_base::pop(way& w) {
    w.back.pop_front();
    // The one that found the queue full has a place now.
    const auto waits =
        std::find_if(w.back.begin(), w.back.end(), [](const beat& b) { return b.unended != nullptr; });
    if (waits == w.back.end()) return;
    pin_burst& burst = *waits->unended;
    waits->unended = nullptr;
    tlm::tlm_phase phase = tlm::END_RESP;
    if (!waits->last) phase = END_PARTIAL_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const bool last = waits->last;
    bridge().nb_transport_fw(burst, phase, delay);
    if (last) burst.release();
}

void pin_manager_base::request_read() {
    if (m_reads.requesting != nullptr || m_reads.addresses.empty()) return;
    m_reads.requesting = new pin_burst(m_reads.addresses.front(), false, m_bus_bytes);
    m_reads.addresses.pop_front();
    ++m_open;
    call(m_reads, tlm::BEGIN_REQ);
}

/// Begins a beat of data, one a cycle, in the order of AW.
void pin_manager_base::request_write() {
    way& w = m_writes;
    if (m_w.empty() || (w.requesting != nullptr && w.requesting->whole())) return;
    if (w.requesting == nullptr) {
        if (w.addresses.empty()) return;
        w.requesting = new pin_burst(w.addresses.front(), true, m_bus_bytes);
        w.addresses.pop_front();
        ++m_open;
    }
    w.requesting->put(m_w.front());
    m_w.pop_front();
    if (w.requesting->whole())
        call(w, tlm::BEGIN_REQ);
    else
        call(w, BEGIN_PARTIAL_REQ);
}

void pin_manager_base::call(way& w, const tlm::tlm_phase& phase) {
    tlm::tlm_phase now = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    pin_burst& burst = *w.requesting;
    const tlm::tlm_sync_enum answer = bridge().nb_transport_fw(burst, now, delay);
    if (answer == tlm::TLM_UPDATED && now == tlm::END_REQ) w.requesting = nullptr;
    if (answer != tlm::TLM_COMPLETED) return;
    w.requesting = nullptr;  // the engine runs no further, which it has reported
    --m_open;
    burst.release();
}

/// Ends beats at once while the queue to the pins has places.
tlm::tlm_sync_enum pin_manager_base::nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                     sc_core::sc_time&) {
    auto& burst = static_cast<pin_burst&>(p);
    way& w = p.is_write() ? m_writes : m_reads;
    if (w.requesting == &burst &&
        (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP || phase == BEGIN_PARTIAL_RESP))
        w.requesting = nullptr;
    if (phase != tlm::BEGIN_RESP && phase != BEGIN_PARTIAL_RESP) return tlm::TLM_ACCEPTED;
    const bool last = phase == tlm::BEGIN_RESP;
    beat b{burst.where.id, burst.resp(), p.is_read() ? burst.get() : wide(), last, nullptr};
    if (last) --m_open;
    if (last && burst.fetches_value()) fetch(burst);
    const bool room = w.back.size() + 1 < places;
    if (!room) b.unended = &burst;
    w.back.push_back(b);
    if (!room) return tlm::TLM_ACCEPTED;
    if (last) {
        phase = tlm::END_RESP;
        burst.release();
        return tlm::TLM_COMPLETED;
    }
    phase = END_PARTIAL_RESP;
    return tlm::TLM_UPDATED;
}

/// Puts the value that an atomic transaction has fetched on R, beside its B.
void pin_manager_base::fetch(pin_burst& burst) {
    const std::uint32_t beats = value_of(burst.where).beats();
    for (std::uint32_t n = 0; n < beats; ++n)
        m_reads.back.push_back({burst.where.id, burst.resp(), burst.fetched(n), n + 1 == beats, nullptr});
}

void pin_manager_base::show() {
    m_shown = {};
    m_shown.ar_ready = m_reads.addresses.size() < places;
    m_shown.aw_ready = m_writes.addresses.size() < places;
    m_shown.w_ready = m_w.size() < places;
    if (!m_writes.back.empty()) {
        m_shown.b_valid = true;
        m_shown.b_id = m_writes.back.front().id;
        m_shown.b_resp = m_writes.back.front().resp;
    }
    if (m_reads.back.empty()) return;
    const beat& b = m_reads.back.front();
    m_shown.r_valid = true;
    m_shown.r_id = b.id;
    m_shown.r_last = b.last;
    m_shown.r = b.data;
    m_shown.r.set(8 * m_bus_bytes, 2, static_cast<std::uint64_t>(b.resp));
}

}  // namespace sare::axi
