// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare::capture {

/// Returns true if the messages that MPICH sends inside its blocking collectives are recorded: the program
/// was linked with MPICH's internal functions wrapped (`scripts/trace-mpi --link`), and the environment has
/// SARE_TRACE_INSIDE.
#ifdef SARE_INSIDE
bool shows_inside();

/// An object exists as long as the calling thread is inside a blocking collective; messages that MPICH sends
/// meanwhile are recorded.
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
