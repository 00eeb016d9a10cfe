// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

/// Encodings of AXI4, and its rules for bursts, for transactions and for pins. There is no SystemC here.
namespace sare::axi {

enum class burst : std::uint8_t { fixed = 0, incr = 1, wrap = 2 };                    ///< AxBURST
enum class response : std::uint8_t { okay = 0, exokay = 1, slverr = 2, decerr = 3 };  ///< RRESP, BRESP

inline constexpr std::uint64_t page_bytes = 4096;  ///< no burst crosses a multiple of it

/// A burst as AW and AR describe it.
struct burst_shape {
    burst type;             ///< AxBURST
    std::uint32_t beats;    ///< AxLEN + 1
    std::uint32_t size;     ///< AxSIZE: log2 of a beat's bytes
    std::uint64_t address;  ///< AxADDR
};
/// Returns the rule for bursts (A3.4.1) that a burst breaks on a bus of `bus_bytes`; "" if it breaks none.
std::string wrong_with(const burst_shape& b, std::uint32_t bus_bytes);

}  // namespace sare::axi
