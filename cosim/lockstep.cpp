// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep.h"

#include "cosim/bits.h"

namespace sare::cosim {

std::string divergence::text() const {
    std::string all =
        "cycle " + std::to_string(cycle) + ", " + instance + ", port " + std::to_string(port) + ": ";
    if (model == rtl) return all + pin;
    all += pin + " is " + hex(model) + " in the model and " + hex(rtl) + " in the RTL";
    return flit.empty() ? all : all + " (" + flit + ")";
}

lockstep::lockstep(std::string name, const router_setting& setting, const surroundings& around,
                   const packet_table& packets, rtl_library& library)
    : m_name(std::move(name)),
      m_packets(packets),
      m_model(setting, around, packets),
      m_rtl(setting, around, packets, library),
      m_credits(setting.credit_out_delay + 1, std::vector<std::uint32_t>(setting.ports, 0)),
      m_history(setting.ports) {}

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

bool lockstep::step(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    m_model.cycle(t, in, out);
    delay_credits(out);
    if (m_first && t > m_waves.last) return false;
    note(t, in, out);
    try {
        step_rtl(t, in, out);
    } catch (const rtl_error& failed) {
        diverge(t, 0, failed.what(), 0, 0, {});
    }
    dump(t);
    return !m_first;
}

void lockstep::step_rtl(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out) {
    m_rtl.drive(t, in);
    m_rtl.clock();
    if (m_first) return;
    ++m_compared;
    m_rtl.compare(out, [&](std::uint32_t port, const char* pin, std::uint64_t model, std::uint64_t rtl) {
        diverge(t, port, pin, model, rtl, out[port]);
    });
}

void lockstep::diverge(cycle_t t, std::uint32_t port, const std::string& pin, std::uint64_t model,
                       std::uint64_t rtl, const port_out& out) {
    if (m_first) return;
    m_first = divergence{
        t, m_name, 0, port, pin, model, rtl, out.valid ? text(out.what, m_packets[out.what.packet]) : "", {}};
    for (const event& e : m_history[port]) m_first->history.push_back(text(e));
}

void lockstep::note(std::uint32_t port, const event& e) {
    auto& all = m_history[port];
    if (all.size() == history_length) all.pop_front();
    all.push_back(e);
}

void lockstep::note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out) {
    using kind = event::kind;
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        if (in[q].valid) note(q, {t, kind::flit_in, in[q].what, m_packets[in[q].what.packet], 0});
        if (in[q].credits != 0) note(q, {t, kind::credit_in, {}, {}, in[q].credits});
        if (out[q].valid) note(q, {t, kind::flit_out, out[q].what, m_packets[out[q].what.packet], 0});
        if (out[q].credits != 0) note(q, {t, kind::credit_out, {}, {}, out[q].credits});
    }
}

std::string lockstep::text(const flit& f, const carried_packet& p) {
    const char* kind = f.is_head() ? f.is_tail() ? "head and tail" : "head" : f.is_tail() ? "tail" : "body";
    return "VC " + std::to_string(f.vc) + ", packet " + std::to_string(p.uid) + " from node " +
           std::to_string(p.route.source) + " to " + std::to_string(p.route.destination) + ", flit " +
           std::to_string(f.sequence) + " of " + std::to_string(p.flits) + ", " + kind;
}

std::string lockstep::text(const event& e) {
    static const char* names[] = {"flit in", "flit out", "credits in", "credits out"};
    const std::string what = names[static_cast<int>(e.what)];
    const bool is_flit = e.what == event::kind::flit_in || e.what == event::kind::flit_out;
    return "cycle " + std::to_string(e.at) + ": " + what + ", " +
           (is_flit ? text(e.data, e.packet) : "VCs " + hex(e.credits));
}

void lockstep::dump(cycle_t t) {
    if (!m_waves.has(t)) return;
    rtl_instance& rtl = m_rtl.instance();
    if (t == m_waves.first) rtl.open_waves(m_waves.file);
    rtl.dump_waves(t);
    if (t == m_waves.last) rtl.close_waves();
}

}  // namespace sare::cosim
