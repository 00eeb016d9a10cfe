// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::traffic {

/// Executes a trace as a replay does, on no network (a message arrives a nanosecond after it was sent).
/// Returns nothing if it ends; else which tasks wait for each other, and at which events, or what the first
/// waits for, one line each. Sends of more than `eager_limit` bytes wait for their receive; 0: none does.
/// `progress` is called with the events done, now and then. Throws config::error if the trace is malformed.
std::vector<std::string> check_order(const std::string& path, const std::string& format,
                                     std::uint64_t eager_limit = 0,
                                     const std::function<void(std::uint64_t)>& progress = {});

}  // namespace sare::traffic
