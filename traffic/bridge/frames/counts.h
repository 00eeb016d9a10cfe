// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "tlm/stats/latency.h"
#include "traffic/bridge/frames/frame.h"
#include "traffic/bridge/frames/tcp_watch.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace sare::traffic {

/// Counts of frames: in all, by pair of nodes, in the region of interest, and along time; and a hash of all
/// frames, by which two runs can be compared.
class frame_counts {
  public:
    /// `period`: picoseconds of a cycle.
    explicit frame_counts(picoseconds period);
    ~frame_counts();

    /// Counts a frame that has left its computer.
    void sent(const frame& f);
    /// Counts a copy of a frame (one for each computer that it goes to) that reaches f.node at f.time.
    /// `sent`: time at which it left its computer; `right`: time at which it would arrive without false delay
    /// (see slices::due()).
    void arrived(const frame& f, picoseconds sent, picoseconds right);
    /// Counts a frame, or a copy of one, that goes nowhere, by `cause`.
    void dropped(const std::string& cause);
    /// Counts a copy that was lost in the network, between two nodes.
    void lost(std::uint32_t source, std::uint32_t destination);
    /// Begins the region of interest at the time `at`; later calls do nothing.
    void region_begins(picoseconds at);
    /// Ends the region of interest, if it has begun; the last call counts.
    void region_ends(picoseconds at);

    /// Returns the counts by name, for bridge::results().
    config::value results() const;
    std::string pairs_csv() const;     ///< CSV of frames by pair of nodes
    std::string timeline_csv() const;  ///< CSV of frames and bytes sent along time
    std::string figures() const;       ///< JSON of the counts, for a peer that asks
    std::uint64_t frames_sent() const { return m_all.sent; }

  private:
    struct sums {
        std::uint64_t sent = 0, bytes_sent = 0, arrived = 0, bytes_arrived = 0, retransmissions = 0;
        __extension__ typedef unsigned __int128 wide;
        wide latency = 0;  ///< picoseconds, over copies that have arrived
    };
    struct pair_counts {
        std::uint64_t frames = 0, bytes = 0, lost = 0;
        double latency = 0;  ///< picoseconds
        picoseconds min = ~picoseconds{0}, max = 0;
    };
    struct bin {
        std::uint64_t frames = 0, bytes = 0;
    };
    static constexpr std::size_t most_bins = 1000;

    void note_time(const frame& f);
    void hash(char what, const frame& f);
    std::string hash_text() const;

    struct digest;
    picoseconds m_period;
    sums m_all;
    std::map<std::pair<std::uint32_t, std::uint32_t>, pair_counts> m_pairs;
    std::map<std::string, std::uint64_t> m_drops;
    std::uint64_t m_lost = 0, m_late = 0;  ///< number of frames lost in the network, and of those too late
    __extension__ typedef unsigned __int128 wide;
    wide m_false_sum = 0;
    picoseconds m_false_max = 0;
    latency_histogram m_latency;
    std::map<std::uint32_t, std::vector<bin>> m_timeline;  ///< bins of each node
    picoseconds m_bin_width;
    std::optional<std::pair<picoseconds, sums>> m_region_begin, m_region_end;
    tcp_watch m_tcp;
    std::unique_ptr<digest> m_digest;
};

}  // namespace sare::traffic
