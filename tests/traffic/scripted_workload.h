// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/support/in_child.h"
#include "tests/tlm/topology/topology_support.h"
#include "tests/traffic/scripted.h"
#include "tlm/network/simulation.h"

#include <functional>

/// Programs written down, on whole networks: a workload 'scripted' that runs what `script` makes. One file of
/// a test includes it.
namespace sare::test {

using script_maker = std::function<std::unique_ptr<testing_support::scripted>()>;
inline script_maker& script() {
    static script_maker maker;
    return maker;
}

namespace {

struct script_parameters : traffic::executor_parameters {};
const config::registration<workload, const workload_context&> scripted_registered{
    "scripted", "A program of a test.",
    config::schema<script_parameters>().include(traffic::executor_fields()),
    [](const script_parameters& p, const config::value& section, const workload_context&) -> workload* {
        return new traffic::executor(script()(), p, section.where());
    }};

}  // namespace

/// Runs an experiment in a process of its own; the answer is what `read` makes of its result, or "error:" and
/// how it ended.
inline std::string answer_of(const config::value& all,
                             const std::function<std::string(const run_result&)>& read) {
    return in_child([&] {
        const experiment e = experiment::read(all, ".");
        const run_result r = simulation(e).run(e);
        if (r.status != run_status::completed) return "error: " + r.reason;
        return read(r);
    });
}

}  // namespace sare::test
