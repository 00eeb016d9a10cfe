// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_data.h"
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/header_pins.h"
#include "cosim/rtl/wave_window.h"
#include "tlm/nic/params.h"

#include <optional>

namespace sare::cosim {

/// The RTL of a NIC, rtl/sare_nic_inject.sv and rtl/sare_nic_eject.sv, at their pins.
class sare_nic_rtl final : public pin_nic {
  public:
    /// Returns the request for the library of sare_nic_inject. `router`: parameters of the NIC's router;
    /// `nic`: parameters of the NIC; `sources`: rtl_request::sources.
    static rtl_request inject_request(const router_setting& router, const nic_params& nic,
                                      const std::string& sources = "");
    /// Returns the request for the library of sare_nic_eject; arguments as for inject_request().
    static rtl_request eject_request(const router_setting& router, const std::string& sources = "");

    /// Resets both modules. `router`: parameters of the NIC's router; `around`: routing_context of the NIC;
    /// `inject`, `eject`: libraries of both requests above. `around` and `packets` must outlive the object.
    sare_nic_rtl(const router_setting& router, const routing_context& around, const packet_table& packets,
                 rtl_library& inject, rtl_library& eject);

    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) override;
    void accept(const flit& f) override;
    void clock(cycle_t t) override;
    std::optional<flit> sent() override;
    std::uint32_t credits() const override;
    void finish() override;
    void check_header() const override;

    /// Writes waves of the cycles of `window` to two files named after its file: NAME-inject.fst and
    /// NAME-eject.fst. Call before the first cycle. Throws std::runtime_error if the libraries were built
    /// without waves.
    void write_waves(const wave_window& window);
    /// @name Waves that have the pins of the first machine, with which a nic_pair compares the RTL, as
    /// model_NAME beside those of the RTL. The libraries must be built for this (rtl_request::model_pins).
    void show_model_in_waves();
    /// Sets the mask of message classes whose flit the first machine takes in the cycle that the next clock()
    /// ends.
    void show_ready(std::uint32_t classes);
    /// Sets the flit that the first machine sends, and the VCs (a mask) to which it gives credits, in the
    /// cycle that the next clock() ends.
    void show_sent(const std::optional<flit>& f, std::uint32_t credits);
    /// @}

    /// Writes the coverage counters of both modules to files whose paths begin with `stem`. Throws rtl_error
    /// if the libraries were built without coverage.
    void write_coverage(const std::string& stem) const;

  private:
    /// The pins of the link to the router.
    struct link_pins : flit_pins, header_pins {};
    link_pins link_of(const std::string& whose) const;
    flit_pins node_of(const std::string& whose) const;
    header_values header(const flit& f) const;
    void show_what_is_sent();
    void show_flit(flit_pins& pins, const flit& f) const;
    void clock(rtl_instance& side, rtl_pin& clock, const wave_window& waves, cycle_t t);
    void drive_offer(std::uint32_t c, const flit& f);
    void must_be(const char* pin, std::uint64_t is, std::uint64_t right, const flit& f) const;

    router_setting m_setting;
    const routing_context& m_around;
    const packet_table& m_packets;
    flit_data m_data;
    flit_reader m_reader;
    std::unique_ptr<rtl_instance> m_inject, m_eject;
    struct {
        rtl_pin clock, valid, tail, data, dest, ways, length, credit, ready;
        link_pins out;
    } m_in;
    struct {
        rtl_pin clock;
        flit_pins in, out;
        rtl_pin credit;
    } m_ej;
    struct {
        rtl_pin ready, credit;
        link_pins link;
        flit_pins node;
    } m_model;                          ///< pins model_NAME; used only if m_shows_model
    std::optional<flit> m_sent;         ///< flit that sent() has returned last
    bool m_shows_model = false;         ///< true: show_model_in_waves() was called
    std::optional<flit> m_model_sent;   ///< flit of show_sent()
    std::uint32_t m_model_credits = 0;  ///< credits of show_sent(), as a mask of VCs
    wave_window m_inject_waves, m_eject_waves;
};

}  // namespace sare::cosim
