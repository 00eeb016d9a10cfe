// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/cache.h"

#include <string>
#include <vector>

namespace sare::chi {

/// Checks coherence as a program sees it: a line that one cache may write is in no other cache, and every
/// load returns the last bytes stored there by any node (0 before the first store). Set it as observer of all
/// caches and homes of a system. Throws std::out_of_range for an access that is not within a line.
class coherence_checker final : public cache_observer {
  public:
    void loaded(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                std::uint32_t length) override;
    void stored(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                std::uint32_t length) override;
    void replaced(std::uint64_t address, const unsigned char* bytes, std::uint32_t length) override;
    void updated(std::uint64_t address, const unsigned char* before, const unsigned char* now,
                 std::uint32_t length) override;
    void changed(std::uint32_t node, std::uint64_t line, state now) override;

    std::vector<std::string> violations;               ///< the first ten violations, each after its time
    std::uint64_t loads = 0, stores = 0, atomics = 0;  ///< numbers of accesses that were checked

  private:
    /// Notes a violation of `rule` at a node and address unless `right`, or unless ten violations are noted.
    void expect(bool right, std::uint32_t node, std::uint64_t address, const std::string& rule);

    /// Bytes stored last, by line; 0 at first.
    std::map<std::uint64_t, std::array<unsigned char, line_bytes>> m_bytes;
    /// States other than invalid, by line and node.
    std::map<std::uint64_t, std::map<std::uint32_t, state>> m_states;
};

}  // namespace sare::chi
