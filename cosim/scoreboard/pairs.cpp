// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/pairs.h"

namespace sare::cosim {

router_pair::router_pair(std::string name, std::unique_ptr<pin_router> first,
                         std::unique_ptr<pin_router> second, std::uint32_t ports, const packet_table& packets,
                         compared_machines machines)
    : lockstep(std::move(name), std::move(first), std::move(second), machines),
      m_rtl(dynamic_cast<sare_router_rtl*>(&this->second())),
      m_packets(packets),
      m_out(ports) {
    m_history.emplace(ports, packets);
}

void router_pair::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    m_cycle = t;
    both([&](pin_router& router, pin_list& pins) {
        const bool leads = is_first(router);
        if (!leads && m_rtl != nullptr) {
            m_rtl->drive(t, in);
            m_rtl->clock(t, &out);
        } else {
            router.cycle(t, in, leads ? out : m_out);
        }
        for (std::uint32_t q = 0; q < in.size(); ++q) {
            if (leads) m_history->note_in(t, q, in[q]);
            if (leads) m_history->note_out(t, q, out[q]);
            if (m_rtl != nullptr)
                m_rtl->list(pins, q, out[q], leads);
            else
                list(pins, q, leads ? out[q] : m_out[q]);
        }
        return true;
    });
    end_cycle();
}

void router_pair::list(pin_list& pins, std::uint32_t port, const port_out& out) const {
    pins.set_place(place_of(port, out));
    pins.add("what comes back (credits)", "", out.credits);
    pins.add("valid", "", out.valid);
    if (!out.valid) return;
    pins.add("vc", "", out.what.vc);
    pins.add("packet", "", m_packets[out.what.packet].uid);
    pins.add("flit", "", out.what.sequence);
    pins.add("head", "", out.what.is_head());
    pins.add("tail", "", out.what.is_tail());
    if (!out.what.is_head()) return;
    pins.add("destination", "", out.header.destination);
    pins.add("port ahead", "", out.header.port);
    pins.add("vcs ahead", "", out.header.vcs);
}

own_router_pair::own_router_pair(std::string name, const router_setting& setting,
                                 const routing_context& around, const packet_table& packets,
                                 rtl_library& library, rtl_library* old, const wave_window& waves) {
    const auto rtl_of = [&](rtl_library& of) {
        auto made = std::make_unique<sare_router_rtl>(setting, around, packets, of);
        made->put_noise_on_idle_pins(true);
        return made;
    };
    std::unique_ptr<pin_router> first;
    if (old == nullptr) {
        auto made = std::make_unique<model_block>(setting, around, packets);
        model = made.get();
        first = std::move(made);
    } else {
        first = rtl_of(*old);
    }
    auto second = rtl_of(library);
    rtl = second.get();
    rtl->write_waves(waves);
    if (!waves.file.empty()) rtl->show_model_in_waves();
    pair = std::make_unique<router_pair>(
        std::move(name), std::move(first), std::move(second), setting.ports, packets,
        old != nullptr ? compared_machines::old_and_new_rtl : compared_machines::model_and_rtl);
    pair->run_both_until(waves.last);
}

nic_pair::nic_pair(std::string name, std::unique_ptr<pin_nic> first, std::unique_ptr<sare_nic_rtl> rtl,
                   const packet_table& packets, compared_machines machines)
    : lockstep(std::move(name), std::move(first), std::move(rtl), machines),
      m_rtl(static_cast<sare_nic_rtl&>(second())),
      m_packets(packets) {
    m_history.emplace(1, packets);
}

void nic_pair::write_waves(const wave_window& window) {
    run_both_until(window.last);
    m_rtl.write_waves(window);
    m_rtl.show_model_in_waves();
}

std::uint32_t nic_pair::offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) {
    m_credits = credits;
    return both([&](pin_nic& nic, pin_list& pins) {
        const std::uint32_t taken = nic.offer(flits, credits);
        if (is_first(nic)) m_rtl.show_ready(taken);
        pins.add("ready_o", " of sare_nic_inject", taken);
        return taken;
    });
}

void nic_pair::accept(const flit& f) {
    m_history->note_in(m_cycle, 0, {true, f, 0});
    both([&](pin_nic& nic, pin_list&) {
        nic.accept(f);
        return true;
    });
}

void nic_pair::clock(cycle_t t) {
    m_cycle = t;
    m_sent.reset();
    both([&](pin_nic& nic, pin_list& pins) {
        nic.clock(t);
        const std::optional<flit> sent = nic.sent();
        if (is_first(nic)) {
            m_sent = sent;
            show(t);
        }
        pins.add("credit_o", " of sare_nic_eject", nic.credits());
        list(pins, sent);
        nic.check_header();
        return true;
    });
    end_cycle();
}

/// Shows the first NIC's pins after the edge, for waves of the RTL.
void nic_pair::show(cycle_t t) {
    m_rtl.show_sent(m_sent, credits());
    m_history->note_in(t, 0, {false, {}, m_credits});
    m_history->note_out(t, 0, {m_sent.has_value(), m_sent.value_or(flit()), {}, credits()});
}

void nic_pair::list(pin_list& pins, const std::optional<flit>& sent) const {
    const char* const of = " of sare_nic_inject";
    pins.set_place({"", pin_list::none, sent});
    pins.add("flit_valid_o", of, sent.has_value());
    if (!sent) return;
    pins.add("flit_head_o", of, sent->is_head());
    pins.add("flit_tail_o", of, sent->is_tail());
    pins.add("flit_vc_o", of, sent->vc);
    pins.add("flit_data_o", " of sare_nic_inject: the packet", m_packets[sent->packet].uid);
    pins.add("flit_data_o", " of sare_nic_inject: the flit", sent->sequence);
}

}  // namespace sare::cosim
