// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// One-sided transfers between the places of a grid, as a chip's processors start them: what each processor
/// does, and when it did so on silicon. Cycles are those of the recording, from its first kernel's begin.
namespace sare::traffic {

struct grid_position {
    std::uint32_t x = 0, y = 0;
    bool operator==(const grid_position& o) const { return x == o.x && y == o.y; }
};

/// What a processor does. It does so `after` cycles after the kernel's begin or the end of its last barrier,
/// but not before what it has waited for in between is there.
struct move {
    enum class kind : std::uint8_t {
        begin,      ///< of a kernel: at cycle `recorded`, if it is the processor's first; else as all others
        read,       ///< `bytes` from `to`
        write,      ///< `bytes` to `to`
        multicast,  ///< `bytes` to all places from `to` to `end`, which is not nearer to 0 in x or y
        signal,     ///< raises a semaphore at `to`
        barrier,    ///< waits for what `reads`, `writes` and `departures` name
        await_signals  ///< until `count` signals have come to its place since the start
    };
    static constexpr std::uint32_t signal_bytes = 32;  ///< so short a write may be what a semaphore waits for

    kind what = kind::begin;
    std::uint8_t plane = 0;
    bool acknowledged = true;  ///< writes: the target answers
    /// @name What a barrier waits for, of its processor
    /// @{
    bool reads = false;       ///< data of reads
    bool writes = false;      ///< acknowledgements of writes
    bool departures = false;  ///< writes to have left their source
    bool timed = false;       ///< its end was recorded; what follows is timed from it
    /// @}
    grid_position to, end;
    std::uint32_t bytes = 0;
    std::uint32_t count = 0;
    std::uint64_t after = 0;
    std::uint64_t recorded = 0;  ///< begin: its cycle; a timed barrier: that of its end
};

struct processor {
    grid_position at;
    std::string name;  ///< such as BRISC
    std::vector<move> moves;
};

struct recording {
    std::vector<processor> processors;
    std::vector<std::string> warnings;  ///< what was left out, each said once
};

/// The grid that it is about, as the reader checks places against it.
struct recording_grid {
    std::uint32_t width = 0, height = 0;
    std::vector<std::string> planes;  ///< their names in the recording
};

/// Reads a JSON trace of a Tenstorrent Wormhole chip (spec: docs/moves.md), plain or compressed, as a whole.
/// Throws config::error with the place of what is wrong; `named_at` for a file that cannot be read.
recording read_wormhole(const std::string& path, const recording_grid& grid,
                        const config::location& named_at);

}  // namespace sare::traffic
