// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/operation.h"
#include "traffic/program/queue_table.h"

/// Which receive gets which message, as MPI has it.
namespace sare::traffic {

/// What a message is known by. Of a receive: the source may be any_source, the tag any_tag.
struct envelope {
    std::uint32_t destination = 0, source = 0;  ///< tasks
    std::int64_t tag = 0;
    std::uint32_t context = 0;  ///< messages of different ones (communicators, collectives) never match
};

/// Receives and messages that wait for each other. A message goes to the receive that was posted first of
/// those it fits, a receive takes the message that arrived first of those that fit. Cost does not grow with
/// what waits; but a receive with one wildcard alone, that no receive of both or none, looks through the
/// messages that wait for its task.
class matching {
  public:
    static constexpr std::uint32_t none = queue_table::none;

    explicit matching(std::uint32_t tasks) : m_queues(tasks) {}

    /// A receive is posted, known by a number of the caller's. The message that it takes; none: it waits.
    std::uint32_t post(const envelope& e, std::uint32_t receive);
    /// A message arrives, known by a number that no other waiting one has. The receive that takes it; none:
    /// it waits.
    std::uint32_t arrive(const envelope& e, std::uint32_t message);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_queues, m_arrived, m_messages, m_receives, m_serial);
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

    std::uint32_t take(const envelope& e);
    std::uint32_t first_wild(const envelope& e);

    std::vector<queue> m_queues;
    std::vector<arrived> m_arrived;  ///< by the number of the message
    queue_table m_messages, m_receives;
    std::uint64_t m_serial = 0;
};

}  // namespace sare::traffic
