// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// Rates and times as texts with units.
namespace sare::traffic {

/// Lengths of a cycle and a flit, to turn seconds and bytes into cycles and flits; and the unit of rates that
/// are written without one.
struct flow_units {
    double cycle_seconds = 0;          ///< seconds of a cycle; 0: not known
    std::uint32_t flit_bytes = 0;      ///< bytes of a flit; 0: not known
    std::string rate = "flits/cycle";  ///< unit of rates that are written without a unit
};

/// Returns the names of all units of rates: flits/cycle, messages/cycle, B/s, kB/s, MB/s, GB/s, TB/s, kbit/s,
/// Mbit/s, Gbit/s and Tbit/s.
const std::vector<std::string>& rate_units();

/// Returns the flits per cycle of a text such as "0.1", "1.6GB/s" or "0.02 messages/cycle". `length`: flits
/// of a message; `name`: name of the value in errors. Throws config::error at `at` if the text is no number
/// from 0 with a known unit or none, or if the unit needs seconds or bytes that `units` does not know.
double to_rate(const std::string& text, const std::string& name, std::uint32_t length,
               const flow_units& units, const config::location& at);
/// Returns the cycles of a text such as "50", "50 cycles" or "200ns" (ps, ns, us, ms, s). Throws as to_rate()
/// does.
double to_cycles(const std::string& text, const std::string& name, const flow_units& units,
                 const config::location& at);

/// Returns the unit in a text such as to_rate() or to_cycles() takes; `usual` if the text has no unit. Throws
/// config::error without a place if the text does not begin with a number from 0.
std::string unit_of(const std::string& text, const std::string& usual);

}  // namespace sare::traffic
