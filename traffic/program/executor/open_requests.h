// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"
#include "tlm/base/pool.h"
#include "traffic/program/messages/queue_table.h"

#include <map>

namespace sare::traffic {

/// Requests that a strand waits for.
enum class wait_for : std::uint8_t {
    nothing,
    own,  ///< all requests that the strand has opened and must wait for itself (a blocking send or receive, a
          ///< step of a collective)
    one,  ///< the request with a given name
    all,  ///< the strand's own requests, and all requests of its task that a wait of the program ends
    flush  ///< the puts and gets that a flush has made the strand depend on
};

/// The requests under way, and the strands (threads of control of tasks: class strands) that wait for them. A
/// request is a send, receive, probe, put or get whose end a strand may have to wait for, or stands for a
/// strand that has a name. Requests and strands are numbered from 0.
class open_requests {
  public:
    /// Number that stands for no request, and for no strand.
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Kind of a request: the operation, or the named strand, that it stands for.
    enum class kind : std::uint8_t { strand, send, receive, probe, one_sided };
    /// The strand and operation that open a request, and that wait for it.
    struct owner {
        std::uint32_t strand = none;  ///< strand that may have to wait for the request; none: no strand, and
                                      ///< the request is forgotten when it ends
        /// Task whose operation the request is.
        std::uint32_t task = 0;
        std::uint64_t name = 0;  ///< name of the operation in its task (operation::request); 0: no name
        bool own = false;  ///< true: the strand waits by itself, in wait_for::own; false: only a wait of the
                           ///< program (op::wait, op::waitall) waits for it
    };

    /// Makes the strands 0 to `tasks` - 1 without requests. `keep_receives`: a named receive that has ended
    /// stays until a wait of the program collects it.
    open_requests(std::uint32_t tasks, bool keep_receives) : m_keep_receives(keep_receives) {
        for (std::uint32_t s = 0; s < tasks; ++s) add_strand(s);
    }

    /// Makes strand `s` a strand without requests; `s` is at most one above the highest number so far.
    void add_strand(std::uint32_t s) {
        if (s == m_accounts.size()) m_accounts.emplace_back();
        m_accounts[s] = {};
    }

    /// Opens a request of kind `what` and returns its number. `peer`: the other task of its message, or none;
    /// `tag`: tag of the message.
    std::uint32_t open(const owner& of, kind what, std::uint32_t peer = none, std::int64_t tag = 0);
    /// Opens a put to, or a get from, task `peer` in a communicator, and returns its number.
    std::uint32_t open_one_sided(const owner& of, std::uint32_t peer, std::uint32_t communicator);
    /// Returns the oldest request of a task with this name, ended ones that are kept included; none: there is
    /// none, or `name` is 0.
    std::uint32_t find(std::uint32_t task, std::uint64_t name) const;
    /// Ends a request, once. Returns the strand that may have waited for it; none: no strand. Call release()
    /// first if has_dependents().
    std::uint32_t end(std::uint32_t r);

    /// Makes a strand depend on request `r`: on its end or, with `begun`, on its begin. Returns false, and
    /// changes nothing, if `r` is none or has ended (or begun) already.
    bool add_dependent(std::uint32_t r, std::uint32_t strand, bool begun);
    /// Returns true if strands depend on the request.
    bool has_dependents(std::uint32_t r) const { return m_requests[r].dependents != none; }
    /// Marks the request of a strand, which has all that it needs, as begun. Calls `go_on` with each strand
    /// that depended on its begin.
    template <class F>
    void begin(std::uint32_t r, F go_on) {
        m_requests[r].begun = true;
        take_dependents(r, false, go_on);
    }
    /// Ends the dependencies on a request: calls `go_on` with each strand that depends on it. Call just
    /// before end().
    template <class F>
    void release(std::uint32_t r, F go_on) {
        take_dependents(r, true, go_on);
    }

