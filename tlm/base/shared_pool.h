// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

namespace sare {

/// A pool whose slots several threads take and give back. Each thread has a *share*: the free slots that this
/// thread alone takes from; a slot may be given back to any share. While several threads are at work, a share
/// must not take more slots than prepare() was asked for, because all slots may move when the pool grows.
/// With one share it is as fast as `pool`.
template <class T>
class shared_pool {
  public:
    /// The free slots of one thread; no other thread may use it at the same time.
    class share {
      public:
        explicit share(shared_pool& all) : m_all(all) {}
        /// Returns the number of a free slot, which is in use from now on. Its contents are the old ones.
        std::uint32_t take() {
            make_room();
            return take_free();
        }
        /// Gets a free slot if the share has none, so that the next take() does not. Throws std::logic_error
        /// while hold(true).
        void make_room() {
            if (__builtin_expect(!has_room(), 0)) m_all.refill(*this, 1);
        }
        /// True if the share has a free slot.
        bool has_room() const { return m_free_slots != 0; }
        /// Does what take() does, for a share that has_room().
        std::uint32_t take_free() { return m_free[--m_free_slots]; }
        /// Frees a slot in use, whichever share took it; giving back a free slot is not detected.
        void give_back(std::uint32_t slot) {
            if (__builtin_expect(m_keeps, 0)) return keep(slot);
            free(slot);
        }

      private:
        friend class shared_pool;
        void free(std::uint32_t slot) { m_free[m_free_slots++] = slot; }
        __attribute__((noinline)) void keep(std::uint32_t slot) { m_kept.push_back(slot); }
        shared_pool& m_all;
        growing_array<std::uint32_t> m_free;  ///< stack of free slots, with room for all slots of the pool
        std::uint32_t m_free_slots = 0;       ///< height of the stack
        bool m_keeps = false;                 ///< see shared_pool::keep()
        std::vector<std::uint32_t> m_kept;    ///< slots given back that are not free yet
    };

    shared_pool() { m_shares.emplace_back(*this); }
    /// Makes `shares` shares of the one that a new pool has. Call it once, before a slot is taken.
    void split(std::uint32_t shares) {
        while (m_shares.size() < shares) m_shares.emplace_back(*this);
    }
    /// Share `n`, from 0.
    share& part(std::uint32_t n) { return m_shares[n]; }

    /// Makes sure that share `n` can take `slots` slots without growing the pool. Call it while no other
    /// thread is at work. Free slots beyond `slots` + 512 return to the common stock if there are many of
    /// them.
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

    /// True: several threads are at work from now on, and a share that runs out of free slots throws
    /// std::logic_error. False: one thread is at work, and shares may grow the pool.
    void hold(bool held) { m_held = held; }
    /// True: slots given back from now on stay out of use but are not taken again, so that their contents can
    /// still be read. False: all slots kept so far become free, as do slots given back from now on.
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
    /// Number of slots, in use and free.
    std::uint32_t slots() const { return static_cast<std::uint32_t>(m_slots.size()); }
    /// Number of slots in use; slots that keep() holds back count as in use.
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

    /// Calls f(slot) for each slot in use, by rising number. Looks at all slots: too slow for every cycle.
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
    /// Moves free slots from the common stock to `s`, or makes new ones, until `s` has `slots` of them. Not
    /// inlined: its calls would cost the callers' usual path registers.
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
    std::vector<std::uint32_t> m_common;  ///< free slots of no share
    bool m_held = false;                  ///< see hold()
};

}  // namespace sare
