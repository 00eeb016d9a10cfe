// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

/// Returns functional coverage as a covergroup in the XML format of UCIS 1.0 (Accellera), a coverpoint for
/// each point. `bins`: lines with point, bin and number of hits, separated by tabs (cover_table::text()).
std::string ucis_text(const std::string& bins);

}  // namespace sare::cli
