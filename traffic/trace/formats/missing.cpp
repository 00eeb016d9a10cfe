// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/reader.h"

/// The names of formats in a program without the part `formats`, to be known all the same.
namespace sare::traffic {
namespace {

const bool known = [] {
    for (const char* name : {"chakra", "clog2", "dimemas", "dumpi", "fsin", "goal", "goal_binary", "htsim",
                             "netrace", "otf2", "paraver"})
        trace_registry::instance().add_missing(name, "Not in this program (SARE_PARTS).", "formats");
    return true;
}();

}  // namespace
}  // namespace sare::traffic
