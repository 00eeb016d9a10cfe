// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/pool.h"

namespace sare::traffic {

/// First-in-first-out queues of numbers, by key, made when they are needed: a hash table whose memory grows
/// with the numbers that it holds, and whose time does not grow with a queue's length.
class queue_table {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct key {
        std::uint64_t a = 0, b = 0, c = 0;
        bool operator==(const key& o) const { return a == o.a && b == o.b && c == o.c; }
    };
    struct item {
        key of{};
        std::uint64_t serial = 0;  ///< number that the caller gives
        std::uint32_t value = 0;
        std::uint32_t chain = none;   ///< next queue of the bucket; only in a first item
        std::uint32_t behind = none;  ///< next item of the queue
        std::uint32_t last = none;    ///< last item of the queue; only in a first item
    };

    queue_table() : m_buckets(64, none) {}

    /// Returns the first item of a queue; null if it is empty. Valid until the next call.
    const item* front(const key& k) const {
        const std::uint32_t i = *link(k);
        return i == none ? nullptr : &m_items[i];
    }
    /// Appends a number to a queue. `serial`: see item.
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
    /// Takes the first item of a queue and returns its value; none: it is empty.
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
    /// Returns the place of the number of a queue's first item, or where it would stand.
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

    std::vector<std::uint32_t> m_buckets;  ///< first queue of each bucket; a power of two of buckets
    std::uint32_t m_shift = 58;            ///< 64 minus the bits of a bucket's number
    pool<item> m_items;
};

}  // namespace sare::traffic
