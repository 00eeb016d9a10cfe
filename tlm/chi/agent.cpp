// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/agent.h"

#include "tlm/systemc/reports.h"

#include <algorithm>

namespace sare::chi {

/// Credits of each channel: since flits are taken at once, more are not needed.
constexpr std::uint32_t receive_credits = 4;

agent::agent(const sc_core::sc_module_name& name, std::uint32_t bus_bytes)
    : sc_core::sc_module(name), socket("socket"), m_bus_bytes(bus_bytes) {
    socket.bind(*this);
    with_config_reports(this->name(), [&] {
        if (const std::string wrong = wrong_with_bus(bus_bytes); !wrong.empty()) throw config::error(wrong);
    });
}

void agent::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    for (std::uint32_t c = 0; c < channels; ++c)
        out << channel_names[c] << ": link credits = " << m_credits[c]
            << ", flits waiting = " << m_waiting[c].size() << '\n';
}

std::shared_ptr<access_side> agent::count_accesses(bool as_memory) {
    m_accesses = std::make_shared<access_side>();
    m_accesses->name = name();
    m_accesses->memory = as_memory;
    return m_accesses;
}

void agent::start_of_simulation() {
    if (m_accesses != nullptr) socket->join(m_accesses);
    for (std::uint32_t k = 0; k < channels * receive_credits; ++k) {
        flit f;
        f.on = static_cast<channel>(k % channels);
        phase p = phase::credit;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(f, p, delay);
    }
}

tlm::tlm_sync_enum agent::nb_transport_bw(flit& f, phase& p, sc_core::sc_time& delay) {
    const std::size_t c = number_of(f.on);
    if (p == phase::credit) {
        ++m_credits[c];
        send_waiting(c);
        return tlm::TLM_ACCEPTED;
    }
    const flit taken = f;
    phase back = phase::credit;
    received(taken);
    socket->nb_transport_fw(f, back, delay);
    return tlm::TLM_ACCEPTED;
}

void agent::send(const flit& f) {
    const auto c = static_cast<std::size_t>(f.on);
    m_waiting[c].push_back(f);
    m_most = std::max(m_most, static_cast<std::uint32_t>(m_waiting[c].size()));
    send_waiting(c);
}

void agent::send_waiting(std::size_t c) {
    while (m_credits[c] != 0 && !m_waiting[c].empty()) {
        flit f = m_waiting[c].front();
        m_waiting[c].pop_front();
        --m_credits[c];
        phase p = phase::flit;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_fw(f, p, delay);
    }
}

void agent::send_line(flit f, const std::array<unsigned char, line_bytes>& data) {
    const std::uint64_t enables = f.enables;
    for (std::uint32_t first = 0; first < line_bytes; first += m_bus_bytes) {
        f.data_id = static_cast<std::uint8_t>(first / 16);
        f.data = {};
        std::copy_n(data.begin() + first, m_bus_bytes, f.data.begin() + first);
        const std::uint64_t mask =
            m_bus_bytes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_bus_bytes) - 1;
        f.enables = enables & mask << first;
        send(f);
    }
}

}  // namespace sare::chi
