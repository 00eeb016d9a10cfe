// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare::capture {

/// True if MPICH's messages inside its collectives are recorded: the linker has wrapped its own functions for
/// them (`scripts/trace-mpi --link`), and SARE_TRACE_INSIDE is set.
#ifdef SARE_INSIDE
bool shows_inside();

/// A blocking collective, as long as it lasts.
class inside_collective {
  public:
    inside_collective();
    ~inside_collective();
    inside_collective(const inside_collective&) = delete;
    inside_collective& operator=(const inside_collective&) = delete;
};
#else
inline bool shows_inside() {
    return false;
}
struct inside_collective {};
#endif

}  // namespace sare::capture
