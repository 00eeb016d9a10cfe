// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/trace/event.h"
#include "traffic/trace/event_bytes.h"

#include <memory>
#include <string>

namespace sare::traffic {

/// A queue, first in first out, of events of one task that were read before they were asked for; an event
/// takes about 10 bytes. The numbers of the events (event::number) must follow one another: only the first
/// one's is stored.
class kept_events {
  public:
    bool empty() const { return m_state == nullptr; }  ///< true: no event is in the queue
    /// Appends an event.
    void put(const event& e) {
        if (m_state == nullptr) m_state = std::make_unique<state>();
        state& s = *m_state;
        put_varint(s.bytes, zigzag(std::int64_t{e.line} - s.put_line));
        put_operation(s.bytes, static_cast<std::uint64_t>(e.what), e, s.put);
        s.put_line = e.line;
        if (s.count++ == 0) s.first = e.number;
    }
    /// Gives back unused memory; worth a call after the last put() of many. put() may be called again.
    void shrink() {
        if (m_state) m_state->bytes.shrink_to_fit();
    }
    /// Removes the first event and stores it in `e`. The queue must not be empty; this is not checked.
    void take(event& e) {
        state& s = *m_state;
        byte_source from(s.bytes.data() + s.at, s.bytes.size() - s.at);
        e.clear();
        s.taken_line += static_cast<int>(unzigzag(from.varint()));
        e.what = static_cast<op>(take_operation(from, e, s.taken));
        e.line = s.taken_line;
        e.number = s.first++;
        s.at = s.bytes.size() - from.left();
        if (--s.count == 0) return m_state.reset();
        if (s.at < most_taken || s.at < s.bytes.size() / 2) return;
        s.bytes.erase(0, s.at);
        s.at = 0;
    }

  private:
    static constexpr std::size_t most_taken = 65536;
    struct state {
        std::string bytes;
        std::size_t at = 0;
        byte_context put, taken;
        int put_line = 0, taken_line = 0;
        std::uint64_t first = 0, count = 0;  ///< number of the event that take() returns next; number of
                                             ///< events in the queue
    };
    std::unique_ptr<state> m_state;  ///< contents; null while the queue is empty
};

}  // namespace sare::traffic
