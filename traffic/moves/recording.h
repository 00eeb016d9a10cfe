// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sare::traffic {

class chip_links;

/// A place: column x and row y, from 0, in the grid of a chip, and the number of the chip, from 0.
struct grid_position {
    std::uint32_t x = 0, y = 0, chip = 0;  ///< column, row and number of the chip
};

/// One act of a processor, as it was recorded. The run makes it `after` cycles after the begin of the kernel
/// or the end of the last timed barrier, but not before barriers and waits in between have ended. Cycles of a
/// recording count from the begin of its first kernel.
struct move {
    enum class kind : std::uint8_t {
        begin,      ///< begin of a kernel (a program of the processor); the first one begins in cycle
                    ///< `recorded`
        read,       ///< read of `bytes` bytes from place `to`
        write,      ///< write of `bytes` bytes to place `to`
        multicast,  ///< write of `bytes` bytes to all places of the rectangle from `to` to `end`, whose x and
                    ///< y are not smaller
        forward,    ///< write of `bytes` bytes to place `to` of another chip, over the links of `way`
        signal,     ///< write that adds 1 to the semaphore of place `to`
        barrier,    ///< wait until the acts that `reads`, `writes` and `departures` select are over
        await_signals  ///< wait until `count` signals have come to the processor's place since the start of
                       ///< the run
    };
    static constexpr std::uint32_t signal_bytes = 32;  ///< largest number of bytes of a write that adds 1 to
                                                       ///< the semaphore of its target

    /// Kind of the act.
    kind what = kind::begin;
    std::uint8_t plane = 0;    ///< index, in recording_grid::planes, of the plane that the act uses
    bool acknowledged = true;  ///< writes of all kinds: true if the target sends an acknowledgement
    /// @name Barrier: ends of acts of the same processor for which it waits
    bool reads = false;       ///< true: until the data of all reads have come
    bool writes = false;      ///< true: until the acknowledgements of all writes have come
    bool departures = false;  ///< true: until all writes have left the node
    bool timed = false;  ///< true: the cycle of the barrier's end was recorded; `after` of later moves counts
                         ///< from this end
    /// @}
    grid_position to, end;  ///< `to`: place of the target; multicast: first and last place of the rectangle
    /// Forward: places where the data enter and leave each link between chips, two a link.
    std::vector<grid_position> way;
    std::uint32_t bytes = 0;  ///< read, write, multicast, forward: bytes of data
    std::uint32_t count = 0;  ///< await_signals: number of signals
    std::uint64_t after = 0;  ///< cycles after the begin of the kernel or the end of the last timed barrier
    std::uint64_t recorded = 0;  ///< begin, timed barrier: cycle of the begin, or of the barrier's end
};

/// A processor of the recording, and its acts.
struct processor {
    grid_position at;  ///< place of the processor in the grid
    std::string name;  ///< name of the processor, such as BRISC; a place may have several
    /// Its acts in their order.
    std::vector<move> moves;
    /// Cycle of the last act in the recording; if that is a timed barrier, cycle of its start.
    std::uint64_t last = 0;
};

/// A recording of one-sided transfers: the acts of each processor of one or several chips, and their times on
/// silicon.
struct recording {
    std::vector<processor> processors;  ///< all processors, of all chips
    /// Warnings on parts of the trace that were left out, one for each kind of part.
    std::vector<std::string> warnings;
};

/// The grid and the planes that a recording must fit.
struct recording_grid {
    /// Places in x and in y.
    std::uint32_t width = 0, height = 0;
    std::vector<std::string> planes;  ///< names of the planes in the recording, by index
    /// Links between chips; null: the recording is of one chip.
    const chip_links* links = nullptr;
};

/// Reads a JSON trace of the NoCs of one or several Tenstorrent Wormhole chips (docs/moves.md), plain or
/// compressed. Throws config::error: at the place of an error, such as a place that is not in `grid`; at
/// `named_at` if the file cannot be read.
recording read_wormhole(const std::string& path, const recording_grid& grid,
                        const config::location& named_at);

}  // namespace sare::traffic
