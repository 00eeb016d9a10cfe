// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::traffic {

/// Executes a trace as a replay does, but without a network: a message arrives a nanosecond after it was
/// sent. Returns an empty list if all tasks reach their end; else a line for each task that waits for ever,
/// with the operation that it waits in (executor::waiting()). `format`: name of a trace format, or "auto".
/// `eager_limit`: sends of more bytes wait until their receive is posted; 0: no send waits. `progress`:
/// called every 65,536 messages with the number of messages so far; empty: not called. Throws config::error
/// if the trace is malformed.
std::vector<std::string> check_order(const std::string& path, const std::string& format,
                                     std::uint64_t eager_limit = 0,
                                     const std::function<void(std::uint64_t)>& progress = {});

}  // namespace sare::traffic
