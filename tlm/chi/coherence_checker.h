// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/cache.h"

#include <string>
#include <vector>

namespace sare::chi {

/// Checks coherence as a program sees it: a line that one node may write is in no other cache, and every load
/// returns the last bytes stored there by any node. Set it as observer of all caches and homes of a system.
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

    std::vector<std::string> violations;               ///< the first ten, with their times
    std::uint64_t loads = 0, stores = 0, atomics = 0;  ///< numbers of accesses that were checked

  private:
    void expect(bool right, std::uint32_t node, std::uint64_t address, const std::string& rule);

    std::map<std::uint64_t, std::array<unsigned char, line_bytes>> m_bytes;  ///< by line; 0 at first
    std::map<std::uint64_t, std::map<std::uint32_t, state>> m_states;        ///< by line, then node
};

}  // namespace sare::chi
