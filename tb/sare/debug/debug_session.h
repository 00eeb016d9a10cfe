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

/// A run of an experiment that pauses where its user says, and answers questions about the network while it
/// pauses. Requests and answers are JSON objects. It runs in the process of the engine (engine_side).
class debug_session {
  public:
    /// Function that takes the answer to the last request (null before the first) and returns the next
    /// request.
    using dialogue = std::function<state_json(const state_json& answer)>;

    /// `stop`: flag that a signal sets when the run shall pause; this object sets it to 0 when the run goes
    /// on. All references must outlive the object.
    debug_session(const experiment& e, simulation& network, volatile std::sig_atomic_t& stop, dialogue talk);
    /// Runs the experiment as `sare run` does, from one request to the next, and then answers requests for
    /// ever: `talk` must end the process. Throws as simulation::run() does.
    void run();

    /// Returns the answer to a request: {"do": "run", "until": CYCLE, "breaks": ["router 12", ...]}, which
    /// only prepares to run, or another word for "do" with its words as "args". These are "show", "check" (of
    /// a breakpoint), "figure", "save", "names", and "frame" and "map" for a page. An answer with the key
    /// "error" is a refusal.
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
    std::optional<cycle_requests> m_requests;  ///< requests before the cycle run last; nothing: not noted
    std::vector<breakpoint> m_breaks;
    std::vector<std::uint32_t> m_foreign;  ///< numbers of the routers that are foreign blocks, such as RTL
    /// State of the paused run, for checkpoints; null: the run is over.
    const state_function* m_state = nullptr;
    state_json m_answer, m_warnings = state_json::array();
    /// Cycle before which the run stands; cycle before which it is to pause.
    cycle_t m_now = 0, m_target = 0;
    bool m_runs = false;                ///< true: the run is to go on
    std::string m_status;               ///< status of the run in summary.json, when it is over
    std::optional<std::string> m_over;  ///< sentence on how the run ended; nothing: it has not
};

}  // namespace sare::cli
