// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flit_data.h"
#include "cosim/pins/router_setting.h"
#include "tlm/nic/params.h"

#include <optional>

namespace sare::cosim {

/// rtl/sare_nic_inject.sv and sare_nic_eject.sv behind their pins. Flits carry numbers of a packet_table.
class sare_nic_rtl {
  public:
    /// Modules and parameters, for the libraries.
    static rtl_request inject_request(const router_setting& router, const nic_params& nic);
    static rtl_request eject_request(const router_setting& router);

    /// `router` is the one that the NIC is at, `around` its routing_context; both libraries of the requests
    /// above.
    sare_nic_rtl(const router_setting& router, const routing_context& around, const packet_table& packets,
                 rtl_library& inject, rtl_library& eject);

    /// Shows a flit of each class, or none, and the credits (VCs, a bit each) that have come back. The
    /// classes (a bit each, one at most) whose flit leaves in this cycle.
    std::uint32_t offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits);
    /// A flit comes in from the router. Throws rtl_error, with the name of the pin, unless the node gets it
    /// as it is in the same cycle.
    void accept(const flit& f);
    /// Ends the cycle.
    void clock();
    /// After clock(): the flit that goes on to the link, and the VCs (a bit each) that get a credit.
    std::optional<flit> sent();
    std::uint32_t credits() const;

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
