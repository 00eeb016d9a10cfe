// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// What computers and the bridge hand each other.
namespace sare::traffic {

/// Time of the simulated computers, since the bridge's first cycle.
using picoseconds = std::uint64_t;

/// An Ethernet address.
struct mac_address {
    std::array<std::uint8_t, 6> bytes{};

    bool is_group() const { return (bytes[0] & 1) != 0; }  ///< broadcast or multicast
    bool operator<(const mac_address& o) const { return bytes < o.bytes; }
    bool operator==(const mac_address& o) const { return bytes == o.bytes; }
    std::string text() const;  ///< "52:54:00:00:00:01"
};

/// An Ethernet frame as it leaves, or reaches, a computer: its bytes, or what stands for them.
struct frame {
    static constexpr std::uint32_t everybody = ~0U;
    /// Two addresses and a type; what is shorter is none.
    static constexpr std::uint32_t shortest = 14;

    picoseconds time = 0;    ///< it has left, or is to arrive
    std::uint32_t node = 0;  ///< of the network: the computer that it leaves, or reaches
    std::uint32_t source = 0;
    std::uint32_t length = 0;                                ///< bytes
    std::shared_ptr<const std::vector<std::uint8_t>> bytes;  ///< null: meta-information
    std::uint64_t id = 0;                                    ///< of meta-information: its sender's own
    std::uint32_t destination = everybody;                   ///< of meta-information: a node

    mac_address to() const { return address(0); }
    mac_address from() const { return address(6); }

  private:
    mac_address address(std::size_t at) const {
        mac_address a;
        for (std::size_t i = 0; i < a.bytes.size(); ++i) a.bytes[i] = (*bytes)[at + i];
        return a;
    }
};

}  // namespace sare::traffic
