// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Interfaces of router kinds whose banks share more than links when a network is run in parts.
namespace sare {

/// A bank that keeps something by packet number, for packets whose flits take different routes, so that
/// several threads read it at the same time. All banks of a network keep the same.
class packet_keeper {
  public:
    virtual ~packet_keeper() = default;
    /// Makes room for packet numbers below `numbers`. No other thread is at work.
    virtual void keep_packets(std::uint32_t numbers) = 0;
    /// Removes what is kept of a packet, and returns it, as a flit of the packet goes to another process.
    virtual std::uint32_t take_kept(std::uint32_t packet) = 0;
    /// Adds what take_kept() has returned in the process that the flit came from.
    virtual void add_kept(std::uint32_t packet, std::uint32_t kept) = 0;
};

/// A sum that all banks of a network count together, each for its own routers, and look at in some cycles.
/// The network adds it up before such a cycle, over all threads and processes.
class shared_sum {
  public:
    virtual ~shared_sum() = default;
    /// Number of places in this process, constant: what a full network would count.
    virtual std::uint64_t places() const = 0;
    /// Sets the sum of places() over all processes. Called before the first cycle.
    virtual void set_places(std::uint64_t of_all) = 0;
    /// Number, not 0, that stands for how and when the sum is looked at; it must be equal in all processes.
    virtual std::uint64_t rule() const = 0;
    virtual std::uint64_t counted() const = 0;  ///< count of this process
    /// True if look() must be told, before cycle `t`, the sum over all processes.
    virtual bool is_due(cycle_t t) const = 0;
    /// Takes the sum of counted() over all processes, before cycle `t`.
    virtual void look(cycle_t t, std::uint64_t sum) = 0;
};

/// A bank that may have a shared sum.
class summing_bank {
  public:
    virtual ~summing_bank() = default;
    virtual shared_sum* sum() const = 0;  ///< null: it has none
};

}  // namespace sare
