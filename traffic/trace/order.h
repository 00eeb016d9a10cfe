// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sare::traffic {

/// Executes a trace as a replay does, but without a network: a message arrives a nanosecond after it was
/// sent. Returns an empty list if all tasks reach their end; else the lines of executor::waiting(): on tasks
/// that wait for each other in a cycle, or on one that waits. `format`: name of a trace format, or "auto".
/// `eager_limit`: sends of more bytes wait until their receive is posted; 0: no send waits. `progress`:
/// called every 65,536 messages with the number of messages so far, which begins anew if tasks wait and the
/// trace is executed again with more lookahead; empty: not called. Throws config::error if the trace is
/// malformed.
std::vector<std::string> check_order(const std::string& path, const std::string& format,
                                     std::uint64_t eager_limit = 0,
                                     const std::function<void(std::uint64_t)>& progress = {});

}  // namespace sare::traffic
