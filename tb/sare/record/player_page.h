// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

#include <functional>
#include <iosfwd>

namespace sare::cli {

/// Writes the page of tb/python/sare/report/player with all that it needs in one file. `about`: what the page
/// says of the run; `record`: writes the record (network_recorder), or null for a page that asks a server.
/// Throws config::error if a file of the player is not there.
void write_player(const json& about, const std::function<void(std::ostream&)>& record, std::ostream& to);

}  // namespace sare::cli
