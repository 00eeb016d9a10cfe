// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/nic_lockstep.h"

#include "cosim/pins/bits.h"
#include "cosim/rtl/rtl_library.h"

namespace sare::axi {

void nic_lockstep::note(const std::string& line) {
    if (m_difference.empty()) m_difference = "cycle " + std::to_string(m_cycle) + ", " + m_name + ": " + line;
}

void nic_lockstep::differ(const char* pin, std::uint64_t model, std::uint64_t rtl) {
    if (model == rtl) return;
    note(std::string(pin) + " is " + cosim::hex(model) + " in the model and " + cosim::hex(rtl) +
         " in the RTL");
}

/// The first 64 bits that differ.
void nic_lockstep::differ(const char* pin, const wide& model, const wide& rtl) {
    for (std::uint32_t lsb = 0; lsb < wide::bits; lsb += 64)
        if (model.get(lsb, 64) != rtl.get(lsb, 64))
            return differ((std::string(pin) + ", bits from " + std::to_string(lsb) + ",").c_str(),
                          model.get(lsb, 64), rtl.get(lsb, 64));
}

/// A step of the RTL, whose assertions may fail.
template <class Does>
void nic_lockstep::of_rtl(const Does& does) {
    try {
        does();
    } catch (const cosim::rtl_error& failed) {
        note(failed.what());
    }
}

void nic_lockstep::arrives(const link_flit& f) {
    m_model->arrives(f);
    m_rtl->arrives(f);
}

std::uint32_t nic_lockstep::send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) {
    m_classes = static_cast<std::uint32_t>(flits.size());
    const std::uint32_t taken = m_model->send(flits, credits);
    of_rtl([&] { differ("ready_o of sare_nic_inject", taken, m_rtl->send(flits, credits)); });
    return taken;
}

void nic_lockstep::clock(std::uint32_t taken) {
    compare_received();
    m_model->clock(taken);
    of_rtl([&] {
        m_rtl->clock(taken);
        compare_sent(m_model->sent(), m_rtl->sent());
        differ("credit_o of sare_nic_receive", m_model->credits(), m_rtl->credits());
        m_rtl->check_header();
    });
    ++m_cycle;
}

void nic_lockstep::finish() {
    if (m_difference.empty()) of_rtl([this] { m_rtl->finish(); });
}

void nic_lockstep::compare_received() {
    for (std::uint32_t c = 0; c < m_classes; ++c) {
        const stream_flit model = m_model->received(c), rtl = m_rtl->received(c);
        const std::string of = " of sare_nic_receive, class " + std::to_string(c) + ",";
        differ(("valid_o" + of).c_str(), model.valid, rtl.valid);
        if (!model.valid || !rtl.valid) continue;
        differ(("tail_o" + of).c_str(), model.tail, rtl.tail);
        differ(("data_o" + of).c_str(), model.data, rtl.data);
    }
}

void nic_lockstep::compare_sent(const std::optional<link_flit>& model, const std::optional<link_flit>& rtl) {
    differ("flit_valid_o of sare_nic_inject", model.has_value(), rtl.has_value());
    if (!model || !rtl) return;
    differ("flit_head_o of sare_nic_inject", model->head, rtl->head);
    differ("flit_tail_o of sare_nic_inject", model->tail, rtl->tail);
    differ("flit_vc_o of sare_nic_inject", model->vc, rtl->vc);
    differ("flit_data_o of sare_nic_inject", model->data, rtl->data);
}

}  // namespace sare::axi
