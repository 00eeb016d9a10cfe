// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sare {

/// A window: the initiator's addresses from `base` on are the map's from `target` on.
struct address_window {
    std::uint64_t base = 0;    ///< first address for the initiator
    std::uint64_t size = 0;    ///< bytes, at least 1
    std::uint64_t target = 0;  ///< address in the map of the byte at `base`
};

/// The addresses of one initiator: windows onto those of the map, and nothing beside them; without a window,
/// all addresses of the map as they are. Several windows may show the same bytes.
class address_view {
  public:
    address_view() = default;
    /// Throws config::error for a window that is empty, overlaps another, or goes beyond the last address.
    explicit address_view(std::vector<address_window> windows);

    bool shows_all() const { return m_windows.empty(); }
    /// An address of the map, with the numbers of bytes before it and from it on in the same window.
    struct position {
        std::uint64_t address, before, bytes;
    };
    /// Returns the map's address for an initiator's; nothing outside of all windows.
    std::optional<position> in_map(std::uint64_t address) const;
    /// Returns where the initiator sees the map's bytes first to last: pairs of a first and a last address.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> seen(std::uint64_t first, std::uint64_t last) const;

  private:
    std::vector<address_window> m_windows;  ///< by base
};

}  // namespace sare
