// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Frames and addresses that computers and the bridge exchange.
namespace sare::traffic {

/// Time of the simulated computers: picoseconds since the first cycle of the bridge.
using picoseconds = std::uint64_t;

/// An Ethernet address.
struct mac_address {
    std::array<std::uint8_t, 6> bytes{};  ///< bytes in the order in which they are sent

    /// Returns true for the address of a group (broadcast or multicast).
    bool is_group() const { return (bytes[0] & 1) != 0; }
    bool operator<(const mac_address& o) const { return bytes < o.bytes; }
    bool operator==(const mac_address& o) const { return bytes == o.bytes; }
    std::string text() const;  ///< text such as "52:54:00:00:00:01"
};

/// An Ethernet frame that leaves or reaches a computer: its bytes, or meta-information (length and a number)
/// in their place.
struct frame {
    /// Value of `destination`: all computers.
    static constexpr std::uint32_t everybody = ~0U;
    /// Smallest number of bytes of a frame: two addresses and a type.
    static constexpr std::uint32_t shortest = 14;

    picoseconds time = 0;  ///< time at which the frame left its computer, or is to reach one, in picoseconds
    std::uint32_t node = 0;    ///< node of the computer that the frame leaves or reaches
    std::uint32_t source = 0;  ///< node of the computer that has sent the frame
    std::uint32_t length = 0;  ///< number of bytes, also of meta-information
    std::shared_ptr<const std::vector<std::uint8_t>> bytes;  ///< the bytes; null: meta-information
    std::uint64_t id = 0;  ///< meta-information: number that the sender chose
    /// Meta-information: node to which it goes, or everybody for all computers. Frames with bytes go to their
    /// Ethernet address instead.
    std::uint32_t destination = everybody;

    /// Returns the destination's address, for frames with at least 14 bytes (not checked).
    mac_address to() const { return address(0); }
    /// Returns the source's address, for frames with at least 14 bytes (not checked).
    mac_address from() const { return address(6); }

  private:
    mac_address address(std::size_t at) const {
        mac_address a;
        for (std::size_t i = 0; i < a.bytes.size(); ++i) a.bytes[i] = (*bytes)[at + i];
        return a;
    }
};

}  // namespace sare::traffic
