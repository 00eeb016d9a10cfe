// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

/// A recording of one-sided transfers between the places of a grid: what each processor of a chip does, and
/// when it did so on silicon. Cycles count from the begin of the recording's first kernel.
namespace sare::traffic {

struct grid_position {
    std::uint32_t x = 0, y = 0;
    bool operator==(const grid_position& o) const { return x == o.x && y == o.y; }
};

/// One act of a processor: `after` cycles after the kernel's begin or the end of its last barrier, but not
/// before its waits in between have ended.
struct move {
    enum class kind : std::uint8_t {
        begin,      ///< begin of a kernel; the processor's first one is in cycle `recorded`
        read,       ///< read of `bytes` from `to`
        write,      ///< write of `bytes` to `to`
        multicast,  ///< write of `bytes` to all places from `to` to `end`, which is not nearer to 0 in x or y
        signal,     ///< raise of a semaphore at `to`
        barrier,    ///< wait for what `reads`, `writes` and `departures` name
        await_signals  ///< wait until `count` signals have come to its place since the start
    };
    static constexpr std::uint32_t signal_bytes = 32;  ///< most bytes of a write that may raise a semaphore

    kind what = kind::begin;
    std::uint8_t plane = 0;    ///< index of the plane that it uses
    bool acknowledged = true;  ///< true: the target of the write answers
    /// @name The things of its own processor that a barrier waits for
    /// @{
    bool reads = false;       ///< data of reads
    bool writes = false;      ///< acknowledgements of writes
    bool departures = false;  ///< writes to have left their source
    bool timed = false;       ///< true: its end was recorded; moves after it are timed from it
    /// @}
    grid_position to, end;       ///< place of the target; multicast: last place
    std::uint32_t bytes = 0;     ///< bytes of a read or write
    std::uint32_t count = 0;     ///< number of signals to wait for
    std::uint64_t after = 0;     ///< cycles after the begin of the kernel, or the end of the last barrier
    std::uint64_t recorded = 0;  ///< cycle of a begin, or of a timed barrier's end
};

struct processor {
    grid_position at;  ///< place
    std::string name;  ///< name such as BRISC
    std::vector<move> moves;
};

struct recording {
    std::vector<processor> processors;
    std::vector<std::string> warnings;  ///< warnings of parts of the trace that were left out, each once
};

/// The grid of the recording, against which the reader checks places.
struct recording_grid {
    std::uint32_t width = 0, height = 0;
    std::vector<std::string> planes;  ///< names of planes in the recording
};

/// Reads a JSON trace of a Tenstorrent Wormhole chip (docs/moves.md), plain or compressed, into memory.
/// Throws config::error with the place of the error, or with `named_at` for a file that cannot be read.
recording read_wormhole(const std::string& path, const recording_grid& grid,
                        const config::location& named_at);

}  // namespace sare::traffic
