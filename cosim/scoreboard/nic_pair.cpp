// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/nic_pair.h"

#include "cosim/pins/bits.h"
#include "cosim/rtl/rtl_library.h"

#include <utility>

namespace sare::cosim {
namespace {

/// What a step comes to, or the line that it throws.
template <class T>
struct step_result {
    T value{};
    std::string problem;
};

template <class Does>
auto result_of(pin_nic& nic, const Does& does) {
    step_result<decltype(does(nic))> r;
    try {
        r.value = does(nic);
    } catch (const rtl_error& failed) {
        r.problem = failed.what();
    }
    return r;
}

}  // namespace

nic_pair::nic_pair(std::unique_ptr<pin_nic> first, std::string first_is, std::unique_ptr<sare_nic_rtl> rtl,
                   const packet_table& packets)
    : m_first(std::move(first)),
      m_rtl(std::move(rtl)),
      m_first_is(std::move(first_is)),
      m_packets(packets),
      m_history(1, packets) {}

void nic_pair::write_waves(const wave_window& window) {
    m_last_wave = window.last;
    m_rtl->write_waves(window);
    m_rtl->show_model_in_waves();
}

/// The same step of both: what each comes to; the first's twice where they have differed.
template <class Does>
auto nic_pair::both(const Does& does) {
    const auto first = result_of(*m_first, does);
    if (m_has_differed && m_now <= m_last_wave) result_of(*m_rtl, does);
    if (m_has_differed && !first.problem.empty()) throw rtl_error(first.problem);
    if (m_has_differed) return std::pair(first.value, first.value);
    const auto rtl = result_of(*m_rtl, does);
    if (first.problem == rtl.problem && !rtl.problem.empty()) throw rtl_error(rtl.problem);
    if (first.problem != rtl.problem) {
        m_has_differed = true;
        m_difference.line = rtl.problem.empty() ? m_first_is + ": " + first.problem : rtl.problem;
    }
    return std::pair(first.value, m_has_differed ? first.value : rtl.value);
}

void nic_pair::differ(const std::string& pin, std::uint64_t first, std::uint64_t rtl, const flit* f) {
    if (first == rtl || m_has_differed) return;
    m_has_differed = true;
    m_difference.line = pin + " is " + hex(first) + " in " + m_first_is + " and " + hex(rtl) + " in the " +
                        (m_first_is == "the model" ? "RTL" : "new") +
                        (f != nullptr ? " (" + text(*f, m_packets[f->packet]) + ")" : "");
}

std::uint32_t nic_pair::offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) {
    m_credits = credits;
    const auto [first, rtl] = both([&](pin_nic& nic) { return nic.offer(flits, credits); });
    m_rtl->show_ready(first);
    differ("ready_o of sare_nic_inject", first, rtl);
    return first;
}

void nic_pair::accept(const flit& f) {
    m_history.note_in(m_now + 1, 0, {true, f, 0});
    both([&](pin_nic& nic) {
        nic.accept(f);
        return 0;
    });
}

/// Waves of the RTL want to know what the first one shows after the edge.
void nic_pair::clock(cycle_t t) {
    m_now = t;
    m_out = {};
    both([&](pin_nic& nic) {
        nic.clock(t);
        if (&nic == m_first.get()) show_first();
        return 0;
    });
    m_history.note_in(t, 0, {false, {}, m_credits});
    m_history.note_out(t, 0, m_out);
    if (!m_has_differed) differ("credit_o of sare_nic_eject", m_first->credits(), m_rtl->credits());
}

void nic_pair::show_first() {
    const std::optional<flit> sent = m_first->sent();
    m_out.valid = sent.has_value();
    if (sent) m_out.what = *sent;
    m_out.credits = m_first->credits();
    m_rtl->show_sent(sent, m_out.credits);
}

std::optional<flit> nic_pair::sent() {
    const auto first = m_out.valid ? std::optional<flit>(m_out.what) : std::nullopt;
    const auto [same, rtl] = both([&](pin_nic& nic) { return &nic == m_first.get() ? first : nic.sent(); });
    compare_flits(same, rtl);
    if (difference header = m_rtl->take_difference(); !m_has_differed && !header.line.empty()) {
        m_has_differed = true;
        m_difference = std::move(header);
    }
    return same;
}

void nic_pair::finish() {
    if (m_has_differed) return;
    both([](pin_nic& nic) {
        nic.finish();
        return 0;
    });
}

void nic_pair::compare_flits(const std::optional<flit>& first, const std::optional<flit>& rtl) {
    const auto pin = [](const char* name) { return std::string(name) + " of sare_nic_inject"; };
    const flit* shown = first ? &*first : rtl ? &*rtl : nullptr;
    differ(pin("flit_valid_o"), first.has_value(), rtl.has_value(), shown);
    if (!first || !rtl) return;
    differ(pin("flit_head_o"), first->is_head(), rtl->is_head(), shown);
    differ(pin("flit_tail_o"), first->is_tail(), rtl->is_tail(), shown);
    differ(pin("flit_vc_o"), first->vc, rtl->vc, shown);
    differ(pin("flit_data_o") + ": the packet", m_packets[first->packet].uid, m_packets[rtl->packet].uid,
           shown);
    differ(pin("flit_data_o") + ": the flit", first->sequence, rtl->sequence, shown);
}

pin_nic::difference nic_pair::take_difference() {
    if (m_difference.line.empty()) return {};
    m_difference.history = m_history.everywhere();
    return std::exchange(m_difference, {});
}

}  // namespace sare::cosim