    /// @name Waits, of all kinds except wait_for::flush
    /// @{
    /// has_own(): returns true if requests are under way that strand `s` waits for by itself; has_any(): also
    /// those that a wait of the program waits for.
    bool has_own(std::uint32_t s) const { return m_accounts[s].own.under_way != 0; }
    bool has_any(std::uint32_t s) const {
        return m_accounts[s].own.under_way + m_accounts[s].others.under_way != 0;
    }
    /// Ends a wait of kind `what` of strand `s`; returns the number of receives that it waited for, each of
    /// which costs an overhead. `task`, `name`: used for wait_for::one.
    std::uint32_t collect(std::uint32_t s, wait_for what, std::uint32_t task, std::uint64_t name);
    /// @}

    /// Calls f(request, communicator) for each put and get of a task that is under way.
    template <class F>
    void for_one_sided(std::uint32_t task, F f) const {
        for (auto k = m_one_sided.lower_bound(one_sided_key(task, 0));
             k != m_one_sided.end() && k->first >> 32 == task; ++k)
            f(static_cast<std::uint32_t>(k->first), k->second);
    }

    /// Return the kind of a request, the other task of its message (none or any_source: not known), and the
    /// tag of its message.
    kind what(std::uint32_t r) const { return m_requests[r].what; }
    std::uint32_t peer(std::uint32_t r) const { return m_requests[r].peer; }
    std::int64_t tag(std::uint32_t r) const { return m_requests[r].tag; }
    /// Returns the oldest request opened for a strand that has not ended; none: there is none. `own`: true:
    /// looks only at requests that the strand waits for by itself. Takes time for every request.
    std::uint32_t first_open(std::uint32_t s, bool own) const;

    template <class Archive>
    void serialize(Archive& a) {
        a(m_requests, m_dependents, m_names, m_one_sided, m_accounts, m_serial);
    }

  private:
    struct alignas(64) request {
        std::uint32_t task = 0, strand = none;
        std::uint32_t before = none, after = none;  ///< neighbours in the strand's list of ended requests
                                                    ///< that are kept
        /// Index in m_dependents of the first strand that depends on the request.
        std::uint32_t dependents = none;
        std::uint32_t peer = none;
        std::uint64_t name = 0;
        std::int64_t tag = 0;
        /// Numbers requests in the order of opening.
        std::uint64_t serial = 0;
        kind what = kind::send;
        bool own = false, begun = true, done = false;
    };
    /// A strand that depends on a request: an element of the request's list.
    struct dependent {
        std::uint32_t strand = 0, next = none;
        /// True: the strand depends on the begin of the request; false: on its end.
        bool begun = false;
    };
    /// The requests of one strand.
    struct alignas(32) account {
        struct count {
            /// Number of requests under way.
            std::uint32_t under_way = 0;
            std::uint32_t received = 0;  ///< number of ended receives without a name whose overhead has not
                                         ///< been paid yet
        };
        count own, others;  ///< requests for which the strand waits by itself, and requests for which a wait
                            ///< of the program waits
        std::uint32_t kept = none;  ///< first of the ended requests that are kept until a wait collects them
    };

    static std::uint64_t one_sided_key(std::uint32_t task, std::uint32_t r) {
        return std::uint64_t{task} << 32 | r;
    }
    static queue_table::key name_key(std::uint32_t task, std::uint64_t name) { return {task, name, 0}; }

    void keep(std::uint32_t r);
    void forget(std::uint32_t r);
    /// Calls `go_on` with the strands that depend on the begin of a request; if the request has `ended`, with
    /// all strands that depend on it.
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
    growing_array<account> m_accounts;  ///< account of each strand
    queue_table m_names;                ///< numbers of requests, oldest first, by task and name
    std::map<std::uint64_t, std::uint32_t> m_one_sided;  ///< communicator of each put and get under way, by
                                                         ///< task and request
    std::uint64_t m_serial = 0;
};

}  // namespace sare::traffic
