// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/flit_data.h"
#include "cosim/pin_router.h"
#include "cosim/router_setting.h"
#include "cosim/rtl_library.h"

#include <functional>

namespace sare::cosim {

/// rtl/sare_router.sv behind its pins. The data of a flit is a packet's number in the lowest bits and, above,
/// bits that depend on packet and place, so that what comes out tells what it is and whether it is whole.
class sare_router_rtl final : public pin_router {
  public:
    /// Resets, and writes tables where there are some. `around` and `packets` outlive it.
    sare_router_rtl(const router_setting& setting, const surroundings& around, const packet_table& packets,
                    rtl_library& library);

    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;

    /// @name The steps of cycle()
    /// @{
    void drive(cycle_t t, const std::vector<port_in>& in);
    void clock();
    void read(std::vector<port_out>& out);
    /// @}

    /// Pins that a module has got no use for hold what is no head's, no VC's, ...: noise shows whether it is
    /// looked at all the same. Costs time.
    void put_noise_on_idle_pins(bool on) { m_noise = on; }

    /// Calls `differs(port, pin, expected, found)` for every output pin that is not as `expected` says.
    using difference = std::function<void(std::uint32_t, const char*, std::uint64_t, std::uint64_t)>;
    void compare(const std::vector<port_out>& expected, const difference& differs) const;

    rtl_instance& instance() { return *m_rtl; }

  private:
    struct pins : flit_pins {
        rtl_pin dest, ways, vc_base, length, port, vcs, credit;
    };
    static pins pins_of(const rtl_instance& rtl, const std::string& direction);

    void drive_header(std::uint32_t q, const carried_packet& p);
    void drive_noise(std::uint32_t q, cycle_t t, bool head, bool valid);
    void compare_header(std::uint32_t q, const flit& f, const difference& differs) const;
    void compare_data(std::uint32_t q, const flit& f, const difference& differs) const;

    router_setting m_setting;
    const surroundings& m_around;
    const packet_table& m_packets;
    std::unique_ptr<rtl_instance> m_rtl;
    rtl_pin m_clock;
    pins m_in, m_out;
    std::uint32_t m_port_bits, m_vc_bits, m_count_bits, m_dest_bits, m_way_bits;
    flit_data m_data;
    flit_reader m_reader;
    bool m_noise = false;
};

}  // namespace sare::cosim
