// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Interfaces of router kinds whose banks share more than links when a network is run in parts.
namespace sare {

/// Interface of banks that keep a number for each packet, beside its flits, for packets whose flits take
/// different routes. Several threads may read it at the same time. All banks of a network keep the same
/// numbers.
class packet_keeper {
  public:
    virtual ~packet_keeper() = default;
    /// Makes room for packets with slots below `numbers`. Called while no other thread is at work.
    virtual void keep_packets(std::uint32_t numbers) = 0;
    /// Removes the number kept for a packet, and returns it, as a flit of the packet goes to another process.
    virtual std::uint32_t take_kept(std::uint32_t packet) = 0;
    /// Adds `kept`, which take_kept() has returned in the process that a flit of the packet came from.
    virtual void add_kept(std::uint32_t packet, std::uint32_t kept) = 0;
};

/// A sum that all banks of a network count together, each bank for its own routers, and look at in some
/// cycles. Before such a cycle the network adds the counts of all threads and processes together.
class shared_sum {
  public:
    virtual ~shared_sum() = default;
    /// Count of this process if its part of the network were full; constant.
    virtual std::uint64_t places() const = 0;
    /// Sets the sum of places() over all processes. Called once, before the first cycle.
    virtual void set_places(std::uint64_t of_all) = 0;
    /// A number, not 0, that stands for the cycles and the way in which the sum is looked at; it must be
    /// equal in all processes.
    virtual std::uint64_t rule() const = 0;
    virtual std::uint64_t counted() const = 0;  ///< present count of this process
    /// True if look() must be called before cycle `t`.
    virtual bool is_due(cycle_t t) const = 0;
    /// Takes `sum`, the sum of counted() over all processes, before cycle `t`.
    virtual void look(cycle_t t, std::uint64_t sum) = 0;
};

/// Interface of banks that may have a shared sum.
class summing_bank {
  public:
    virtual ~summing_bank() = default;
    virtual shared_sum* sum() const = 0;  ///< shared sum, the same for all banks of a network; null: none
};

}  // namespace sare
