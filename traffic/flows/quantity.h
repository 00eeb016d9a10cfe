// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// Rates and times with units.
namespace sare::traffic {

/// The factors that turn bytes and seconds into flits and cycles.
struct flow_units {
    double cycle_seconds = 0;          ///< seconds; 0: not known
    std::uint32_t flit_bytes = 0;      ///< bytes of a flit; 0: not known
    std::string rate = "flits/cycle";  ///< unit of rates without one
};

/// Returns the units of rates: flits/cycle, messages/cycle, B/s, MB/s, Gbit/s, ...
const std::vector<std::string>& rate_units();

/// Returns the flits a cycle of a text such as "0.1", "1.6GB/s", "0.02 messages/cycle". `length`: flits of a
/// message. Throws config::error at `at`, which calls the text `name`, for another text, and for a unit that
/// `units` has no factor for.
double to_rate(const std::string& text, const std::string& name, std::uint32_t length,
               const flow_units& units, const config::location& at);
/// Returns the cycles of a text such as "50" or "200ns". Throws as to_rate() does.
double to_cycles(const std::string& text, const std::string& name, const flow_units& units,
                 const config::location& at);

/// Returns the unit in a text that to_rate() or to_cycles() takes; `usual` if it has none.
std::string unit_of(const std::string& text, const std::string& usual);

}  // namespace sare::traffic
