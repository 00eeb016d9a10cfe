// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/router/model_block.h"
#include "cosim/rtl/sare_router_rtl.h"
#include "cosim/scoreboard/event_history.h"

#include <optional>
#include <string>

namespace sare::cosim {

/// Where model and RTL first differed, or where RTL first did what no router may.
struct divergence {
    cycle_t cycle = 0;
    cycle_t since = 0;     ///< of its cause, where it shows long after; 0: it shows at once
    std::string instance;  ///< hierarchical name
    std::uint32_t router = 0;
    std::optional<std::uint32_t> node;  ///< of whose NIC it is; else of the router
    std::uint32_t port = 0;
    std::string pin;                   ///< of the RTL; or a whole line, where that says more
    std::uint64_t model = 0, rtl = 0;  ///< what the pin is in both; equal: there is a line
    std::string flit;                  ///< the model's at that port: VC, packet, ...; "" if there is none
    std::vector<std::string> history;  ///< the last events at that port, oldest first
    bool of_old_rtl = false;           ///< "model" is the old RTL

    /// One line.
    std::string text() const;
};

/// Two machines that must do the same.
class comparison {
  public:
    virtual ~comparison() = default;
    /// One cycle of both; what goes out is the model's. False once they have differed: from then on only the
    /// model goes on, for what comes after a difference proves nothing.
    virtual bool step(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) = 0;
    virtual const std::optional<divergence>& first_divergence() const = 0;
    virtual std::uint64_t cycles_compared() const = 0;
};

/// The model's router and sare_router in lock step: the same flits and credits in, every output pin compared
/// every cycle.
class lockstep final : public pin_router, public comparison {
  public:
    lockstep(std::string name, const router_setting& setting, const routing_context& around,
             const packet_table& packets, rtl_library& library);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override {
        step(t, in, out);
    }
    void finish() override;
    bool step(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    const std::optional<divergence>& first_divergence() const override { return m_first; }
    std::uint64_t cycles_compared() const override { return m_compared; }

    /// The library must be built for it.
    void write_waves(const wave_window& window) {
        m_last_wave = window.last;
        m_rtl.write_waves(window);
        if (!window.file.empty()) m_rtl.show_model_in_waves();
    }
    /// The RTL is compared with other RTL, not with the model: with that of `library`.
    void compare_with(rtl_library& library);
    const model_block& model() const { return m_model; }
    sare_router_rtl& rtl() { return m_rtl; }

  private:
    /// What the other machine does in a cycle.
    void step_other(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out);
    void delay_credits(std::vector<port_out>& out);
    void step_rtl(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out);
    void diverge(cycle_t t, std::uint32_t port, const std::string& pin, std::uint64_t model,
                 std::uint64_t rtl, const port_out& out);

    std::string m_name;
    router_setting m_setting;
    const routing_context& m_around;
    const packet_table& m_packets;
    model_block m_model;
    sare_router_rtl m_rtl;
    std::unique_ptr<sare_router_rtl> m_old;             ///< in the model's place; null: the model is compared
    std::vector<std::vector<std::uint32_t>> m_credits;  ///< on their way to credit_o, [cycle][port]
    std::size_t m_credit_slot = 0;
    event_history m_history;
    std::optional<divergence> m_first;
    std::uint64_t m_compared = 0;
    cycle_t m_now = 0, m_last_wave = 0;  ///< cycles: the last one; that waves end with
};

}  // namespace sare::cosim
