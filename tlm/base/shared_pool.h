// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

namespace sare {

/// A pool whose slots several threads take and give back: each has a *share*, the free slots in its hands,
/// and gives back what it has done with, whoever took it. With one share it is as quick as `pool`. Only when
/// no other thread is at work may a share take more than prepare() has made sure of: the slots may move then.
template <class T>
class shared_pool {
  public:
    class share {
      public:
        explicit share(shared_pool& all) : m_all(all) {}
        std::uint32_t take() {
            make_room();
            return take_free();
        }
        /// So that the next take() makes no call.
        void make_room() {
            if (__builtin_expect(!has_room(), 0)) m_all.refill(*this, 1);
        }
        bool has_room() const { return m_free_slots != 0; }
        /// Where there is room.
        std::uint32_t take_free() { return m_free[--m_free_slots]; }
        void give_back(std::uint32_t slot) {
            if (__builtin_expect(m_keeps, 0)) return keep(slot);
            free(slot);
        }

      private:
        friend class shared_pool;
        void free(std::uint32_t slot) { m_free[m_free_slots++] = slot; }
        __attribute__((noinline)) void keep(std::uint32_t slot) { m_kept.push_back(slot); }
        shared_pool& m_all;
        growing_array<std::uint32_t> m_free;  ///< a stack with room for all slots
        std::uint32_t m_free_slots = 0;
        bool m_keeps = false;
        std::vector<std::uint32_t> m_kept;
    };

    shared_pool() { m_shares.emplace_back(*this); }
    /// Before any is taken; once. In the beginning there is one share.
    void split(std::uint32_t shares) {
        while (m_shares.size() < shares) m_shares.emplace_back(*this);
    }
    share& part(std::uint32_t n) { return m_shares[n]; }

    /// While no other thread is at work: share `n` can take `slots` before it needs more. What it has far
    /// beyond that is for the others.
    void prepare(std::uint32_t n, std::uint32_t slots) {
        share& s = m_shares[n];
        if (s.m_free_slots < slots) return refill(s, slots);
        constexpr std::uint32_t kept = 1024;
        if (s.m_free_slots > 2 * slots + kept) {
            const std::uint32_t rest = s.m_free_slots - slots - kept / 2;
            s.m_free_slots -= rest;
            for (std::uint32_t k = 0; k < rest; ++k) m_common.push_back(s.m_free[s.m_free_slots + k]);
        }
    }

    /// From here on, or no more, several threads are at work: what prepare() has not made sure of is an
    /// error.
    void hold(bool held) { m_held = held; }
    /// What is given back from here on, or no more, is not taken again yet, so that it can still be read.
    void keep(bool kept) {
        for (share& s : m_shares) {
            s.m_keeps = kept;
            if (kept) continue;
            for (const std::uint32_t slot : s.m_kept) s.free(slot);
            s.m_kept.clear();
        }
    }

    T& operator[](std::uint32_t slot) { return m_slots[slot]; }
    const T& operator[](std::uint32_t slot) const { return m_slots[slot]; }
    std::uint32_t slots() const { return static_cast<std::uint32_t>(m_slots.size()); }  ///< free ones as well
    std::uint32_t in_use() const {
        auto free = static_cast<std::uint32_t>(m_common.size());
        for (const share& s : m_shares) free += s.m_free_slots;
        return slots() - free;
    }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_slots, m_common);
        for (share& s : m_shares) a(s.m_free, s.m_free_slots);
    }

    /// Calls f(slot) for each that is in use, in order. Not for every cycle.
    template <class F>
    void for_each(F f) const {
        std::vector<bool> is_free(m_slots.size());
        for (const std::uint32_t slot : m_common) is_free[slot] = true;
        for (const share& s : m_shares)
            for (std::uint32_t k = 0; k < s.m_free_slots; ++k) is_free[s.m_free[k]] = true;
        for (std::uint32_t slot = 0; slot < slots(); ++slot)
            if (!is_free[slot]) f(slot);
    }

  private:
    /// Not inlined: its calls would cost the usual path registers.
    __attribute__((noinline)) void refill(share& s, std::uint32_t slots) {
        if (m_held) throw std::logic_error("more slots are taken in a cycle than were prepared");
        while (s.m_free_slots < slots) {
            if (m_common.empty()) {
                for (share& each : m_shares) each.m_free.emplace_back() = 0;
                s.free(static_cast<std::uint32_t>(m_slots.size()));
                m_slots.emplace_back();
            } else {
                s.free(m_common.back());
                m_common.pop_back();
            }
        }
    }

    growing_array<T> m_slots;
    std::deque<share> m_shares;
    std::vector<std::uint32_t> m_common;  ///< free slots in nobody's hands
    bool m_held = false;
};

}  // namespace sare
