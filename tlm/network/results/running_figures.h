// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/experiment.h"
#include "tlm/stats/collector.h"
#include "tlm/stats/figure.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <memory>
#include <string>
#include <vector>

namespace sare {

class fabric;
class network_engine;

/// Declared figures of a network that is running, counted from the cycle in which each was first asked for.
class running_figures {
  public:
    /// A figure at a place: "router[12].stalls.credit", "link[3.+x].load", "latency.mean". A dot in a name
    /// may stand for "_".
    struct reference {
        scope of = scope::run;
        std::string name;       ///< name as declared
        std::size_t row = 0;    ///< row of the place in run_result
        std::string statistic;  ///< statistic that declares it; "": every run has it
    };

    /// All arguments must outlive this object.
    running_figures(const experiment& e, network_engine& engine, fabric& net, workload& traffic);
    ~running_figures();
    running_figures(const running_figures&) = delete;
    running_figures& operator=(const running_figures&) = delete;

    /// Reads a reference. Throws config::error of one line for an unknown figure or place.
    reference find(const std::string& text) const;
    /// Counts for a figure from cycle `now` on, unless it is counted already.
    void count(const reference& what, cycle_t now);
    /// Returns the next cycle before which look() must be called.
    cycle_t next_look() const;
    void look(cycle_t now);  ///< calls statistic::look() where that is due before cycle `now`
    /// Returns a figure, over the cycles from its count() to before `now`; NaN: not known.
    double value(const reference& what, cycle_t now);
    /// Names that find() knows, each without its place: "router[].stalls_credit".
    static std::vector<std::string> names();

  private:
    struct window;
    window& window_of(const std::string& statistic, cycle_t now);
    void read(window& w, cycle_t now) const;
    std::size_t row_of(scope of, const std::string& place, const std::string& text) const;

    const experiment& m_experiment;
    network_engine& m_engine;
    fabric& m_net;
    workload& m_traffic;
    std::vector<std::unique_ptr<window>>
        m_windows;  ///< one for each statistic, and one for the other figures
};

}  // namespace sare
