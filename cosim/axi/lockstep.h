// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/bridge.h"

#include <memory>
#include <string>

namespace sare::axi {

/// Model and RTL of a bridge, the same in, every output pin compared in every cycle; what goes out is the
/// model's. After the first difference the model goes on alone, for what comes then proves nothing.
template <class Bridge>
class lockstep final : public Bridge {
  public:
    using inputs = typename Bridge::inputs;
    using outputs = typename Bridge::outputs;

    lockstep(std::string name, std::unique_ptr<Bridge> model, std::unique_ptr<Bridge> rtl)
        : m_name(std::move(name)), m_model(std::move(model)), m_rtl(std::move(rtl)) {}

    outputs out() const override { return m_model->out(); }
    void clock(const inputs& in) override;
    void finish() override;

    /// "" while both agree; else cycle, name, pin and what it is in both.
    const std::string& first_difference() const { return m_difference; }
    std::uint64_t cycles_compared() const { return m_compared; }

  private:
    void note(const std::string& wrong);

    std::string m_name;
    std::unique_ptr<Bridge> m_model, m_rtl;
    std::string m_difference;
    std::uint64_t m_cycle = 0, m_compared = 0;
};

/// Pins that differ and mean something, as a line; "": none.
std::string difference(const manager_bridge::outputs& model, const manager_bridge::outputs& rtl);
std::string difference(const subordinate_bridge::outputs& model, const subordinate_bridge::outputs& rtl);

template <class Bridge>
void lockstep<Bridge>::clock(const inputs& in) {
    ++m_cycle;
    if (m_difference.empty()) {
        std::string wrong = difference(m_model->out(), m_rtl->out());
        ++m_compared;
        try {
            m_rtl->clock(in);
        } catch (const cosim::rtl_error& failed) {
            if (wrong.empty()) wrong = failed.what();
        }
        if (!wrong.empty()) note(wrong);
    }
    m_model->clock(in);
}

template <class Bridge>
void lockstep<Bridge>::finish() {
    if (!m_difference.empty()) return;
    try {
        m_rtl->finish();
    } catch (const cosim::rtl_error& failed) {
        note(failed.what());
    }
}

template <class Bridge>
void lockstep<Bridge>::note(const std::string& wrong) {
    m_difference = "cycle " + std::to_string(m_cycle) + ", " + m_name + ": " + wrong;
}

}  // namespace sare::axi
