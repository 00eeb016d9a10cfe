// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/deadlock/deadlock.h"

#include <string>
#include <unordered_map>
#include <vector>

/// Tools of all checks for deadlock: next hops of a packet at a router, and numbers for states and headers.
namespace sare {

/// Exception that ends a check with a verdict and its text.
struct deadlock_finding {
    deadlock_report::verdict result;  ///< verdict of the report
    std::string text;                 ///< text of the report
};

/// Table that numbers keys, which stand for states of packets, from 0 in the order in which they are first
/// asked for.
class state_table {
  public:
    /// Forgets all keys; the memory stays allocated.
    void clear() {
        ++m_epoch;
        m_count = 0;
    }
    /// Number of keys since the last clear().
    std::uint32_t size() const { return m_count; }
    /// Returns the number of `key`, and sets `fresh` to true if the key is new, else to false.
    std::uint32_t number_of(std::uint64_t key, bool& fresh) {
        if (2 * (std::size_t{m_count} + 1) > m_slots.size()) grow();
        slot& s = find(key);
        fresh = s.epoch != m_epoch;
        if (fresh) s = {key, m_epoch, m_count++};
        return s.number;
    }

  private:
    struct slot {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0, number = 0;
    };
    slot& find(std::uint64_t key) {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t i = (key * 0x9e3779b97f4a7c15ULL) >> m_shift;  // Fibonacci hashing: the high bits
        while (m_slots[i].epoch == m_epoch && m_slots[i].key != key) i = (i + 1) & mask;
        return m_slots[i];
    }
    void grow();

    std::vector<slot> m_slots = std::vector<slot>(1024);
    std::uint32_t m_shift = 64 - 10;  ///< 64 - log2(number of slots)
    std::uint32_t m_epoch = 0, m_count = 0;
};

/// Table that numbers headers to one destination. Headers that differ only in members that route() may not
/// read, such as the source, have the same number.
class header_table {
  public:
    /// Forgets all headers; numbers begin at 0 again.
    void clear() {
        m_headers.clear();
        m_numbers.clear();
    }
    /// Returns the number of a header, from 0.
    std::uint32_t number_of(const route_header& h) {
        const std::uint64_t key = std::uint64_t{h.vc_base} << 56 | std::uint64_t{h.via} << 24 |
                                  std::uint64_t{h.state} << 8 | h.phase;
        const auto [place, fresh] = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_headers.size()));
        if (fresh) m_headers.push_back(h);
        return place->second;
    }
    /// Returns the first header that got number `number`, which must have been given out; unchecked.
    const route_header& operator[](std::uint32_t number) const { return m_headers[number]; }

  private:
    std::vector<route_header> m_headers;
    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
};

/// A candidate that leads to a router.
struct next_hop {
    std::uint32_t port;        ///< output port
    vc_mask vcs;               ///< VCs of that port that the packet may take
    bool escape;               ///< true: the candidate is an escape
    std::uint32_t router, in;  ///< next router, and its input port
};

/// A candidate that leads to a node.
struct last_hop {
    std::uint32_t port;  ///< output port
    vc_mask vcs;         ///< VCs of that port that the packet may take
};

/// Finds next hops by calls of the routing function, and counts the calls.
class hop_finder {
  public:
    explicit hop_finder(const deadlock_question& question);

    /// Returns the next hops of a packet to node `destination` that came to router `r` by port `in` on VC
    /// `in_vc`, and updates its header `h`. Empty at the destination's router; valid until the next call. For
    /// a packet that forks, `destination` is used in error texts only. Throws deadlock_finding if there is no
    /// candidate, if a candidate is impossible, or after too many calls.
    const std::vector<next_hop>& hops(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
                                      std::uint32_t destination);
    /// Returns the outputs to nodes that the last call of hops() found, which are not next hops.
    const std::vector<last_hop>& last_hops() const { return m_last_hops; }
    /// True if the packet of the last call of hops() forks, and so takes all hops; false: it takes one of
    /// them.
    bool forks() const { return m_forks; }
    /// Returns every header from node `source` to node `destination`; empty if there is no path. Valid until
    /// the next call.
    const std::vector<route_header>& headers(std::uint32_t source, std::uint32_t destination);

    /// Number of calls of the routing function so far.
    std::uint64_t calls() const { return m_calls; }
    /// Sets the number of calls after which hops() ends the check with the verdict `skipped`.
    void limit(std::uint64_t calls) { m_limit = calls; }
    /// Returns a text on the first place where a packet was offered no escape channel; "" if there is none.
    const std::string& without_escape() const { return m_without_escape; }

    /// @name Ports of all routers, numbered consecutively, router by router
    /// @{
    /// Returns the number of port 0 of a router.
    std::uint32_t first_port(std::uint32_t r) const { return m_first_port[r]; }
    /// Number of ports of all routers.
    std::uint32_t ports() const { return m_first_port.back(); }
    /// Returns the router of a port, given by its number.
    std::uint32_t router_of(std::uint32_t port) const { return m_router[port]; }
    /// Number of input ports of routers to which a link leads.
    std::uint64_t plugged() const { return m_plugged; }
    /// @}

  private:
    [[noreturn]] void broken(std::uint32_t r, std::uint32_t destination, const std::string& what) const;
    std::string place(std::uint32_t r, std::uint32_t destination) const;

    const deadlock_question& m_question;
    const topology& m_net;
    std::vector<std::uint32_t> m_first_port;  ///< number of port 0 of each router; last: number of ports
    std::vector<std::uint32_t> m_router;      ///< router of each port
    std::vector<port_peer> m_peer;            ///< end of the link of each output port
    std::uint64_t m_plugged = 0, m_calls = 0, m_limit;
    std::string m_without_escape;
    std::vector<next_hop> m_hops;
    std::vector<last_hop> m_last_hops;
    bool m_forks = false;
    std::vector<route_header> m_headers;
};

}  // namespace sare
