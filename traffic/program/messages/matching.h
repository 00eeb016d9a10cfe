// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/queue_table.h"
#include "traffic/program/operation.h"

#include <algorithm>
#include <deque>
#include <map>

namespace sare::traffic {

/// The properties of a message, or of a receive or probe that waits for one, by which they find each other.
/// In a receive or probe, `source` may be any_source and `tag` any_tag.
struct envelope {
    /// Number of the task that receives; number of the task that sends.
    std::uint32_t destination = 0, source = 0;
    std::int64_t tag = 0;
    /// Number of the communicator; bit 31 is set for messages of its collectives (collectives::own_context).
    /// Messages of different contexts never match.
    std::uint32_t context = 0;
};

/// The choice of a message for each receive by the rules of MPI: the receives and probes that wait for
/// messages, and the messages that wait for receives. An arriving message goes to the earliest posted receive
/// that it fits; a posted receive takes the earliest arrived message that fits it. Time does not grow with
/// their numbers, except that a receive with a wildcard looks through the waiting messages of its task.
class matching {
  public:
    /// Value for no message, receive or probe.
    static constexpr std::uint32_t none = queue_table::none;

    /// `tasks`: number of tasks.
    explicit matching(std::uint32_t tasks) : m_queues(tasks) {}

    /// Posts a receive, to which the caller has given the number `receive`. Returns the number of the message
    /// that it takes; none: the receive waits, and a later arrive() returns its number.
    std::uint32_t post(const envelope& e, std::uint32_t receive);
    /// Adds a message that has arrived, which the caller has given the number `message`; no other waiting
    /// message may have this number. Returns the number of the receive that takes it; none: the message
    /// waits.
    std::uint32_t arrive(const envelope& e, std::uint32_t message);
    /// Returns true if a message waits that a receive posted now would take; it goes on waiting. Else the
    /// probe, which the caller has given the number `probe`, waits, and next_probed() returns it when such a
    /// message has arrived.
    bool probe(const envelope& e, std::uint32_t probe);
    /// Removes a probe that the last message has ended and returns its number; none: there is none left. Call
    /// it after each arrive(), until it returns none.
    std::uint32_t next_probed() {
        if (__builtin_expect(m_found.empty(), 1)) return none;
        const std::uint32_t first = m_found.front();
        m_found.pop_front();
        return first;
    }
    /// Returns true if a message waits for a receive.
    bool any_left() const {
        return std::any_of(m_queues.begin(), m_queues.end(), [](const queue& q) { return q.first != none; });
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_queues, m_arrived, m_messages, m_receives, m_probes, m_found, m_serial);
    }

  private:
    /// The messages of a task that wait for a receive, in the order of arrival.
    struct queue {
        std::uint32_t first = none, last = none;
        std::uint32_t wild = 0;  ///< number of receives of the task with a wildcard that wait
    };
    /// A message that waits for a receive, with its neighbours in the queue of its task.
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
    std::vector<arrived> m_arrived;  ///< waiting messages, by the callers' numbers
    queue_table m_messages, m_receives;
    std::map<std::uint32_t, std::vector<waiting_probe>> m_probes;  ///< probes that wait, by task
    std::deque<std::uint32_t> m_found;  ///< probes that have ended, for next_probed()
    /// Number of receives posted so far that had to wait.
    std::uint64_t m_serial = 0;
};

}  // namespace sare::traffic
