// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <optional>
#include <string>

namespace sare::traffic::insee {

/// What a program in a computer says about the region of interest: a UDP datagram to 1.2.3.4 whose first byte
/// is 1 (INSEE clears its statistics) or 2 (it prints them). IPv4, RFC 791 and 768.
enum class region_word { begins, ends };

/// Nothing: it is a frame like others. `bytes`: of the frame.
std::optional<region_word> read_region(const std::string& bytes);

/// The answer that its sender waits for: the same frame with source and destination exchanged, in Ethernet,
/// IP and UDP; their checksums stay right.
std::string region_answer(std::string bytes);

}  // namespace sare::traffic::insee
