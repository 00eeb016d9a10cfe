// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <optional>
#include <string>

namespace sare::traffic::insee {

/// Mark by which a program of a simulated computer says that the region of interest begins or ends: a UDP
/// datagram (IPv4) to 1.2.3.4 whose first byte is 1 (begins; INSEE clears its statistics) or 2 (ends; INSEE
/// prints them).
enum class region_word { begins, ends };

/// Returns the mark that the frame `bytes` is; nullopt for any other frame.
std::optional<region_word> read_region(const std::string& bytes);

/// Returns the answer for which the sender of a mark waits: the same frame with source and destination
/// exchanged in Ethernet, IP and UDP. Checksums stay valid.
std::string region_answer(std::string bytes);

}  // namespace sare::traffic::insee
