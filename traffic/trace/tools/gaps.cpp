// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/tools/gaps.h"

namespace sare::traffic {

trace_gaps gaps_of_trace(trace_reader& reader, double flops_per_second, const trace_progress& progress) {
    struct state {
        double since = 0;  ///< seconds since the last message
        bool sent = false;
    };
    trace_gaps all;
    std::vector<state> tasks(reader.tasks());
    std::uint64_t events = 0;
    std::uint32_t task = 0;
    for (event e; reader.next_any(task, e);) {
        if (++events % 1'000'000 == 0 && progress) progress(events);
        state& s = tasks[task];
        if (e.what == op::send || e.what == op::isend || e.what == op::sendrecv || e.what == op::put) {
            if (s.sent && s.since > 0)
                all.seconds.push_back(s.since);
            else if (s.sent)
                ++all.none;
            s = {0, true};
        }
        s.since += e.seconds + e.flops / flops_per_second;
    }
    return all;
}

}  // namespace sare::traffic
