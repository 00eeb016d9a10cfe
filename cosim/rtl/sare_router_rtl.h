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

/// The RTL of a router, rtl/sare_router.sv, at its pins. Flits carry data by which they are recognised (class
/// flit_data).
class sare_router_rtl final : public pin_router {
  public:
    /// Returns the request for the library of a router with `setting`. `sources`: rtl_request::sources.
    static rtl_request request(const router_setting& setting, const std::string& sources = "");

    /// Resets the router and writes its routing table, if it has one. `library`: library of request(setting).
    /// `around`, the place of the router, and `packets` must outlive the object.
    sare_router_rtl(const router_setting& setting, const routing_context& around, const packet_table& packets,
                    rtl_library& library);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    void finish() override { m_rtl->finish(); }

    /// @name The three steps of cycle(), in this order: drive() sets the input pins, clock() runs both edges,
    /// read() reads the output pins
    void drive(cycle_t t, const std::vector<port_in>& in);
    /// `model`: outputs of the first machine in this cycle, to be shown in waves if show_model_in_waves() was
    /// called; null: not shown.
    void clock(cycle_t t, const std::vector<port_out>* model = nullptr);
    void read(std::vector<port_out>& out);
    /// @}

    /// Sets whether input pins that have no meaning in a cycle, such as the header's without a head, are
    /// driven with noise, to find RTL that reads them. This costs time. Off at first.
    void put_noise_on_idle_pins(bool on) { m_noise = on; }

    /// Writes waves in the cycles of `window`; none if its file is empty. Call before the first cycle. Throws
    /// std::runtime_error if the library was built without waves.
    void write_waves(const wave_window& window) {
        m_waves = window;
        open(m_waves, *m_rtl);
    }
    /// Adds the pins of the first machine, with which a router_pair compares the RTL, to the waves, as
    /// model_NAME beside those of the RTL. The library must be built for this (rtl_request::model_pins).
    void show_model_in_waves() {
        m_model = pins_of(*m_rtl, "_o", "model_");
        m_shows_model = true;
    }

    /// Appends to `pins` the output pins of port `q` that have a meaning in a cycle in which `out` goes out.
    /// Their values are those that `out` demands if `as_they_should_be`, else those that the RTL has in this
    /// cycle.
    void list(pin_list& pins, std::uint32_t q, const port_out& out, bool as_they_should_be) const;

    rtl_instance& instance() { return *m_rtl; }  ///< the instance of the RTL, valid as long as this object

  private:
    /// The pins of all ports in one direction.
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
