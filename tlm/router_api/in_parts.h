// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// What kinds of routers may say of being run in parts, which share more than links.
namespace sare {

/// A bank that keeps something by the numbers of packets, whose flits go by different ways, and which several
/// threads read at the same time. All banks of a network keep the same.
class packet_keeper {
  public:
    virtual ~packet_keeper() = default;
    /// Numbers are below this one until it is called again; no other thread is at work.
    virtual void keep_packets(std::uint32_t numbers) = 0;
    /// Of several processes: what is kept of a packet leaves with a flit, and comes with one.
    virtual std::uint32_t take_kept(std::uint32_t packet) = 0;
    virtual void add_kept(std::uint32_t packet, std::uint32_t kept) = 0;
};

/// What the banks of a network count together, each for itself, and look at in some cycles: the network adds
/// it up before these, over all threads and processes.
class shared_sum {
  public:
    virtual ~shared_sum() = default;
    /// Before the first cycle: a constant part of which each process knows its own.
    virtual std::uint64_t places() const = 0;
    virtual void set_places(std::uint64_t of_all) = 0;
    /// How and when it looks, as a number other than 0: the same in all processes.
    virtual std::uint64_t rule() const = 0;
    virtual std::uint64_t counted() const = 0;  ///< here
    /// It is to be told before cycle `t`, what was counted in all.
    virtual bool is_due(cycle_t t) const = 0;
    virtual void look(cycle_t t, std::uint64_t sum) = 0;
};

/// A bank that has one.
class summing_bank {
  public:
    virtual ~summing_bank() = default;
    virtual shared_sum* sum() const = 0;  ///< null: it does not
};

}  // namespace sare
