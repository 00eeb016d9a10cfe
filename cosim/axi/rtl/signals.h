// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"

#include <ostream>
#include <string>
#include <systemc>

/// Functions that sc_signal needs for the pins of an AXI port: comparison, printing of the valid pins and of
/// ready pins, and tracing.
namespace sare::axi {

inline bool operator==(const forward_pins& a, const forward_pins& b) {
    return a.ar_valid == b.ar_valid && a.aw_valid == b.aw_valid && a.w_valid == b.w_valid &&
           a.w_last == b.w_last && a.b_ready == b.b_ready && a.r_ready == b.r_ready && a.ar == b.ar &&
           a.aw == b.aw && a.w == b.w;
}
inline bool operator==(const backward_pins& a, const backward_pins& b) {
    return a.ar_ready == b.ar_ready && a.aw_ready == b.aw_ready && a.w_ready == b.w_ready &&
           a.b_valid == b.b_valid && a.r_valid == b.r_valid && a.r_last == b.r_last && a.b_id == b.b_id &&
           a.r_id == b.r_id && a.b_resp == b.b_resp && a.r == b.r;
}
inline std::ostream& operator<<(std::ostream& to, const forward_pins& p) {
    return to << "ar " << p.ar_valid << " aw " << p.aw_valid << " w " << p.w_valid << " b " << p.b_ready
              << " r " << p.r_ready;
}
inline std::ostream& operator<<(std::ostream& to, const backward_pins& p) {
    return to << "ar " << p.ar_ready << " aw " << p.aw_ready << " w " << p.w_ready << " b " << p.b_valid
              << " r " << p.r_valid;
}
/// Traces the valid and ready pins of a port to `file`, as `name` with ".ar_valid" and so on behind it. The
/// other pins are in the waves of the RTL itself.
inline void sc_trace(sc_core::sc_trace_file* file, const forward_pins& p, const std::string& name) {
    sc_core::sc_trace(file, p.ar_valid, name + ".ar_valid");
    sc_core::sc_trace(file, p.aw_valid, name + ".aw_valid");
    sc_core::sc_trace(file, p.w_valid, name + ".w_valid");
    sc_core::sc_trace(file, p.b_ready, name + ".b_ready");
    sc_core::sc_trace(file, p.r_ready, name + ".r_ready");
}
inline void sc_trace(sc_core::sc_trace_file* file, const backward_pins& p, const std::string& name) {
    sc_core::sc_trace(file, p.ar_ready, name + ".ar_ready");
    sc_core::sc_trace(file, p.aw_ready, name + ".aw_ready");
    sc_core::sc_trace(file, p.w_ready, name + ".w_ready");
    sc_core::sc_trace(file, p.b_valid, name + ".b_valid");
    sc_core::sc_trace(file, p.r_valid, name + ".r_valid");
}

}  // namespace sare::axi
