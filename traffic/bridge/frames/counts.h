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

/// Counts of frames: in all, by pair of nodes, in the region of interest, and over time; and a hash of all
/// frames, by which two runs can be compared.
class frame_counts {
  public:
    /// `period`: picoseconds of a cycle of the network.
    explicit frame_counts(picoseconds period);
    ~frame_counts();

    /// Counts a frame that has left its computer, at f.time from f.source.
    void sent(const frame& f);
    /// Counts a copy of a frame that reaches f.node at f.time; a frame to several computers has a copy for
    /// each. `sent`: time at which the frame left its computer; `right`: time at which the copy would arrive
    /// without false delay (slices::due()). Times are in picoseconds.
    void arrived(const frame& f, picoseconds sent, picoseconds right);
    /// Counts a frame, or a copy of one, that no computer gets, for the reason `cause`, a word for results.
    void dropped(const std::string& cause);
    /// Counts a copy that was lost in the network on its way between two nodes.
    void lost(std::uint32_t source, std::uint32_t destination);
    /// Begins the region of interest at the time `at`; only the first call counts.
    void region_begins(picoseconds at);
    /// Ends the region of interest at the time `at`, if it has begun; only the last call counts.
    void region_ends(picoseconds at);

    /// Returns all counts as a map, for the results of the run.
    config::value results() const;
    std::string pairs_csv() const;     ///< table (CSV) of frames by pair of nodes
    std::string timeline_csv() const;  ///< table (CSV) of frames and bytes sent over time
    std::string figures() const;       ///< counts so far as JSON, for a peer that asks
    /// Returns the number of frames counted by sent().
    std::uint64_t frames_sent() const { return m_all.sent; }

  private:
    /// Counts of frames over all nodes, and of the bytes of these frames.
    struct sums {
        std::uint64_t sent = 0, bytes_sent = 0, arrived = 0, bytes_arrived = 0, retransmissions = 0;
        __extension__ typedef unsigned __int128 wide;
        wide latency = 0;  ///< sum of the latencies, in picoseconds, of copies that have arrived
    };
    /// Counts of one pair of nodes.
    struct pair_counts {
        std::uint64_t frames = 0, bytes = 0, lost = 0;
        double latency = 0;  ///< sum of the latencies in picoseconds
        picoseconds min = ~picoseconds{0}, max = 0;
    };
    struct bin {
        std::uint64_t frames = 0, bytes = 0;
    };
    static constexpr std::size_t most_bins = 1000;  ///< largest number of intervals of a node's timeline

    void note_time(const frame& f);
    void hash(char what, const frame& f);
    std::string hash_text() const;

    struct digest;
    picoseconds m_period;
    sums m_all;
    std::map<std::pair<std::uint32_t, std::uint32_t>, pair_counts> m_pairs;
    std::map<std::string, std::uint64_t> m_drops;  ///< number of dropped frames and copies, by cause
    std::uint64_t m_lost = 0, m_late = 0;  ///< number of copies lost in the network; number of copies with a
                                           ///< false delay
    __extension__ typedef unsigned __int128 wide;
    wide m_false_sum = 0;         ///< sum of all false delays, in picoseconds
    picoseconds m_false_max = 0;  ///< largest false delay, in picoseconds
    latency_histogram m_latency;  ///< latencies of copies that have arrived, in cycles of the network
    /// Frames and bytes sent in each interval of m_bin_width, by node.
    std::map<std::uint32_t, std::vector<bin>> m_timeline;
    picoseconds m_bin_width;  ///< picoseconds of an interval; doubles when most_bins are full
    std::optional<std::pair<picoseconds, sums>> m_region_begin, m_region_end;
    tcp_watch m_tcp;
    std::unique_ptr<digest> m_digest;
};

}  // namespace sare::traffic
