// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

struct experiment;
struct failure_schedule;
class topology;
class workload;

/// Throws config::error if a process would have to know what only another one knows.
void check_processes(const experiment& e, const topology& map, const workload& traffic,
                     const failure_schedule& failures);

}  // namespace sare
