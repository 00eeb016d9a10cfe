// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>
#include <systemc>

/// Ids of SystemC reports. An error in a program that uses the library is a report, one line, with an id by
/// which SystemC's actions can be set. docs/systemc.md lists them all.
namespace sare::report_id {

inline constexpr const char* config = "/sare/config";  ///< wrong parameter of the network or its traffic
/// Socket not bound or bound wrongly, or no topology.
inline constexpr const char* elaboration = "/sare/elaboration";
/// Flit, credit, AXI or CHI message, or TLM phase that breaks the protocol of its interface; or blocks bound
/// without a sare::link between them. Some reports of this id are warnings.
inline constexpr const char* protocol = "/sare/protocol";
/// Exception, other than a report, that was thrown in a cycle; or a cycle given to run_until() that is beyond
/// the end of SystemC's time.
inline constexpr const char* engine = "/sare/engine";
/// Clock period that is zero, or below two steps of SystemC's time resolution where blocks work in the middle
/// of a cycle.
inline constexpr const char* period = "/sare/period";
inline constexpr const char* flit_bytes = "/sare/flit_bytes";  ///< NICs with unequal bytes in a flit
/// Call of reset() for a block of another network, or for one that cannot be reset. This is so before
/// elaboration ends, and with foreign blocks, failing links, bit errors, a node that refuses flits, or
/// routers that know no such reset.
inline constexpr const char* reset = "/sare/reset";
/// Gateway or crossing that does not fit its networks. Or, during the run: a message through a gateway to a
/// node that does not exist, or a message with a gateway's node as its source.
inline constexpr const char* crossing = "/sare/crossing";
inline constexpr const char* power = "/sare/power";  ///< order to a link that cannot sleep or does not exist
inline constexpr const char* send = "/sare/send";    ///< message with a wrong node, class, length or tag
inline constexpr const char* traffic = "/sare/traffic";  ///< traffic set twice, too large or too late
/// Message, reset or link order after the end of the run.
inline constexpr const char* finished = "/sare/finished";
inline constexpr const char* checkpoint = "/sare/checkpoint";  ///< state not writable, or not fitting
/// Memory map or bridge that does not fit, or an access or number that it cannot take.
inline constexpr const char* memory = "/sare/memory";
inline constexpr const char* burst = "/sare/burst";    ///< burst that AXI4 does not allow: a warning
inline constexpr const char* killed = "/sare/killed";  ///< process killed within an access: a warning

}  // namespace sare::report_id

namespace sare {

/// Makes a SystemC error report with the id `id` and the text `line`. It throws by default; it returns if the
/// actions that are set for the id do not throw.
inline void report_error(const char* id, const std::string& line) {
    SC_REPORT_ERROR(id, line.c_str());
}

/// Returns f(). If `f` throws config::error, makes a report "/sare/config" with its text; if reports do not
/// throw, throws the config::error again.
template <class F>
auto with_config_reports(F f) {
    try {
        return f();
    } catch (const config::error& problem) {
        report_error(report_id::config, problem.what());
        throw;
    }
}

/// Returns f(), with errors as of with_config_reports(f); but the report begins with the name `module`, in
/// the place of an unknown file and line.
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

/// Returns f(). If `f` throws a report "/sare/config", throws config::error with its text instead, for
/// callers that know file and line; other reports are thrown on.
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
