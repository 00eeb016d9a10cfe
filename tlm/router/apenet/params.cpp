// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/apenet/params.h"

namespace sare {

config::schema<apenet_params> apenet_params::fields() {
    using P = apenet_params;
    config::schema<P> s;
    s.number("vcs", &P::vcs, 1, 16, "VCs", "Virtual channels of a port, each with an input FIFO.")
        .number("depth", &P::depth, 1, 16384, "words", "Input FIFO of a VC.")
        .number("output_depth", &P::output_depth, 1, 4096, "words",
                "Output FIFO of a port, which all its VCs share.")
        .number("delay", &P::delay, 0, 255, "cycles",
                "From the end of a link into the input FIFO, where a header asks for its way.")
        .number("frame", &P::frame, 0, 255, "words",
                "Sent before each packet on a link between routers: magic and start.")
        .number("sync", &P::sync, 0, 4096, "cycles",
                "Synchronisation at each end of a link between routers, of words and of credits, beside "
                "link_latency, which is the flight.")
        .number("credit_interval", &P::credit_interval, 1, 4096, "cycles",
                "A router tells credits when some are new, and at most every so many cycles.")
        .choice("switching", &P::switching,
                {{"cut_through", apenet_switching::cut_through},
                 {"store_and_forward", apenet_switching::store_and_forward},
                 {"wormhole", apenet_switching::wormhole}},
                "A packet moves on if the next FIFO has room for all of it; and all of it is here; or word "
                "by word.")
        .choice("service", &P::service,
                {{"arrival", apenet_service::arrival},
                 {"round_robin", apenet_service::round_robin},
                 {"random", apenet_service::random},
                 {"age", apenet_service::age}},
                "Which packet an output port serves next: whose header came first; in turn; at random; the "
                "oldest.");
    return s;
}

bool operator==(const apenet_params& a, const apenet_params& b) {
    return config::same_parameters(a, b);
}

}  // namespace sare
