// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_data.h"
#include "cosim/pins/pin_list.h"
#include "cosim/pins/pin_router.h"
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/header_pins.h"
#include "cosim/rtl/rtl_library.h"
#include "cosim/rtl/wave_window.h"

namespace sare::cosim {

/// rtl/sare_router.sv behind its pins; flits carry flit_data.
class sare_router_rtl final : public pin_router {
  public:
    /// Returns module and parameters of the library; `sources`: see rtl_request.
    static rtl_request request(const router_setting& setting, const std::string& sources = "");

    /// Resets the router, and writes its tables. `around` and `packets` must outlive it.
    sare_router_rtl(const router_setting& setting, const routing_context& around, const packet_table& packets,
                    rtl_library& library);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    void finish() override { m_rtl->finish(); }

    /// @name The steps of cycle()
    /// @{
    void drive(cycle_t t, const std::vector<port_in>& in);
    /// `model`: outputs of the first machine, to be shown in waves; null: none.
    void clock(cycle_t t, const std::vector<port_out>* model = nullptr);
    void read(std::vector<port_out>& out);
    /// @}

    /// Sets whether noise is driven on input pins that have no meaning, such as the header's if there is no
    /// head, to find RTL that reads them. Costs time.
    void put_noise_on_idle_pins(bool on) { m_noise = on; }

    /// Writes waves in the cycles of a window. Call before the first cycle. Throws std::runtime_error unless
    /// the library is built for waves.
    void write_waves(const wave_window& window) {
        m_waves = window;
        open(m_waves, *m_rtl);
    }
    /// Adds the pins of the first machine to waves, as model_NAME beside the RTL's. The library must be built
    /// for it (rtl_request::model_pins).
    void show_model_in_waves() {
        m_model = pins_of(*m_rtl, "_o", "model_");
        m_shows_model = true;
    }

    /// Adds the output pins of port `q` that have a meaning when `out` goes out to `pins`: with the values
    /// that `out` asks for if `as_they_should_be`, else with the RTL's.
    void list(pin_list& pins, std::uint32_t q, const port_out& out, bool as_they_should_be) const;

    rtl_instance& instance() { return *m_rtl; }

  private:
    struct pins : flit_pins, header_pins {
        rtl_pin credit;
    };
    static pins pins_of(const rtl_instance& rtl, const std::string& direction, const std::string& whose = "");

    void drive_header(std::uint32_t q, const carried_packet& p);
    void drive_noise(std::uint32_t q, cycle_t t, bool head, bool valid);
    template <class Does>
    void each_pin(std::uint32_t q, const port_out& p, const Does& does) const;
    void show(const std::vector<port_out>& model);

    router_setting m_setting;
    const routing_context& m_around;
    const packet_table& m_packets;
    std::unique_ptr<rtl_instance> m_rtl;
    rtl_pin m_clock;
    pins m_in, m_out, m_model;
    std::uint32_t m_port_bits, m_vc_bits, m_count_bits, m_dest_bits, m_way_bits;
    flit_data m_data;
    flit_reader m_reader;
    bool m_noise = false, m_shows_model = false;
    wave_window m_waves;
};

}  // namespace sare::cosim
