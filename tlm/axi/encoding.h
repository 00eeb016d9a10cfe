// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

/// Encodings of AXI4 and its rules for bursts, without SystemC, for transactions and for pins.
namespace sare::axi {

/// AxBURST: fixed, incrementing or wrapping address.
enum class burst : std::uint8_t { fixed = 0, incr = 1, wrap = 2 };
/// RRESP, BRESP. okay: done (an exclusive write: not done); exokay: done exclusively; slverr: error of the
/// subordinate; decerr: no subordinate has the address.
enum class response : std::uint8_t { okay = 0, exokay = 1, slverr = 2, decerr = 3 };

inline constexpr std::uint64_t page_bytes = 4096;  ///< no INCR burst may cross a multiple of so many bytes

/// A burst as AW and AR describe it.
struct burst_shape {
    burst type;             ///< AxBURST: kind of burst
    std::uint32_t beats;    ///< AxLEN + 1: number of beats
    std::uint32_t size;     ///< AxSIZE: log2 of the bytes of a beat
    std::uint64_t address;  ///< AxADDR: address of the first beat
};
/// A rule for bursts (AXI4, A3.4.1): `name` ends the name of Arm's protocol assertion behind
/// AXI4_ERRM_AR or AXI4_ERRM_AW; `text` says it on one line. Both are "" for none.
struct burst_rule {
    const char *name = "", *text = "";
};
/// Returns the first rule that `b` breaks on a bus of `bus_bytes` bytes, which is not checked; with empty
/// texts if it breaks none.
burst_rule broken_rule(const burst_shape& b, std::uint32_t bus_bytes);
/// Returns broken_rule(b, bus_bytes).text.
inline std::string wrong_with(const burst_shape& b, std::uint32_t bus_bytes) {
    return broken_rule(b, bus_bytes).text;
}

}  // namespace sare::axi
