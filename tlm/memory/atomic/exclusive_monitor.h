// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <tlm>

namespace sare {

class archive;

/// The reservations at a memory, at most one an agent. An exclusive read makes one, a write to any of its
/// bytes ends it; an exclusive write is done only if its agent's reservation is for the same bytes.
class exclusive_monitor {
  public:
    /// Returns whether an access may be done now: false for an exclusive write without a reservation. Sets
    /// access_options::exclusive_done. No access that overlaps an exclusive one may be under way.
    bool admit(tlm::tlm_generic_payload& p);
    /// True if there is no reservation that a write could end.
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
