// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/congestion/congestion_control.h"
#include "tlm/state/archive.h"

#include <algorithm>

/// Additive increase, multiplicative decrease (Chiu and Jain 1989).
namespace sare {
namespace aimd {
namespace {

struct parameters {
    double line_rate = 1, least_rate = 0.001, increase = 0.001, decrease = 0.5;
    cycle_t interval = 1000;

    cycle_t notice_interval() const { return interval; }
};

/// A rate that grows at the end of each interval, and is cut at most once in an interval. Intervals count
/// from the last cut.
class rate final : public flow_rate {
  public:
    explicit rate(const parameters& p) : m_params(p), m_rate(p.line_rate) {}

    double in(cycle_t now) override {
        const cycle_t over = (now - m_from) / m_params.interval;
        m_from += over * m_params.interval;
        m_rate = std::min(m_params.line_rate, m_rate + static_cast<double>(over) * m_params.increase);
        return m_rate;
    }
    void notified(cycle_t now) override {
        in(now);
        if (m_was_cut && now - m_cut < m_params.interval) return;
        m_rate = std::max(m_params.least_rate, m_rate * m_params.decrease);
        m_was_cut = true;
        m_cut = m_from = now;
    }
    void serialize(archive& a) override { a(m_rate, m_from, m_cut, m_was_cut); }

  private:
    const parameters m_params;
    double m_rate;
    cycle_t m_from = 0;      ///< begin of the present interval
    cycle_t m_cut = 0;       ///< cycle of the last cut
    bool m_was_cut = false;  ///< true: there was one
};

using control = control_by_rates<rate, parameters>;

config::schema<parameters> fields() {
    using p = parameters;
    config::schema<p> s = control::fields();
    s.number("increase", &p::increase, 0, 1, "flits/cycle", "Added to the rate after each interval.")
        .number(
            "interval", &p::interval, 1, 1e12, "cycles",
            "From one increase to the next; a flow is told of a mark, and cut, at most once in an interval.")
        .number("decrease", &p::decrease, 0, 1, "", "Share of the rate that is left when it is cut.");
    return s;
}

const config::registration<congestion_control> declared{
    "aimd", "Additive increase, multiplicative decrease of the rate of each flow.", fields(),
    [](const parameters& p, const config::value&) { return new control(p); }};

}  // namespace
}  // namespace aimd
}  // namespace sare
