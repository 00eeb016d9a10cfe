// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"
#include "tlm/base/pool.h"
#include "traffic/program/messages/queue_table.h"

#include <map>

namespace sare::traffic {

/// The requests that a strand waits for.
enum class wait_for : std::uint8_t {
    nothing,
    own,   ///< all requests that the strand has posted for itself
    one,   ///< the request of a name
    all,   ///< the strand's own requests, and all requests of its task that a wait of the program ends
    flush  ///< requests that the strand depends on
};

/// The requests under way, and the strands that wait for them. A request stands for a send, receive, put, get
/// or probe for whose end something may have to wait, or for a strand.
class open_requests {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    enum class kind : std::uint8_t { strand, send, receive, probe, one_sided };
    /// The owner of a request.
    struct owner {
        std::uint32_t strand = none;  ///< strand that waits for it; none: it is forgotten when it ends
        std::uint32_t task = 0;
        std::uint64_t name = 0;  ///< name in its task; 0: it has none
        bool own = false;        ///< true: the strand itself waits; false: a wait of the program
    };

    /// `keep_receives`: a receive with a name that has ended stays until it is waited for.
    open_requests(std::uint32_t tasks, bool keep_receives) : m_keep_receives(keep_receives) {
        for (std::uint32_t s = 0; s < tasks; ++s) add_strand(s);
    }

    /// Adds a strand without requests, whose number is at most one more than that of any before.
    void add_strand(std::uint32_t s) {
        if (s == m_accounts.size()) m_accounts.emplace_back();
        m_accounts[s] = {};
    }

    /// @name Begin and end of a request
    /// @{
    /// Opens a request and returns it. `peer`: the other task of a message.
    std::uint32_t open(const owner& of, kind what, std::uint32_t peer = none, std::int64_t tag = 0);
    /// Opens a put or a get, in a communicator, and returns it.
    std::uint32_t open_one_sided(const owner& of, std::uint32_t peer, std::uint32_t communicator);
    /// Returns the request of a name that has been open longest; none: there is none.
    std::uint32_t find(std::uint32_t task, std::uint64_t name) const;
    /// Ends a request; returns its strand, which may have waited for it; none: it has none.
    std::uint32_t end(std::uint32_t r);
    /// @}

    /// @name Strands that depend on a request
    /// @{
    /// Makes a strand depend on a request: on its end, or with `begun` on its begin. Returns false if that
    /// has come already, so that there is nothing to wait for.
    bool add_dependent(std::uint32_t r, std::uint32_t strand, bool begun);
    bool has_dependents(std::uint32_t r) const { return m_requests[r].dependents != none; }
    /// Begins the request of a strand that no dependency holds up any more. Calls `go_on` with each strand
    /// that waits for its begin.
    template <class F>
    void begin(std::uint32_t r, F go_on) {
        m_requests[r].begun = true;
        take_dependents(r, false, go_on);
    }
    /// Calls `go_on` with all strands that depend on a request, before its end().
    template <class F>
    void release(std::uint32_t r, F go_on) {
        take_dependents(r, true, go_on);
    }
    /// @}

    /// @name Waits, of all kinds but wait_for::flush
    /// @{
    /// True if requests are under way that the strand waits for by itself (has_own()), or by itself or by a
    /// wait of the program (has_any()).
    bool has_own(std::uint32_t s) const { return m_accounts[s].own.under_way != 0; }
    bool has_any(std::uint32_t s) const {
        return m_accounts[s].own.under_way + m_accounts[s].others.under_way != 0;
    }
    /// Ends a wait; returns the number of receives that it waited for. `name`: for wait_for::one.
    std::uint32_t collect(std::uint32_t s, wait_for what, std::uint32_t task, std::uint64_t name);
    /// @}

    /// Calls f(request, communicator) for each put and get of a task that is under way.
    template <class F>
    void for_one_sided(std::uint32_t task, F f) const {
        for (auto k = m_one_sided.lower_bound(one_sided_key(task, 0));
             k != m_one_sided.end() && k->first >> 32 == task; ++k)
            f(static_cast<std::uint32_t>(k->first), k->second);
    }

    kind what(std::uint32_t r) const { return m_requests[r].what; }
    std::uint32_t peer(std::uint32_t r) const { return m_requests[r].peer; }
    std::int64_t tag(std::uint32_t r) const { return m_requests[r].tag; }
    /// Returns the oldest request of a strand that has not ended, with `own` only of those that it waits for
    /// by itself; none: there is none.
    std::uint32_t first_open(std::uint32_t s, bool own) const;

    template <class Archive>
    void serialize(Archive& a) {
        a(m_requests, m_dependents, m_names, m_one_sided, m_accounts, m_serial);
    }

  private:
    struct alignas(64) request {
        std::uint32_t task = 0, strand = none;
        std::uint32_t before = none, after = none;  ///< neighbours in the strand's list of kept requests
        std::uint32_t dependents = none;
        std::uint32_t peer = none;
        std::uint64_t name = 0;
        std::int64_t tag = 0;
        std::uint64_t serial = 0;
        kind what = kind::send;
        bool own = false, begun = true, done = false;
    };
    /// A strand that depends on a request: an element of the request's list.
    struct dependent {
        std::uint32_t strand = 0, next = none;
        bool begun = false;
    };
    /// The requests of a strand.
    struct alignas(32) account {
        struct count {
            std::uint32_t under_way = 0;
            std::uint32_t received = 0;  ///< completed receives without a name, not charged yet
        };
        count own, others;          ///< requests of its own waits; of the program's waits
        std::uint32_t kept = none;  ///< first of the completed requests that a wait will find
    };

    static std::uint64_t one_sided_key(std::uint32_t task, std::uint32_t r) {
        return std::uint64_t{task} << 32 | r;
    }
    static queue_table::key name_key(std::uint32_t task, std::uint64_t name) { return {task, name, 0}; }

    void keep(std::uint32_t r);
    void forget(std::uint32_t r);
    /// Calls `go_on` with the strands that wait for a request to begin; with all that wait if it has `ended`.
    template <class F>
    void take_dependents(std::uint32_t r, bool ended, F go_on) {
        std::uint32_t rest = m_requests[r].dependents, kept = none;
        m_requests[r].dependents = none;
        while (rest != none) {
            const std::uint32_t d = rest;
            rest = m_dependents[d].next;
            if (!ended && !m_dependents[d].begun) {
                m_dependents[d].next = kept;
                kept = d;
                continue;
            }
            const std::uint32_t strand = m_dependents[d].strand;
            m_dependents.give_back(d);
            go_on(strand);
        }
        m_requests[r].dependents = kept;
    }

    bool m_keep_receives;
    pool<request> m_requests;
    pool<dependent> m_dependents;
    growing_array<account> m_accounts;                   ///< account of each strand
    queue_table m_names;                                 ///< requests by task and name
    std::map<std::uint64_t, std::uint32_t> m_one_sided;  ///< communicator, by task and request
    std::uint64_t m_serial = 0;
};

}  // namespace sare::traffic
