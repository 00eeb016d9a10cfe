// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/pair_run.h"

namespace sare::cosim {

pair_run::pair_run(const router_setting& setting, const routing_context& around, pin_traffic& traffic,
                   rtl_library& library, rtl_library* old, const wave_window& waves)
    : m_traffic(traffic),
      m_pair("router", setting, around, traffic.packets(), library, old, waves),
      m_out(setting.ports),
      m_last_wave(waves.last) {}

bool pair_run::cycle(bool closing) {
    const std::vector<port_in>& in = m_traffic.inputs(closing);
    m_pair.pair->cycle(m_now, in, m_out);
    for (pin_observer* o : m_observers) o->note(m_now, in, m_out, m_traffic.packets());
    m_traffic.outputs(m_out);
    ++m_now;
    return !pair().first_divergence();
}

std::string pair_run::steps(const length& cycles, const std::function<void(double)>& on_cycle) {
    while (m_now <= cycles.traffic && cycle(false))
        if (on_cycle && m_now % 4096 == 0)
            on_cycle(static_cast<double>(m_now) / static_cast<double>(cycles.traffic));
    for (const cycle_t end = m_now + cycles.drain; m_now < end && !m_traffic.empty() && cycle(true);) {
    }
    for (const cycle_t end = m_now + cycles.after; m_now < end && cycle(true);) {
    }
    for (; m_now <= m_last_wave; cycle(true)) {
    }
    if (pair().first_divergence()) return "";
    if (!m_traffic.empty()) return "flits are left in the router";
    m_pair.pair->finish();
    return m_pair.model != nullptr ? m_pair.model->leftovers() : "";
}

std::string pair_run::go(const length& cycles, const std::function<void(double)>& on_cycle) {
    try {
        return steps(cycles, on_cycle);
    } catch (const std::runtime_error& broken) {
        return broken.what();
    }
}

}  // namespace sare::cosim
