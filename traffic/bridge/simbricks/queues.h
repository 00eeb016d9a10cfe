// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"
#include "traffic/bridge/simbricks/layout.h"

#include <optional>

/// The two queues of a link, one for each direction: rings of entries in shared memory, each of which one
/// side writes and the other reads. The byte that says who owns an entry is written last.
namespace sare::traffic::simbricks {

/// A queue, with the index of the entry that this side reads or writes next. The memory must outlive the
/// object.
class ring {
  public:
    /// `memory`: address of the begin of the shared memory; `q`: place of the queue in it.
    ring(unsigned char* memory, const queue_shape& q) : m_begin(memory + q.offset), m_shape(q) {}
    /// Returns the number of bytes of a frame that an entry has room for.
    std::size_t room() const { return m_shape.entry - header; }

  protected:
    /// entry() returns the address of the next entry, owner() its byte of owner and type.
    unsigned char* entry() const { return m_begin + m_at * m_shape.entry; }
    std::uint8_t owner() const { return __atomic_load_n(entry() + owner_at, __ATOMIC_ACQUIRE); }
    /// Writes the byte of owner and type of the next entry, and goes on to the one behind it.
    void pass_on(std::uint8_t owner_and_type) {
        __atomic_store_n(entry() + owner_at, owner_and_type, __ATOMIC_RELEASE);
        m_at = (m_at + 1) % m_shape.entries;
    }

  private:
    unsigned char* m_begin;  ///< address of entry 0
    queue_shape m_shape;
    std::uint64_t m_at = 0;  ///< index of the next entry
};

/// The queue that the other side writes. Each number in an entry is read only once, so that later writes of
/// the other side cannot change what was checked.
class incoming : public ring {
  public:
    /// The header of an entry.
    struct message {
        std::uint8_t type = 0;     ///< type_sync, type_terminate or type_packet
        std::uint16_t length = 0;  ///< bytes of the frame
        picoseconds time = 0;      ///< time of the message (layout.h), in picoseconds
    };

    using ring::ring;
    /// Returns the first message that was not dropped; null if there is none yet. The pointer is valid until
    /// drop().
    const message* head();
    /// Returns the frame of the message that head() has returned. Throws peer_failure if its length is larger
    /// than an entry's room.
    std::shared_ptr<const std::vector<std::uint8_t>> bytes() const;
    /// Gives the entry of the message that head() has returned back to the other side.
    void drop();

  private:
    std::optional<message> m_head;
};

/// The queue that this side writes.
class outgoing : public ring {
  public:
    using ring::ring;
    /// Writes a message; returns false, and writes nothing, if the queue is full. `bytes`: its frame, at most
    /// room() bytes (not checked); null: the message has no frame.
    bool put(std::uint8_t type, picoseconds time, const std::vector<std::uint8_t>* bytes);
};

}  // namespace sare::traffic::simbricks
