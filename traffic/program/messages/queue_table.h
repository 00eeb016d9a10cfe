// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"

namespace sare::traffic {

/// First-in-first-out queues of numbers, one for each key, made when they are needed. Implemented as a hash
/// table. Its memory grows with the most items that it has held at a time; the time of a call does
/// not grow with the length of a queue.
class queue_table {
  public:
    /// Value for no number.
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    /// The key of a queue; the caller decides what the words mean.
    struct key {
        std::uint64_t a = 0, b = 0, c = 0;
        bool operator==(const key& o) const { return a == o.a && b == o.b && c == o.c; }
    };
    /// A number in a queue.
    struct item {
        key of{};                  ///< key of the queue in which the item is
        std::uint64_t serial = 0;  ///< second number of the item, which the caller may use
        /// The number.
        std::uint32_t value = 0;
        std::uint32_t chain = none;   ///< next queue in the hash table's bucket; valid only in the first item
                                      ///< of a queue
        std::uint32_t behind = none;  ///< next item of the queue; none: it is the last
        std::uint32_t last = none;    ///< last item of the queue; valid only in its first item
    };

    queue_table() : m_buckets(64, none) {}

    /// Returns the first item of a queue; null if the queue is empty. Valid until the next push() or pop().
    const item* front(const key& k) const {
        const std::uint32_t i = *link(k);
        return i == none ? nullptr : &m_items[i];
    }
    /// Appends a number to a queue. `serial`: item::serial.
    void push(const key& k, std::uint32_t value, std::uint64_t serial = 0) {
        if (m_items.in_use() >= m_buckets.size()) grow();
        const std::uint32_t slot = m_items.take();
        m_items[slot] = {k, serial, value, none, none, slot};
        std::uint32_t* const at = link(k);
        if (*at == none) {
            *at = slot;
            return;
        }
        item& first = m_items[*at];
        m_items[first.last].behind = slot;
        first.last = slot;
    }
    /// Removes the first item of a queue and returns its number; none: the queue is empty.
    std::uint32_t pop(const key& k) {
        std::uint32_t* const at = link(k);
        const std::uint32_t slot = *at;
        if (slot == none) return none;
        const item& gone = m_items[slot];
        *at = gone.chain;
        if (gone.behind != none) {
            *at = gone.behind;
            m_items[gone.behind].chain = gone.chain;
            m_items[gone.behind].last = gone.last;
        }
        m_items.give_back(slot);
        return gone.value;
    }
    /// Returns true if all queues are empty.
    bool empty() const { return m_items.in_use() == 0; }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_buckets, m_shift, m_items);
    }

  private:
    std::size_t bucket(const key& k) const {
        // The high bits of a sum of products with odd numbers are as good as random.
        const std::uint64_t h =
            k.a * 0x9e3779b97f4a7c15u + k.b * 0xbf58476d1ce4e5b9u + k.c * 0x94d049bb133111ebu;
        return h >> m_shift;
    }
    /// Returns the place of the index of a queue's first item; if the queue is empty, the place where the
    /// index would stand.
    const std::uint32_t* link(const key& k) const {
        const std::uint32_t* at = &m_buckets[bucket(k)];
        while (*at != none && !(m_items[*at].of == k)) at = &m_items[*at].chain;
        return at;
    }
    std::uint32_t* link(const key& k) {
        return const_cast<std::uint32_t*>(static_cast<const queue_table*>(this)->link(k));
    }
    [[gnu::noinline]] void grow() {
        std::vector<std::uint32_t> old(m_buckets.size() * 2, none);
        old.swap(m_buckets);
        --m_shift;
        for (std::uint32_t first : old)
            while (first != none) {
                const std::uint32_t following = m_items[first].chain;
                std::uint32_t& head = m_buckets[bucket(m_items[first].of)];
                m_items[first].chain = head;
                head = first;
                first = following;
            }
    }

    std::vector<std::uint32_t> m_buckets;  ///< index of the first item of the first queue in each bucket; the
                                           ///< number of buckets is a power of two
    std::uint32_t m_shift = 58;            ///< 64 minus the number of bits of a bucket's number
    pool<item> m_items;
};

}  // namespace sare::traffic
