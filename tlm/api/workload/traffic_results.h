// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/config/value.h"

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace sare {

struct observation;

/// Files to write piece by piece: pairs of a file name and a function that writes one piece to a stream.
/// Pieces with the same name are one file, in the order of the list.
using result_streams = std::vector<std::pair<std::string, function<void(std::ostream&)>>>;

/// Results of a workload's own, beside those that the network has of any workload.
class traffic_results {
  public:
    /// Results of the workload's own, such as the cycles of each burst: a tree that summary.json has as
    /// "workload".
    virtual config::value results() const { return config::value::map({}); }
    /// Result tables of the workload's own: pairs of a file name, such as tasks.csv, and CSV text.
    virtual std::vector<std::pair<std::string, std::string>> tables() const { return {}; }
    /// Result files of the workload's own that are too large to be held in memory as text.
    virtual result_streams files() const { return {}; }
    /// Asks for records of what the workload's tasks do; called before start(). Returns false, the default,
    /// if the workload has no tasks to record.
    virtual bool observe(const observation& how) {
        (void)how;
        return false;
    }
    /// Results that depend on the machine and differ from run to run, such as the time spent waiting for
    /// another program; null: none.
    virtual config::value host_results() const { return {}; }
    /// Error outside of the network that makes the run a failed one, such as the failure of a program that
    /// the workload has started. A sentence; "" if there was none; asked for at the end of a run.
    virtual std::string failure() const { return ""; }

  protected:
    ~traffic_results() = default;
};

}  // namespace sare
