// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/growing_array.h"

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

namespace sare {

/// A pool of slots, numbered from 0, that several threads take and give back. Each thread has a *share*: a
/// stock of free slots from which this thread alone takes. A slot may be given back to any share. While
/// several threads are at work, the pool must not grow, as all its slots may then move; so a share must not
/// take more slots than prepare() was asked for. With one share it is as fast as `pool`.
template <class T>
class shared_pool {
  public:
    /// The free slots of one thread. Two threads must not use one share at the same time.
    class share {
      public:
        explicit share(shared_pool& all) : m_all(all) {}
        /// Returns the number of a free slot, which is in use from now on, with the contents that it had
        /// before. Throws as make_room() does.
        std::uint32_t take() {
            make_room();
            return take_free();
        }
        /// Makes sure that the share has a free slot: if not, takes one from the common stock of the pool, or
        /// grows the pool. Throws std::logic_error if there is none after hold(true).
        void make_room() {
            if (__builtin_expect(!has_room(), 0)) m_all.refill(*this, 1);
        }
        /// True if the share has a free slot.
        bool has_room() const { return m_free_slots != 0; }
        /// Returns the number of a free slot as take() does. The share must have one (has_room()); this is
        /// not checked.
        std::uint32_t take_free() { return m_free[--m_free_slots]; }
        /// Frees a slot in use, whichever share took it. Giving back a free slot is an error that is not
        /// detected.
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
        bool m_keeps = false;  ///< true: give_back() puts slots into m_kept (shared_pool::keep())
        std::vector<std::uint32_t> m_kept;  ///< slots given back that are not free yet
    };

    shared_pool() { m_shares.emplace_back(*this); }
    /// Adds shares until there are `shares` of them; a new pool has one. Call it once, before a slot is taken
    /// (not checked).
    void split(std::uint32_t shares) {
        while (m_shares.size() < shares) m_shares.emplace_back(*this);
    }
    /// Returns share `n`, from 0; the number is not checked.
    share& part(std::uint32_t n) { return m_shares[n]; }

    /// Makes sure that share `n` can take `slots` slots without growing the pool. Call it while no other
    /// thread is at work. If the share has more than 2 * `slots` + 1024 free slots, all beyond `slots` + 512
    /// go to the common stock. From it prepare() and make_room() take for any share.
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

    /// hold(true): several threads are at work from now on, and a share that runs out of free slots throws
    /// std::logic_error. hold(false): one thread is at work, and shares may grow the pool.
    void hold(bool held) { m_held = held; }
    /// keep(true): slots given back from now on are not taken again, so that their contents can still be
    /// read. keep(false): all slots kept so far become free, and slots given back from now on are free at
    /// once.
    void keep(bool kept) {
        for (share& s : m_shares) {
            s.m_keeps = kept;
            if (kept) continue;
            for (const std::uint32_t slot : s.m_kept) s.free(slot);
            s.m_kept.clear();
        }
    }

    /// Returns the contents of a slot, in use or free; `slot` must be below slots(), which is not checked.
    T& operator[](std::uint32_t slot) { return m_slots[slot]; }
    const T& operator[](std::uint32_t slot) const { return m_slots[slot]; }
    /// Number of slots, in use and free.
    std::uint32_t slots() const { return static_cast<std::uint32_t>(m_slots.size()); }
    /// Number of slots in use, those that keep(true) holds back included.
    std::uint32_t in_use() const {
        auto free = static_cast<std::uint32_t>(m_common.size());
        for (const share& s : m_shares) free += s.m_free_slots;
        return slots() - free;
    }
    template <class Archive>
    /// Writes all slots and which of them are free to a checkpoint, or reads them into a pool with as many
    /// shares (not checked). Not between keep(true) and keep(false).
    void serialize(Archive& a) {
        a(m_slots, m_common);
        for (share& s : m_shares) a(s.m_free, s.m_free_slots);
    }

    /// Calls f(slot) for each slot in use, in ascending order. Looks at all slots, which is too slow for
    /// every cycle.
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
    std::vector<std::uint32_t> m_common;  ///< common stock: free slots of no share
    bool m_held = false;                  ///< true: several threads are at work (hold())
};

}  // namespace sare
