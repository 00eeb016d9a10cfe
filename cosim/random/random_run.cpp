// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/random_run.h"

#include "cosim/random/router_bench.h"
#include "tlm/topology/topology.h"

namespace sare::cosim {
namespace {

/// The longest that flits and credits may take to leave, once nothing comes in any more.
constexpr cycle_t drain_limit = 100000, after_drain = 600;

class runner {
  public:
    runner(const random_run& what, const random_case& drawn, rtl_library& library)
        : m_bench(drawn.setting, *drawn.around, what.seed),
          m_pair("router", drawn.setting, *drawn.around, m_bench.packets(), library),
          m_out(drawn.setting.ports) {
        m_pair.rtl().put_noise_on_idle_pins(true);
        m_pair.write_waves(what.waves);
    }

    std::string go(const random_run& what, const std::function<void(double)>& on_cycle) {
        const cycle_t last = what.cycles;
        while (m_now <= last && cycle(false))
            if (on_cycle && m_now % 4096 == 0)
                on_cycle(static_cast<double>(m_now) / static_cast<double>(last));
        for (const cycle_t end = m_now + drain_limit; m_now < end && !m_bench.empty() && cycle(true);) {
        }
        for (const cycle_t end = m_now + after_drain; m_now < end && cycle(true);) {
        }
        for (; m_now <= what.waves.last; cycle(true)) {
        }
        if (m_pair.first_divergence()) return "";
        if (!m_bench.empty()) return "flits are left in the router";
        return m_pair.model().leftovers();
    }

    lockstep& pair() { return m_pair; }
    const router_bench& bench() const { return m_bench; }

  private:
    bool cycle(bool closing) {
        const bool same = m_pair.step(m_now++, m_bench.inputs(closing), m_out);
        m_bench.outputs(m_out);
        return same;
    }

    router_bench m_bench;
    lockstep m_pair;
    std::vector<port_out> m_out;
    cycle_t m_now = 1;
};

}  // namespace

random_outcome run(const random_run& what, const std::function<void(double)>& on_cycle) {
    const random_case drawn = draw_case(what.seed, what.most_vcs);
    rtl_request request = sare_router_rtl::request(drawn.setting, what.sources);
    request.speed = what.speed;
    request.coverage = !what.coverage.empty();
    request.waves = !what.waves.file.empty();
    if (what.on_build && !rtl_library::is_built(request))
        what.on_build("sare_router, " + std::to_string(drawn.setting.ports) + " ports, " +
                      std::to_string(drawn.setting.model.vcs) + " VCs");
    const auto library = rtl_library::get(request);
    runner pair(what, drawn, *library);
    random_outcome o;
    o.parameters = text(request.parameters);
    o.place = drawn.place;
    try {
        o.problem = pair.go(what, on_cycle);
    } catch (const std::runtime_error& broken) {
        o.problem = broken.what();
    }
    o.first = pair.pair().first_divergence();
    o.router_cycles = pair.pair().cycles_compared();
    o.flits = pair.bench().flits_received();
    o.packets = pair.bench().packets_done();
    if (request.coverage) pair.pair().rtl().instance().write_coverage(what.coverage);
    return o;
}

}  // namespace sare::cosim
