// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/lockstep.h"

#include "cosim/pins/bits.h"

namespace sare::cosim {

std::string divergence::text() const {
    std::string all = "cycle " + std::to_string(cycle) + ", " + instance;
    if (model == rtl) return all + ": " + pin;
    all += ", port " + std::to_string(port) + ": " + pin + " is " + hex(model) +
           (of_old_rtl ? " in the old RTL and " : " in the model and ") + hex(rtl) +
           (of_old_rtl ? " in the new" : " in the RTL");
    return flit.empty() ? all : all + " (" + flit + ")";
}

lockstep::lockstep(std::string name, const router_setting& setting, const routing_context& around,
                   const packet_table& packets, rtl_library& library)
    : m_name(std::move(name)),
      m_setting(setting),
      m_around(around),
      m_packets(packets),
      m_model(setting, around, packets),
      m_rtl(setting, around, packets, library),
      m_credits(setting.credit_out_delay + 1, std::vector<std::uint32_t>(setting.ports, 0)),
      m_history(setting.ports, packets) {}

/// The model gives credits at once; the RTL after the delay that it has at its outputs.
void lockstep::delay_credits(std::vector<port_out>& out) {
    auto& now = m_credits[m_credit_slot];
    m_credit_slot = (m_credit_slot + 1) % m_credits.size();
    const auto& due = m_credits[m_credit_slot];
    for (std::size_t q = 0; q < out.size(); ++q) {
        now[q] = out[q].credits;
        out[q].credits = due[q];
    }
}

void lockstep::compare_with(rtl_library& library) {
    m_old = std::make_unique<sare_router_rtl>(m_setting, m_around, m_packets, library);
    m_old->put_noise_on_idle_pins(true);
}

void lockstep::step_other(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    if (m_old != nullptr) return m_old->cycle(t, in, out);
    m_model.cycle(t, in, out);
    delay_credits(out);
}

/// One that has differed may be anywhere, where its `final` blocks prove nothing.
void lockstep::finish() {
    if (m_first) return;
    try {
        if (m_old != nullptr) m_old->finish();
        m_rtl.finish();
    } catch (const rtl_error& failed) {
        diverge(m_now, 0, failed.what(), 0, 0, {});
    }
}

bool lockstep::step(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    m_now = t;
    step_other(t, in, out);
    if (m_first && t > m_last_wave) return false;
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        m_history.note_in(t, q, in[q]);
        m_history.note_out(t, q, out[q]);
    }
    try {
        step_rtl(t, in, out);
    } catch (const rtl_error& failed) {
        diverge(t, 0, failed.what(), 0, 0, {});
    }
    return !m_first;
}

void lockstep::step_rtl(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out) {
    m_rtl.drive(t, in);
    m_rtl.clock(t, &out);
    if (m_first) return;
    ++m_compared;
    m_rtl.compare(out, [&](std::uint32_t port, const std::string& pin, std::uint64_t model,
                           std::uint64_t rtl) { diverge(t, port, pin, model, rtl, out[port]); });
}

void lockstep::diverge(cycle_t t, std::uint32_t port, const std::string& pin, std::uint64_t model,
                       std::uint64_t rtl, const port_out& out) {
    if (m_first) return;
    m_first = divergence{t,    0,   m_name, 0,   {},
                         port, pin, model,  rtl, out.valid ? text(out.what, m_packets[out.what.packet]) : "",
                         {}};
    m_first->of_old_rtl = m_old != nullptr;
    m_first->history = model == rtl ? m_history.everywhere() : m_history.at(port);
}

}  // namespace sare::cosim
