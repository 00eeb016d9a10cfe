// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <tlm>

namespace sare {

class archive;

/// The reservations of a memory for exclusive accesses, at most one for each agent (access_options::agent).
/// An exclusive read makes a reservation for its bytes; a write to any of these bytes ends it. An exclusive
/// write is done only if its agent has a reservation for exactly the same bytes.
class exclusive_monitor {
  public:
    /// Returns true if an access may be done now; false for an exclusive write without a reservation, which
    /// must not change memory. Sets access_options::exclusive_done of an exclusive access, and makes and ends
    /// reservations, by the addresses in the memory. No access that overlaps an exclusive one may be under
    /// way.
    bool admit(tlm::tlm_generic_payload& p);
    /// True if there is no reservation.
    bool is_empty() const { return m_reserved.empty(); }
    /// Writes the reservations to a checkpoint, or reads them.
    void serialize(archive& a);

  private:
    /// Bytes of the memory.
    struct bytes {
        std::uint64_t first = 0, last = 0;  ///< first and last address, both included
        bool operator==(const bytes& o) const { return first == o.first && last == o.last; }
        bool overlaps(const bytes& o) const { return first <= o.last && o.first <= last; }
    };
    std::map<std::uint64_t, bytes> m_reserved;  ///< reserved bytes, by agent
};

}  // namespace sare
