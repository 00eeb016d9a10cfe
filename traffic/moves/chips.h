// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/moves/recording.h"

#include <map>
#include <optional>
#include <utility>

namespace sare::traffic {

/// Chips joined by Ethernet links, as a topology file of Tenstorrent's profiler has them. The file names the
/// channels of two chips that a link joins, and the channel of a chip that sends on the data that another
/// channel of it receives.
class chip_links {
  public:
    /// Reads a topology file. `grid`: places of a chip, for checks. Throws config::error at the place of a
    /// mistake, such as a channel without a place, or with the name of a file that cannot be read.
    chip_links(const std::string& path, const recording_grid& grid);

    /// Returns the number of chips, at least 1.
    std::uint32_t chips() const { return static_cast<std::uint32_t>(m_chips.size()); }
    /// Returns the number of the chip that the file calls `device`, from 0 in ascending order of `device`;
    /// nullopt if no link of the file is at that chip.
    std::optional<std::uint32_t> chip(std::uint64_t device) const;
    /// Returns the places where a packet enters and leaves each link, two places a link. The packet goes over
    /// `hops` links, at first by channel `first` of the chip that the file calls `device`. Empty if there is
    /// no such way, or `hops` is 0.
    std::vector<grid_position> way(std::uint64_t device, std::uint32_t first, std::uint32_t hops) const;

  private:
    /// A channel: the chip as the file calls it, and the number of the channel in this chip.
    using channel_of_chip = std::pair<std::uint64_t, std::uint32_t>;
    void join(std::map<channel_of_chip, channel_of_chip>& joined, const channel_of_chip& a,
              const channel_of_chip& b, const config::location& at) const;

    std::map<std::uint64_t, std::uint32_t> m_chips;      ///< number of each chip, by its name in the file
    std::map<std::uint32_t, grid_position> m_places;     ///< place of each channel, the same in all chips
    std::map<channel_of_chip, channel_of_chip> m_links;  ///< other end of each Ethernet link, by each end
    std::map<channel_of_chip, channel_of_chip>
        m_forwarding;  ///< channel that sends on what another one receives
};

}  // namespace sare::traffic
