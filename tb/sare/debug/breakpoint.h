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

/// A comparison of figures: "router[12].stalls.credit > 100 and latency.mean >= 40".
class figure_condition {
  public:
    /// Parses a condition. Throws config::error of one line.
    figure_condition(const std::string& text, const running_figures& known);
    void count(running_figures& all, cycle_t now) const;  ///< begins to count its figures
    bool holds(running_figures& all, cycle_t now) const;

  private:
    struct comparison {
        running_figures::reference what;
        std::string sign;
        double number;
    };
    std::vector<std::vector<comparison>> m_any;  ///< holds if all comparisons of one of these lists do
};

/// A place or event at which a run stops: "router 12", "packet 4711", "node 3 consume", "node 3 inject",
/// "deadlock", "when EXPR".
class breakpoint {
  public:
    /// Parses a breakpoint. Throws config::error of one line. `figures`: null unless "when" is allowed.
    breakpoint(const std::string& text, const network_view& net, running_figures& figures);

    const std::string& text() const { return m_text; }
    /// Call before the run: begins to count its figures. What is so already stops no run before it has ceased
    /// to be so.
    void arm(const network_view& net, running_figures& figures, cycle_t now);
    /// Returns why the run stops here, before cycle `now`; "" if it does not.
    std::string why(const network_view& net, const live_log& log, running_figures& figures, cycle_t now);
    bool looks_at_deadlock() const { return m_is == kind::deadlock; }
    static constexpr cycle_t between_looks = 16;  ///< cycles from one look for deadlock to the next

  private:
    enum class kind { router, packet, node_consumes, node_injects, deadlock, when };
    bool is_hit(const live_log::event& e) const;
    std::string state(const network_view& net, running_figures& figures, cycle_t now) const;

    std::string m_text;
    kind m_is = kind::deadlock;
    std::uint64_t m_number = 0;
    std::vector<figure_condition> m_condition;  ///< one element if `when`
    std::string m_was;                          ///< state() when it was last asked
};

/// Splits a text at blanks.
std::vector<std::string> split_words(const std::string& text);
/// Returns a whole number; throws config::error of one line that names `what` for another text.
std::uint64_t whole_number_of(const std::string& text, const std::string& what);

}  // namespace sare::cli
