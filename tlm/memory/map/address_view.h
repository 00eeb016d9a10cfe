// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sare {

/// A window of an initiator onto the addresses of the map.
struct address_window {
    std::uint64_t base = 0;    ///< first address of the window for the initiator
    std::uint64_t size = 0;    ///< number of bytes, at least 1
    std::uint64_t target = 0;  ///< address in the map of the window's first byte
};

/// The addresses that one initiator sees: windows onto addresses of the map and nothing else; without any
/// window, all addresses of the map as they are. Several windows may show the same bytes of the map.
class address_view {
  public:
    address_view() = default;  ///< makes a view without windows
    /// Makes a view with these windows. Throws config::error for a window that is empty, overlaps another for
    /// the initiator, or goes beyond the last address, for the initiator or in the map.
    explicit address_view(std::vector<address_window> windows);

    /// True if there are no windows.
    bool shows_all() const { return m_windows.empty(); }
    /// An address of the map and its place in a window.
    struct position {
        std::uint64_t address, before, bytes;  ///< address; bytes of the window before and from it on
    };
    /// Returns the position in the map of an initiator's address; nothing if no window has it. Without
    /// windows the whole address space counts as one window.
    std::optional<position> in_map(std::uint64_t address) const;
    /// Returns the addresses at which the initiator sees bytes `first` to `last` of the map: pairs of a first
    /// and a last address, both included; empty if no window shows any; if shows_all(), the bytes themselves.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> seen(std::uint64_t first, std::uint64_t last) const;

  private:
    std::vector<address_window> m_windows;  ///< in ascending order of `base`
};

}  // namespace sare
