// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

struct experiment;
struct failure_schedule;
class topology;
class workload;

/// Throws config::error where each of several processes would have to know what only others know.
void check_processes(const experiment& e, const topology& map, const workload& traffic,
                     const failure_schedule& failures);

}  // namespace sare
