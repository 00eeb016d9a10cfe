// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::traffic {

/// Executes a trace as a replay does, but without a network: a message arrives a nanosecond after it was
/// sent. Returns no line if it ends; else the lines of executor::waiting(). `format`: see open_trace().
/// `eager_limit`: sends of more bytes wait for their receive; 0: none does. `progress`: called now and then
/// with the number of events done. Throws config::error if the trace is malformed.
std::vector<std::string> check_order(const std::string& path, const std::string& format,
                                     std::uint64_t eager_limit = 0,
                                     const std::function<void(std::uint64_t)>& progress = {});

}  // namespace sare::traffic
