// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"
#include "traffic/bridge/simbricks/layout.h"

#include <optional>

/// The two queues of a link, each a ring of entries in shared memory that one side writes and the other
/// reads. An entry's owner is written last.
namespace sare::traffic::simbricks {

/// A queue, with the place of the entry that this side reads or writes next.
class ring {
  public:
    ring(unsigned char* memory, const queue_shape& q) : m_begin(memory + q.offset), m_shape(q) {}
    /// Returns the bytes of a frame that an entry has room for.
    std::size_t room() const { return m_shape.entry - header; }

  protected:
    unsigned char* entry() const { return m_begin + m_at * m_shape.entry; }
    std::uint8_t owner() const { return __atomic_load_n(entry() + owner_at, __ATOMIC_ACQUIRE); }
    /// Writes the owner of the entry and goes to the next one.
    void pass_on(std::uint8_t owner_and_type) {
        __atomic_store_n(entry() + owner_at, owner_and_type, __ATOMIC_RELEASE);
        m_at = (m_at + 1) % m_shape.entries;
    }

  private:
    unsigned char* m_begin;  ///< entry 0
    queue_shape m_shape;
    std::uint64_t m_at = 0;  ///< index of the next entry
};

/// The queue that the other side writes. Each number in it is read only once, so that later writes of the
/// other side cannot change what was checked.
class incoming : public ring {
  public:
    struct message {
        std::uint8_t type = 0;
        std::uint16_t length = 0;
        picoseconds time = 0;
    };

    using ring::ring;
    /// Returns the first message, or nothing if there is none yet.
    const message* head();
    /// Returns the frame of the first message, which head() must have returned. Throws peer_failure if it is
    /// longer than the entry.
    std::shared_ptr<const std::vector<std::uint8_t>> bytes() const;
    /// Gives the entry of the first message, which head() must have returned, back to the other side.
    void drop();

  private:
    std::optional<message> m_head;
};

/// The queue that this side writes.
class outgoing : public ring {
  public:
    using ring::ring;
    /// Writes a message; returns false if the queue is full. `bytes`: its frame, at most room() bytes, which
    /// is not checked; null: it has none.
    bool put(std::uint8_t type, picoseconds time, const std::vector<std::uint8_t>* bytes);
};

}  // namespace sare::traffic::simbricks
