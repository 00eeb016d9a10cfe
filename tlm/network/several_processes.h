// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

struct experiment;
struct failure_schedule;
class topology;
class workload;

/// Throws config::error if several processes cannot run the experiment: `fidelity` is not flit, or the
/// workload, a loss of packets (by failures, bit errors or go-back-N) or a section needs facts that only
/// another process knows.
void check_processes(const experiment& e, const topology& map, const workload& traffic,
                     const failure_schedule& failures);

}  // namespace sare
