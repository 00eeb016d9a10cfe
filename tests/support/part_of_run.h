// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/in_child.h"
#include "tlm/network/simulation.h"

#include <csignal>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

namespace sare::test {

inline bool is_checkpoint(const std::string& text) {
    return text.compare(0, 8, "SARECKPT") == 0;
}

/// Runs, in a process of its own, to the first checkpoint behind cycle `stop`, and gives that; or `results`
/// of the run, if there is none. `before`: "" or what it goes on from. `read`: makes the experiment there.
inline std::string part_of_run(const std::function<experiment()>& read, cycle_t stop,
                               const std::string& before,
                               const std::function<std::string(const run_result&)>& results) {
    return in_child([&] {
        static volatile std::sig_atomic_t stopped = 0;
        const experiment e = read();
        std::string kept;
        run_control control;
        control.stop = &stopped;
        control.checkpoints.cycles = stop;
        control.keep = [&](cycle_t cycle, const state_function& state) {
            if (cycle < stop || stopped != 0) return;
            std::ostringstream to;
            write_checkpoint(to, {"", "", cycle}, state);
            kept = to.str();
            stopped = 1;
        };
        std::istringstream from(before);
        std::unique_ptr<checkpoint> last;
        if (!before.empty()) control.resume = (last = std::make_unique<checkpoint>(from)).get();
        simulation its(e);  // what is written may look into it
        const run_result result = its.run(e, control);
        return kept.empty() ? results(result) : kept;
    });
}

}  // namespace sare::test
