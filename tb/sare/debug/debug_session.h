// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/debug/breakpoint.h"
#include "tb/sare/debug/state_json.h"
#include "tlm/network/results/running_figures.h"
#include "tlm/network/run_control.h"
#include "tlm/network/simulation.h"

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sare::cli {

/// A run that pauses where its user says, and answers questions about the network while it pauses. It needs
/// no terminal: requests and answers are objects.
class debug_session {
  public:
    /// Returns the next request, and gets the answer to the one before (null before the first).
    using dialogue = std::function<state_json(const state_json& answer)>;

    /// `stop`: becomes non-zero when a run that goes on shall pause; set to 0 when it goes on.
    debug_session(const experiment& e, simulation& network, volatile std::sig_atomic_t& stop, dialogue talk);
    /// Runs the experiment as `sare run` does, from one request to the next, and then answers for ever: the
    /// dialogue ends the process. Throws what simulation::run() does.
    void run();

    /// Requests: {"do": "run", "until": CYCLE, "breaks": ["router 12", ...]}, or "show", "check" (of a
    /// breakpoint), "figure", "save", "names", "frame" and "map" (for a page), with the words behind the
    /// command as "args". An answer with the key "error" is a refusal.
    state_json answer(const state_json& request);

  private:
    cycle_t pause(cycle_t now, const state_function& state);
    void begin_run(const state_json& request);
    bool has_come() const { return m_now >= m_target || m_over; }
    cycle_t next_pause();
    std::string why_stop();
    void look_at_pins();
    state_json stopped(const std::string& why);
    state_json show(const std::vector<std::string>& words);
    state_json frame(const state_json& request);
    state_json save(const std::string& to);
    state_json names(const std::string& kind);
    running_figures& figures();

    const experiment& m_experiment;
    simulation& m_network;
    volatile std::sig_atomic_t& m_stop;
    dialogue m_talk;
    std::optional<live_log> m_log;
    std::optional<running_figures> m_figures;
    std::optional<cycle_requests> m_requests;
    std::vector<breakpoint> m_breaks;
    std::vector<std::uint32_t> m_foreign;     ///< routers that are not the model's
    const state_function* m_state = nullptr;  ///< state of the paused run; null: the run is over
    state_json m_answer, m_warnings = state_json::array();
    cycle_t m_now = 0, m_target = 0;
    bool m_runs = false;
    std::optional<std::string> m_over;  ///< how the run ended, when it has
};

}  // namespace sare::cli
