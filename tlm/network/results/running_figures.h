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

/// Declared figures of a network that is running. All figures of one statistic, and all figures that every
/// run has, count from the first count() or value() of any of them.
class running_figures {
  public:
    /// A figure at a place: "router[12].stalls.credit", "link[3.+x].load", "latency.mean". A dot in a name
    /// may stand for "_".
    struct reference {
        scope of = scope::run;  ///< kind of the place; run: the whole network
        std::string name;       ///< name as declared
        /// Row of the place among the results of its scope in run_result; 0 for scope::run.
        std::size_t row = 0;
        std::string statistic;  ///< statistic that declares the figure; "": every run has the figure
    };

    /// All arguments must outlive this object.
    running_figures(const experiment& e, network_engine& engine, fabric& net, workload& traffic);
    ~running_figures();
    running_figures(const running_figures&) = delete;
    running_figures& operator=(const running_figures&) = delete;

    /// Returns the reference that `text` is. Throws config::error of one line for an unknown figure or place.
    reference find(const std::string& text) const;
    /// Begins to count for a figure, and all others of its statistic, before cycle `now` is run; does nothing
    /// if they are counted already.
    void count(const reference& what, cycle_t now);
    /// Returns the next cycle before which look() must be called; workload::never: none.
    cycle_t next_look() const;
    void look(cycle_t now);  ///< calls statistic::look() where that is due before cycle `now`
    /// Returns a figure over the cycles from the beginning of its counting to `now` - 1; NaN: not known. An
    /// uncounted figure is counted from now on.
    double value(const reference& what, cycle_t now);
    /// Returns the names that find() knows, each without its place: "router[].stalls_credit".
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
        m_windows;  ///< one window for each statistic asked for, and one for figures that every run has
};

}  // namespace sare
