// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <tlm>

namespace sare {

class archive;

/// The reservations at a memory: an exclusive read makes one, which any write to its bytes ends; an exclusive
/// write is done only where its agent's holds. One an agent, the last.
class exclusive_monitor {
  public:
    /// Of an access that is to be done now: false for an exclusive write without a reservation, which must
    /// not be. Sets access_options::exclusive_done. What overlaps an exclusive access must not be under way.
    bool admit(tlm::tlm_generic_payload& p);
    /// There is no reservation that a write could end.
    bool is_empty() const { return m_reserved.empty(); }
    void serialize(archive& a);

  private:
    struct bytes {
        std::uint64_t first = 0, last = 0;
        bool operator==(const bytes& o) const { return first == o.first && last == o.last; }
        bool overlaps(const bytes& o) const { return first <= o.last && o.first <= last; }
    };
    std::map<std::uint64_t, bytes> m_reserved;  ///< by agent
};

}  // namespace sare
