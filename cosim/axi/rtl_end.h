// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/clocked.h"
#include "cosim/axi/rtl/bridge_rtl.h"
#include "cosim/scoreboard/violation_handler.h"

#include <type_traits>

namespace sare::axi {

/// Verilated RTL at the AXI pins of a node: a manager drives forward_pins (`Out`), a memory backward_pins.
template <class Out, class In>
class rtl_end final : public clocked {
  public:
    sc_core::sc_out<Out> out{"out"};  ///< AXI pins that the RTL drives
    sc_core::sc_in<In> in{"in"};      ///< AXI pins that the node drives

    /// Makes an instance of the module of `library`, and resets it. `f`: widths of the AXI ports of the
    /// network; the module's data pins must have f.data_width bits (not checked). `id_width`: bits of the IDs
    /// at its pins; `names`: names of its pins. Throws cosim::rtl_error if it lacks a pin.
    rtl_end(const sc_core::sc_module_name& name, std::shared_ptr<cosim::rtl_library> library, const format& f,
            std::uint32_t id_width, const port_names& names = {})
        : clocked(name),
          m_library(std::move(library)),
          m_rtl(*m_library, f, id_width, std::is_same_v<Out, backward_pins>, names) {
        m_rtl.reset();
    }
    const char* kind() const override { return "sare::axi::rtl_end"; }
    axi_port_rtl& port() { return m_rtl; }
    /// Sets the function that is called instead of an error report (message type "/sare/cosim"), with the
    /// number of clock edges so far as the cycle. After its first call the RTL is not clocked any more.
    void set_handler(cosim::violation_handler handler) { m_handler = std::move(handler); }

  private:
    void start_of_simulation() override { show(); }
    void end_of_simulation() override {
        tried([this] { m_rtl.finish(); });
    }
    void edge() override {
        ++m_cycle;
        tried([this] {
            m_rtl.drive(in.read());
            m_rtl.clock();
            show();
        });
    }
    void show() {
        Out pins;
        m_rtl.read(pins);
        out.write(pins);
    }
    template <class Does>
    void tried(const Does& does) {
        if (m_is_broken) return;
        try {
            does();
        } catch (const std::exception& problem) {
            m_is_broken = true;
            cosim::tell(*this, m_handler, m_cycle, problem);
        }
    }

    std::shared_ptr<cosim::rtl_library> m_library;
    axi_port_rtl m_rtl;
    cosim::violation_handler m_handler;
    cycle_t m_cycle = 0;
    bool m_is_broken = false;
};
using rtl_manager = rtl_end<forward_pins, backward_pins>;  ///< a manager in RTL
using rtl_memory = rtl_end<backward_pins, forward_pins>;   ///< a memory in RTL

}  // namespace sare::axi
