// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/congestion/congestion_control.h"
#include "tlm/state/archive.h"

#include <algorithm>
#include <cmath>

/// DCQCN, the congestion control of RoCEv2 (Zhu et al., "Congestion Control for Large-Scale RDMA
/// Deployments", SIGCOMM 2015, section 3.1). Names are those of the paper.
namespace sare {
namespace dcqcn {
namespace {

/// Defaults are the paper's (section 5) at 40 Gbit/s, in flits of 16 bytes and cycles of 1 ns.
struct parameters {
    double line_rate = 1, least_rate = 0.00025;
    double g = 1.0 / 256, additive = 0.001, hyper = 0.01;
    cycle_t cnp_interval = 50'000, alpha_timer = 55'000, rate_timer = 55'000;
    std::uint64_t byte_counter = 655'360;
    std::uint32_t fast_recoveries = 5;

    cycle_t notice_interval() const { return cnp_interval; }
};

/// The reaction point: the sender of a flow.
class reaction_point final : public flow_rate {
  public:
    explicit reaction_point(const parameters& p) : m_params(p), m_now({p.line_rate, p.line_rate}) {}

    double in(cycle_t now) override {
        const cycle_t decays = (now - m_now.alpha_from) / m_params.alpha_timer;
        if (decays != 0) m_now.alpha *= std::pow(1 - m_params.g, static_cast<double>(decays));
        m_now.alpha_from += decays * m_params.alpha_timer;
        for (; now - m_now.rate_from >= m_params.rate_timer && is_limited();
             m_now.rate_from += m_params.rate_timer) {
            ++m_now.timer_steps;
            increase();
        }
        return m_now.current;
    }
    void sent(std::uint32_t flits, cycle_t now) override {
        in(now);
        if (!is_limited()) return;
        for (m_now.flits += flits; m_now.flits >= m_params.byte_counter;
             m_now.flits -= m_params.byte_counter) {
            ++m_now.counter_steps;
            increase();
        }
    }
    void notified(cycle_t now) override {
        in(now);
        m_now.target = m_now.current;
        m_now.current = std::max(m_params.least_rate, m_now.current * (1 - m_now.alpha / 2));
        m_now.alpha = (1 - m_params.g) * m_now.alpha + m_params.g;
        m_now.alpha_from = m_now.rate_from = now;
        m_now.timer_steps = m_now.counter_steps = 0;
        m_now.flits = 0;
    }
    void serialize(archive& a) override { a(m_now); }

  private:
    struct state {
        double current, target;                 ///< R_C and R_T, flits a cycle
        double alpha = 1;                       ///< estimate of congestion
        cycle_t alpha_from = 0, rate_from = 0;  ///< when the two timers were started
        std::uint64_t flits = 0;                ///< flits sent since the last step of the byte counter
        /// Steps of timer and byte counter since the last cut, T and BC.
        std::uint32_t timer_steps = 0, counter_steps = 0;
    };
    /// True while timer and byte counter have something to raise.
    bool is_limited() const { return m_now.current < m_params.line_rate; }
    /// Raises the rate: fast recovery up to the old rate, then additive increase; hyper increase once both
    /// timer and byte counter have gone beyond fast recovery.
    void increase() {
        const auto [least, most] = std::minmax(m_now.timer_steps, m_now.counter_steps);
        const std::uint32_t fast = m_params.fast_recoveries;
        if (least > fast)
            m_now.target += (least - fast) * m_params.hyper;
        else if (most >= fast)
            m_now.target += m_params.additive;
        m_now.target = std::min(m_now.target, m_params.line_rate);
        m_now.current = (m_now.target + m_now.current) / 2;
        constexpr double as_good_as = 1 - 1e-9;  // halves never reach it
        if (m_now.current >= m_params.line_rate * as_good_as) m_now.current = m_params.line_rate;
    }

    const parameters m_params;
    state m_now;
};

using control = control_by_rates<reaction_point, parameters>;

config::schema<parameters> fields() {
    using p = parameters;
    config::schema<p> s = control::fields();
    s.number("g", &p::g, 0, 1, "", "Weight of a notification in alpha, the estimate of congestion.")
        .number("cnp_interval", &p::cnp_interval, 0, 1e12, "cycles",
                "Least time between two notifications of a flow.")
        .number("alpha_timer", &p::alpha_timer, 1, 1e12, "cycles",
                "Time without a notification after which alpha decays.")
        .number("rate_timer", &p::rate_timer, 1, 1e12, "cycles", "From one increase by time to the next.")
        .number("byte_counter", &p::byte_counter, 1, 1e15, "flits",
                "From one increase by what was sent to the next.")
        .number("fast_recoveries", &p::fast_recoveries, 0, 1000, "",
                "Increases that go half the way back to the rate before the cut (F).")
        .number("additive", &p::additive, 0, 1, "flits/cycle", "Additive increase of the target (R_AI).")
        .number("hyper", &p::hyper, 0, 1, "flits/cycle", "Unit of hyper increase of the target (R_HAI).");
    return s;
}

const config::registration<congestion_control> declared{
    "dcqcn", "The congestion control of RoCEv2: rates by notifications of marked packets.", fields(),
    [](const parameters& p, const config::value&) { return new control(p); }};

}  // namespace
}  // namespace dcqcn
}  // namespace sare
