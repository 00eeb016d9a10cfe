// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <optional>
#include <string>

namespace sare::traffic::insee {

/// Mark of a program that the region of interest begins or ends: a UDP datagram to 1.2.3.4 whose first byte
/// is 1 (INSEE clears its statistics) or 2 (it prints them). IPv4, RFC 791 and 768.
enum class region_word { begins, ends };

/// Returns the mark in the bytes of a frame; nothing for an ordinary frame.
std::optional<region_word> read_region(const std::string& bytes);

/// Returns the answer that the sender of a mark waits for: the same frame with source and destination
/// exchanged in Ethernet, IP and UDP, which leaves the checksums right.
std::string region_answer(std::string bytes);

}  // namespace sare::traffic::insee
