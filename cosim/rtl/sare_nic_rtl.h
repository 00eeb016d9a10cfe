// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_data.h"
#include "cosim/pins/pin_nic.h"
#include "cosim/pins/router_setting.h"
#include "tlm/nic/params.h"

#include <optional>

namespace sare::cosim {

/// rtl/sare_nic_inject.sv and sare_nic_eject.sv behind their pins.
class sare_nic_rtl final : public pin_nic {
  public:
    /// Modules and parameters, for the libraries; `sources` as there.
    static rtl_request inject_request(const router_setting& router, const nic_params& nic,
                                      const std::string& sources = "");
    static rtl_request eject_request(const router_setting& router, const std::string& sources = "");

    /// `router` is the one that the NIC is at, `around` its routing_context; both libraries of the requests
    /// above.
    sare_nic_rtl(const router_setting& router, const routing_context& around, const packet_table& packets,
                 rtl_library& inject, rtl_library& eject);

    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) override;
    void accept(const flit& f) override;
    void clock() override;
    std::optional<flit> sent() override;
    std::uint32_t credits() const override;

    /// Writes the counters of both modules to files whose names begin with `stem`.
    void write_coverage(const std::string& stem) const;

  private:
    void drive_offer(std::uint32_t c, const flit& f);
    void must_be(const char* pin, std::uint64_t is, std::uint64_t right, const flit& f) const;

    router_setting m_setting;
    const packet_table& m_packets;
    flit_data m_data;
    flit_reader m_reader;
    std::unique_ptr<rtl_instance> m_inject, m_eject;
    struct {
        rtl_pin clock, valid, tail, data, dest, ways, length, credit, ready;
        flit_pins out;
    } m_in;
    struct {
        rtl_pin clock;
        flit_pins in, out;
        rtl_pin credit;
    } m_ej;
};

}  // namespace sare::cosim
