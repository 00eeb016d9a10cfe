// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Interfaces of router kinds whose banks share more than links when a network is run in parts, by several
/// threads or processes.
namespace sare {

/// Interface of banks that keep a number of their own for each packet, since the flits of a packet may take
/// different routes. The kind of router defines the meaning of the number. Several threads may read the
/// numbers at the same time. All banks of a network share one set of numbers.
class packet_keeper {
  public:
    virtual ~packet_keeper() = default;
    /// Makes room for packets with slots below `numbers`. Called while no other thread is at work.
    virtual void keep_packets(std::uint32_t numbers) = 0;
    /// Removes the number kept for the packet in slot `packet`, and returns it; 0 if none is kept. Called
    /// when a flit of the packet goes to another process.
    virtual std::uint32_t take_kept(std::uint32_t packet) = 0;
    /// Adds `kept` to the number kept for the packet in slot `packet`: the result of take_kept() in the
    /// process from which a flit of the packet came.
    virtual void add_kept(std::uint32_t packet, std::uint32_t kept) = 0;
};

/// A sum over all routers of a network, such as the phits in it. Each bank counts for its own routers. Before
/// cycles in which is_due() is true the network adds up the counts of all processes for look().
class shared_sum {
  public:
    virtual ~shared_sum() = default;
    /// Largest value of counted(): the count of this process when its part of the network is full; constant.
    virtual std::uint64_t places() const = 0;
    /// Sets the sum of places() over all processes. Called once, before the first cycle.
    virtual void set_places(std::uint64_t of_all) = 0;
    /// Code, not 0, for the rule by which the sum is used (its cycles and limits). A network whose processes
    /// have different codes is refused.
    virtual std::uint64_t rule() const = 0;
    virtual std::uint64_t counted() const = 0;  ///< present count of this process
    /// True if look() must be called before cycle `t`.
    virtual bool is_due(cycle_t t) const = 0;
    /// Called before cycle `t` if is_due(t). `sum`: sum of counted() over all processes.
    virtual void look(cycle_t t, std::uint64_t sum) = 0;
};

/// Interface of banks that may take part in a shared_sum.
class summing_bank {
  public:
    virtual ~summing_bank() = default;
    virtual shared_sum* sum() const = 0;  ///< shared sum, the same for all banks of a network; null: none
};

}  // namespace sare
