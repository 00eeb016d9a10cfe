// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <optional>
#include <string>

namespace sare::traffic::insee {

/// A program's word on the region of interest: a UDP datagram to 1.2.3.4 whose first byte is 1 (INSEE clears
/// its statistics) or 2 (it prints them). IPv4, RFC 791 and 768.
enum class region_word { begins, ends };

/// Reads the word of a frame; returns nothing for an ordinary one. `bytes`: the frame's bytes.
std::optional<region_word> read_region(const std::string& bytes);

/// Returns the answer that the sender waits for: the same frame with source and destination exchanged, in
/// Ethernet, IP and UDP; their checksums stay right.
std::string region_answer(std::string bytes);

}  // namespace sare::traffic::insee
