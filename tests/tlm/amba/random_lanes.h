// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/tlm/amba/axi_support.h"

#include <optional>
#include <vector>

namespace sare::test {

/// Draws accesses. A lane is some bytes of the range that only its owner accesses, one access at a time; its
/// number is the access's ID, and what the transaction has as its number is where in the range it is.
class random_lanes {
  public:
    static constexpr unsigned slice = 512;  ///< bytes of a lane

    random_lanes(rng& random, std::uint64_t counter) : m_random(random), m_counter(counter) {}
    unsigned add() {
        m_reserved.emplace_back();
        return size() - 1;
    }
    unsigned size() const { return static_cast<unsigned>(m_reserved.size()); }

    /// With the range at `first`: with byte enables and streams now and then, exclusive or atomic.
    transaction& draw(transaction_pool& pool, unsigned lane, std::uint64_t first);
    /// Of AXI4: INCR, WRAP or FIXED bursts, of narrow beats, too.
    transaction& draw_burst(transaction_pool& pool, unsigned lane, std::uint64_t first, bool write);
    /// One is over; false: its lane's reservation was lost, and nothing has ended it.
    bool settle(const transaction& t);

  private:
    /// Bytes that an exclusive access may have.
    struct exclusive_bytes {
        std::uint64_t at;
        unsigned size, beats;
    };
    transaction& take(transaction_pool& pool, unsigned lane, bool write, std::uint64_t first,
                      std::uint64_t at, unsigned length);
    exclusive_bytes draw_exclusive(unsigned lane, bool write);
    bool wants_exclusive(unsigned lane, bool write);
    transaction& draw_atomic(transaction_pool& pool, unsigned lane, std::uint64_t first);
    void draw_enables(transaction& t, unsigned length);

    rng& m_random;
    const std::uint64_t m_counter;  ///< where all lanes add
    std::vector<std::optional<exclusive_bytes>> m_reserved;
};

/// An exclusive access, and whether it was let through.
bool is_exclusive(const transaction& t);
bool was_let_through(const transaction& t);

}  // namespace sare::test
