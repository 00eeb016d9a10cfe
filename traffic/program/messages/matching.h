// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/queue_table.h"
#include "traffic/program/operation.h"

#include <deque>
#include <map>

/// Which receive gets which message, as MPI has it.
namespace sare::traffic {

/// What a message is known by. Of a receive: the source may be any_source, the tag any_tag.
struct envelope {
    std::uint32_t destination = 0, source = 0;  ///< tasks
    std::int64_t tag = 0;
    std::uint32_t context = 0;  ///< messages of different ones (communicators, collectives) never match
};

/// Receives, probes and messages that wait for each other. A message goes to the receive that was posted
/// first of those it fits, a receive takes the message that arrived first of those that fit. Cost does not
/// grow with what waits, but for a receive with just one wildcard: it looks through the messages that wait
/// for its task.
class matching {
  public:
    static constexpr std::uint32_t none = queue_table::none;

    explicit matching(std::uint32_t tasks) : m_queues(tasks) {}

    /// A receive is posted, known by a number of the caller's. The message that it takes; none: it waits.
    std::uint32_t post(const envelope& e, std::uint32_t receive);
    /// A message arrives, known by a number that no other waiting one has. The receive that takes it; none:
    /// it waits.
    std::uint32_t arrive(const envelope& e, std::uint32_t message);
    /// True: a message waits that a receive posted now would take. Else next_probed() gives the probe, by a
    /// number of the caller's, when one does.
    bool probe(const envelope& e, std::uint32_t probe);
    /// After arrive(): a probe that has found the message; none: there is none. It must be asked until then.
    std::uint32_t next_probed() {
        if (__builtin_expect(m_found.empty(), 1)) return none;
        const std::uint32_t first = m_found.front();
        m_found.pop_front();
        return first;
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_queues, m_arrived, m_messages, m_receives, m_probes, m_found, m_serial);
    }

  private:
    /// Of a task: its messages that wait, in order of arrival.
    struct queue {
        std::uint32_t first = none, last = none;
        std::uint32_t wild = 0;  ///< its receives with a wildcard that wait
    };
    struct arrived {
        envelope of;
        std::uint32_t before = none, after = none;
    };

    struct waiting_probe {
        envelope of;
        std::uint32_t number = 0;
    };

    std::uint32_t take(const envelope& e);
    std::uint32_t first_fit(const envelope& e) const;
    void notify_probes(const envelope& e);
    std::uint32_t first_wild(const envelope& e);

    std::vector<queue> m_queues;
    std::vector<arrived> m_arrived;  ///< by the number of the message
    queue_table m_messages, m_receives;
    std::map<std::uint32_t, std::vector<waiting_probe>> m_probes;  ///< by task: those that wait
    std::deque<std::uint32_t> m_found;                             ///< that wait no more, to be told
    std::uint64_t m_serial = 0;
};

}  // namespace sare::traffic
