// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/model_block.h"
#include "cosim/sare_router_rtl.h"
#include "cosim/wave_window.h"

#include <deque>
#include <optional>
#include <string>

namespace sare::cosim {

/// Where model and RTL first differed.
struct divergence {
    cycle_t cycle = 0;
    std::string instance;  ///< hierarchical name
    std::uint32_t router = 0;
    std::uint32_t port = 0;
    std::string pin;  ///< of the RTL; or what its assertion says
    std::uint64_t model = 0, rtl = 0;
    std::string flit;                  ///< the model's at that port: VC, packet, ...; "" if there is none
    std::vector<std::string> history;  ///< the last events at that port, oldest first

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
class lockstep final : public router_block, public comparison {
  public:
    lockstep(std::string name, const router_setting& setting, const surroundings& around,
             const packet_table& packets, rtl_library& library);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override {
        step(t, in, out);
    }
    bool step(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    const std::optional<divergence>& first_divergence() const override { return m_first; }
    std::uint64_t cycles_compared() const override { return m_compared; }

    /// The library must be built for it.
    void write_waves(const wave_window& window) { m_waves = window; }
    const model_block& model() const { return m_model; }
    sare_router_rtl& rtl() { return m_rtl; }

  private:
    static constexpr std::size_t history_length = 12;
    struct event {
        cycle_t at;
        enum class kind { flit_in, flit_out, credit_in, credit_out } what;
        flit data;
        carried_packet packet;  ///< as it is now: its number is soon given to another
        std::uint32_t credits;
    };

    void delay_credits(std::vector<port_out>& out);
    void step_rtl(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out);
    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out);
    void note(std::uint32_t port, const event& e);
    void diverge(cycle_t t, std::uint32_t port, const std::string& pin, std::uint64_t model,
                 std::uint64_t rtl, const port_out& out);
    static std::string text(const event& e);
    static std::string text(const flit& f, const carried_packet& p);
    void dump(cycle_t t);

    std::string m_name;
    const packet_table& m_packets;
    model_block m_model;
    sare_router_rtl m_rtl;
    std::vector<std::vector<std::uint32_t>> m_credits;  ///< on their way to credit_o, [cycle][port]
    std::size_t m_credit_slot = 0;
    std::vector<std::deque<event>> m_history;  ///< by port
    std::optional<divergence> m_first;
    std::uint64_t m_compared = 0;
    wave_window m_waves;
};

}  // namespace sare::cosim
