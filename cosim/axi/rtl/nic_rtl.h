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

/// The RTL of an AXI node's NIC: Verilated rtl/sare_nic_inject.sv and rtl/sare_nic_receive.sv.
class nic_rtl final : public node_nic {
  public:
    /// Function that returns the library of a module, and builds it first if needed.
    using librarian = std::function<std::shared_ptr<cosim::rtl_library>(cosim::rtl_request)>;

    /// `router`: parameters of the NIC's router; `port`: port of that router to this node; `nic`: parameters
    /// of the NIC; `library`: function that finds or builds a library; `sources`: rtl_request::sources.
    /// `around`, routing_context of the NIC, must outlive the object.
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

    /// Writes waves of the cycles of `window` to two files named after its file: NAME-inject.fst and
    /// NAME-receive.fst. Throws std::runtime_error if the libraries were built without waves.
    void write_waves(const cosim::wave_window& window);

  private:
    /// The header of a packet.
    struct head {
        route_header route;
        std::uint32_t length = 0;
    };
    void drive(std::uint32_t message_class, const offer& o);
    void note_heads(const std::vector<std::optional<offer>>& flits, std::uint32_t taken);

    const cosim::router_setting m_setting;
    const cosim::routing_context& m_around;
    const std::uint32_t m_port;
    std::vector<bool> m_open;  ///< true: the head of a packet has left and its tail has not; by message class
    std::deque<head> m_heads;  ///< headers of heads that have left and are not on the link yet
    /// Header of the head that is on the link in this cycle; nothing: none is.
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
