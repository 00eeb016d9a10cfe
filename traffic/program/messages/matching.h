// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/messages/queue_table.h"
#include "traffic/program/operation.h"

#include <deque>
#include <map>

/// The choice of a message for each receive, by the rules of MPI.
namespace sare::traffic {

/// The properties by which receives find messages. A receive's source may be any_source, its tag any_tag.
struct envelope {
    std::uint32_t destination = 0, source = 0;  ///< numbers of tasks
    std::int64_t tag = 0;
    /// Number of the communicator, with bit 31 (collectives::own_context) set for messages of its
    /// collectives; messages of different contexts never match.
    std::uint32_t context = 0;
};

/// The receives and probes that wait for messages, and the messages that wait for receives. A message goes to
/// the first posted of the receives that it fits; a receive takes the first arrived of the messages that fit
/// it. The cost does not grow with their number, except for a receive with just one wildcard, which looks
/// through all waiting messages of its task.
class matching {
  public:
    static constexpr std::uint32_t none = queue_table::none;

    explicit matching(std::uint32_t tasks) : m_queues(tasks) {}

    /// Posts a receive, known by the caller's number `receive`. Returns the number of the message that it
    /// takes; none: it waits.
    std::uint32_t post(const envelope& e, std::uint32_t receive);
    /// Brings a message, known by the caller's number `message`, which no waiting message has. Returns the
    /// number of the receive that takes it; none: it waits.
    std::uint32_t arrive(const envelope& e, std::uint32_t message);
    /// Returns true if a message waits that a receive posted now would take. Else the probe, known by the
    /// caller's number `probe`, waits, and next_probed() returns it when such a message has arrived.
    bool probe(const envelope& e, std::uint32_t probe);
    /// Takes out and returns the next probe that has found the message of arrive(); none: there is no more.
    /// Call it after arrive(), until it returns none.
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
    /// The waiting messages of a task, in order of arrival.
    struct queue {
        std::uint32_t first = none, last = none;
        std::uint32_t wild = 0;  ///< number of its waiting receives with a wildcard
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
    std::vector<arrived> m_arrived;  ///< messages by their numbers
    queue_table m_messages, m_receives;
    std::map<std::uint32_t, std::vector<waiting_probe>> m_probes;  ///< waiting probes of each task
    std::deque<std::uint32_t> m_found;                             ///< probes that wait no more, to be told
    std::uint64_t m_serial = 0;
};

}  // namespace sare::traffic
