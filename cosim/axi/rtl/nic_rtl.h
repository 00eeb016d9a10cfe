// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/node_nic.h"
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/header_pins.h"
#include "cosim/rtl/rtl_library.h"
#include "cosim/rtl/wave_window.h"
#include "tlm/nic/params.h"

#include <deque>
#include <functional>
#include <memory>

namespace sare::axi {

/// The RTL of an AXI node's NIC: sare_nic_inject and sare_nic_receive, Verilated.
class nic_rtl final : public node_nic {
  public:
    /// Returns a module's library, and builds it if need be.
    using librarian = std::function<std::shared_ptr<cosim::rtl_library>(cosim::rtl_request)>;

    /// `router`: the NIC's router; `port`: that router's port to this node; `sources`: see rtl_request.
    /// `around` must outlive the NIC.
    nic_rtl(const cosim::router_setting& router, const cosim::routing_context& around, std::uint32_t port,
            const nic_params& nic, const librarian& library, const std::string& sources = "");

    void arrives(const link_flit& f) override;
    std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) override;
    stream_flit received(std::uint32_t message_class) const override;
    void clock(std::uint32_t taken) override;
    std::optional<link_flit> sent() const override;
    std::uint32_t credits() const override;
    void check_header() const override;
    void finish() override;

    /// Writes waves into two files, named after that of `window`: NAME-inject.fst, NAME-receive.fst. The
    /// libraries must be built for it.
    void write_waves(const cosim::wave_window& window);

  private:
    struct head {
        route_header route;
        std::uint32_t length = 0;
    };
    void drive(std::uint32_t message_class, const offer& o);
    void note_heads(const std::vector<std::optional<offer>>& flits, std::uint32_t taken);

    const cosim::router_setting m_setting;
    const cosim::routing_context& m_around;
    const std::uint32_t m_port;
    std::vector<bool> m_open;  ///< true: a packet has begun; by class
    std::deque<head> m_heads;  ///< heads under way to the link
    std::optional<head> m_on_link;
    std::uint64_t m_cycle = 0;
    cosim::wave_window m_inject_waves, m_receive_waves;
    std::shared_ptr<cosim::rtl_library> m_inject_library, m_receive_library;
    std::unique_ptr<cosim::rtl_instance> m_inject, m_receive;
    struct {
        cosim::rtl_pin clock, valid, tail, data, dest, ways, length, ready, credit;
        cosim::rtl_pin flit_valid, flit_head, flit_tail, flit_vc, flit_data;
        cosim::header_pins header;
    } m_out;
    struct {
        cosim::rtl_pin clock, flit_valid, flit_head, flit_tail, flit_vc, flit_data, credit;
        cosim::rtl_pin valid, tail, data, ready;
    } m_in;
};

}  // namespace sare::axi
