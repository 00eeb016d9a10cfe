// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <systemc>

/// What is wrong in a program of one's own is a SystemC report, one line with an id by which its actions can
/// be set. docs/systemc.md has them all.
namespace sare::report_id {

inline constexpr const char* config = "/sare/config";  ///< a parameter of the network or its traffic
inline constexpr const char* elaboration = "/sare/elaboration";  ///< what is bound, and where it leads
inline constexpr const char* protocol = "/sare/protocol";        ///< a call that a protocol does not allow
inline constexpr const char* engine = "/sare/engine";            ///< a cycle failed; time that cannot be
inline constexpr const char* period = "/sare/period";            ///< of a clock: no time at all
inline constexpr const char* flit_bytes = "/sare/flit_bytes";    ///< NICs disagree
inline constexpr const char* reset = "/sare/reset";              ///< of what cannot be reset
inline constexpr const char* crossing = "/sare/crossing";        ///< from network to network
inline constexpr const char* power = "/sare/power";              ///< of a link that cannot sleep
inline constexpr const char* send = "/sare/send";                ///< a message that cannot be
inline constexpr const char* traffic = "/sare/traffic";          ///< set twice, or too late
inline constexpr const char* finished = "/sare/finished";        ///< a message after the end
inline constexpr const char* checkpoint = "/sare/checkpoint";    ///< cannot be written, or does not fit
inline constexpr const char* memory = "/sare/memory";            ///< ranges, maps and bridges
inline constexpr const char* burst = "/sare/burst";              ///< that AXI4 does not allow: a warning
inline constexpr const char* killed = "/sare/killed";            ///< a process, within its access

}  // namespace sare::report_id

namespace sare {

inline void report_error(const char* id, const std::string& line) {
    SC_REPORT_ERROR(id, line.c_str());
}

/// What `f` gives. A config::error that it throws is a report in a program of one's own, which has no
/// file and line to add to it. Should reports not throw, it is thrown on.
template <class F>
auto with_config_reports(F f) {
    try {
        return f();
    } catch (const config::error& problem) {
        report_error(report_id::config, problem.what());
        throw;
    }
}

/// The same of a module, whose name the report begins with.
template <class F>
auto with_config_reports(const std::string& module, F f) {
    try {
        return f();
    } catch (const config::error& problem) {
        std::string text = problem.what();
        const std::string nowhere = config::location().text() + ": ";
        if (text.compare(0, nowhere.size(), nowhere) == 0) text.erase(0, nowhere.size());
        report_error(report_id::config, module + ": " + text);
        throw;
    }
}

/// The way back, for those who have a file: such a report is thrown as the config::error that it was.
template <class F>
auto with_config_errors(F f) {
    try {
        return f();
    } catch (const sc_core::sc_report& r) {
        if (std::string(r.get_msg_type()) != report_id::config) throw;
        throw config::error(r.get_msg());
    }
}

}  // namespace sare
