// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/inside/live/live_log.h"
#include "tlm/network/results/running_figures.h"

#include <string>
#include <vector>

namespace sare {
class network_view;
}

namespace sare::cli {

/// A condition on figures of a run: comparisons joined by `and` and `or`, of which `and` binds closer:
/// "router[12].stalls.credit > 100 and latency.mean >= 40".
class figure_condition {
  public:
    /// Parses a condition on figures that `known` has. Throws config::error, of one line, for malformed text
    /// or an unknown figure.
    figure_condition(const std::string& text, const running_figures& known);
    void count(running_figures& all, cycle_t now) const;  ///< begins to count its figures from cycle `now` on
    /// Returns true if the condition holds before cycle `now`.
    bool holds(running_figures& all, cycle_t now) const;

  private:
    /// A comparison of a figure with a number; `sign`: < <= > >= = == or !=.
    struct comparison {
        running_figures::reference what;
        std::string sign;
        double number;
    };
    /// The condition holds if all comparisons of any of these lists hold.
    std::vector<std::vector<comparison>> m_any;
};

/// A place or event at which a run stops: "router 12", "packet 4711", "node 3 consume", "node 3 inject",
/// "deadlock", "when EXPR".
class breakpoint {
  public:
    /// Parses a breakpoint in the network `net`. `figures`: figures that "when" may name. Throws
    /// config::error, of one line, for malformed text and for an unknown router, node or figure.
    breakpoint(const std::string& text, const network_view& net, running_figures& figures);

    const std::string& text() const { return m_text; }  ///< the text that was parsed
    /// Begins to count its figures; call before the run goes on from cycle `now`. A condition or deadlock
    /// that is there already stops the run only after it has gone and come again.
    void arm(const network_view& net, running_figures& figures, cycle_t now);
    /// Returns the reason, as a line, why the run stops before cycle `now`; "" if it does not stop. Call once
    /// after each cycle with events. `log`: events since the last call.
    std::string why(const network_view& net, const live_log& log, running_figures& figures, cycle_t now);
    /// Returns true if it is "deadlock", for which why() only looks in cycles divisible by between_looks.
    bool looks_at_deadlock() const { return m_is == kind::deadlock; }
    static constexpr cycle_t between_looks = 16;  ///< number of cycles from one look for deadlock to the next

  private:
    enum class kind { router, packet, node_consumes, node_injects, deadlock, when };
    bool is_hit(const live_log::event& e) const;
    std::string state(const network_view& net, running_figures& figures, cycle_t now) const;

    std::string m_text;
    kind m_is = kind::deadlock;
    std::uint64_t m_number = 0;                 ///< number of the router, packet or node
    std::vector<figure_condition> m_condition;  ///< the condition of "when"; else empty
    std::string m_was;                          ///< result of state() at the last call of arm() or why()
};

/// Returns the words of a text, which are separated by white space.
std::vector<std::string> split_words(const std::string& text);
/// Returns the whole number that `text` is. Throws config::error, of one line that calls it a `what`
/// ("cycle"), for any other text.
std::uint64_t whole_number_of(const std::string& text, const std::string& what);

}  // namespace sare::cli
