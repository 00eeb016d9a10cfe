// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Frames and addresses that computers and the bridge exchange.
namespace sare::traffic {

/// Time of the simulated computers, since the bridge's first cycle.
using picoseconds = std::uint64_t;

/// An Ethernet address.
struct mac_address {
    std::array<std::uint8_t, 6> bytes{};

    bool is_group() const { return (bytes[0] & 1) != 0; }  ///< true: broadcast or multicast
    bool operator<(const mac_address& o) const { return bytes < o.bytes; }
    bool operator==(const mac_address& o) const { return bytes == o.bytes; }
    std::string text() const;  ///< text such as "52:54:00:00:00:01"
};

/// An Ethernet frame as it leaves, or reaches, a computer: its bytes, or meta-information in place of them.
struct frame {
    static constexpr std::uint32_t everybody = ~0U;
    /// Bytes of two addresses and a type; anything shorter is no frame.
    static constexpr std::uint32_t shortest = 14;

    picoseconds time = 0;      ///< time at which it has left, or is to arrive
    std::uint32_t node = 0;    ///< network's node of the computer that it leaves, or reaches
    std::uint32_t source = 0;  ///< network's node of the computer that has sent it
    std::uint32_t length = 0;  ///< bytes
    std::shared_ptr<const std::vector<std::uint8_t>> bytes;  ///< null: meta-information
    std::uint64_t id = 0;                                    ///< sender's own number of the meta-information
    /// Node that meta-information goes to; everybody: to all computers.
    std::uint32_t destination = everybody;

    /// Returns the destination's address; not for meta-information.
    mac_address to() const { return address(0); }
    /// Returns the source's address; not for meta-information.
    mac_address from() const { return address(6); }

  private:
    mac_address address(std::size_t at) const {
        mac_address a;
        for (std::size_t i = 0; i < a.bytes.size(); ++i) a.bytes[i] = (*bytes)[at + i];
        return a;
    }
};

}  // namespace sare::traffic
