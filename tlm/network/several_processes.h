// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

struct experiment;
struct failure_schedule;
class topology;
class workload;

/// Throws config::error if the experiment cannot be run by several processes, since the workload, routing or
/// a hazard would need facts that only another process knows.
void check_processes(const experiment& e, const topology& map, const workload& traffic,
                     const failure_schedule& failures);

}  // namespace sare
