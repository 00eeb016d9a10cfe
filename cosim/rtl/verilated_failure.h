// SPDX-License-Identifier: Apache-2.0
// What Verilator's runtime calls when it prints, and when an assertion fails or the RTL gives up: for the one
// file of a library that includes it. Needs nothing of Sare.
#pragma once
#include "verilated.h"

#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace sare_verilated {

/// Returns the text of the first failure (assertion, $fatal, $stop or $finish) since the last take_failure():
/// file and line, message, instance and label; empty: there was none. Verilator calls one set of functions
/// for the whole library, so all instances share the text.
inline std::string& failure() {
    static std::string text;
    return text;
}

/// Returns the text of failure() and clears it; empty: there was no failure.
inline std::string take_failure() {
    std::string text;
    text.swap(failure());
    return text;
}

/// Returns the text of the last error message that the RTL has printed; empty: none. It is printed before
/// vl_stop() is called, which gets only file and line.
inline std::string& printed() {
    static std::string text;
    return text;
}

/// Returns whether prints and failures of the RTL are discarded, as during reset; may be assigned.
inline bool& muted() {
    static bool is = false;
    return is;
}

/// Sets failure(), unless it is set or muted(): to the text of printed() if that is about this file and line,
/// else to `what`, with `where`, the instance, behind it.
inline void fail(const char* file, int line, const char* where, const std::string& what) {
    const std::string path = file, place = ":" + std::to_string(line) + ": ";
    const std::string base = path.substr(path.rfind('/') + 1) + place;  // what is printed has no folders
    const bool told = printed().compare(0, base.size(), base) == 0;
    const std::string text = told ? printed().substr(base.size()) : what;
    if (failure().empty() && !muted())
        failure() = path + place + text + (where[0] == 0 ? "" : std::string(" in ") + where);
    printed().clear();
}

/// Prints a text of the RTL to stderr; all instances of the library together print at most 100 lines, and
/// then one note that the rest is left out. Prints nothing while muted(). Returns 0.
inline int show(const std::string& text) {
    constexpr std::size_t most = 100;
    static std::size_t lines = 0;
    if (lines >= most || muted()) return 0;
    std::size_t end = 0;
    while (end < text.size() && lines < most)
        if (text[end++] == '\n') ++lines;
    std::fwrite(text.data(), 1, end, stderr);
    if (lines == most) std::fputs("(the RTL has printed 100 lines; the rest is left out)\n", stderr);
    return 0;
}

}  // namespace sare_verilated

/// Replaces printf() for all prints of Verilator. A text with "%Error: " is stored in printed() without all
/// up to this mark, "TOP." and final line ends: of "[0] %Error: file.sv:12: Assertion failed in
/// TOP.top.instance.label: message" from "file.sv" on. Any other text goes to show(). Returns 0.
int sare_verilated_print(const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, again)), ' ');
    va_end(again);
    std::vsnprintf(&text[0], text.size() + 1, format, arguments);
    va_end(arguments);
    const std::string mark = "%Error: ";
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return sare_verilated::show(text);
    text.erase(0, at + mark.size());
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (const std::size_t top = text.find(" in TOP."); top != std::string::npos) text.erase(top + 4, 4);
    sare_verilated::printed() = text;
    return 0;
}

void vl_stop(const char* file, int line, const char* where) VL_MT_UNSAFE {
    sare_verilated::fail(file, line, where, "$stop");
}
/// Stores the failure by fail(), then throws std::runtime_error with the text of take_failure(). It must not
/// return: Verilator would evaluate logic that does not settle for ever.
void vl_fatal(const char* file, int line, const char* where, const char* text) VL_MT_UNSAFE {
    sare_verilated::muted() = false;
    sare_verilated::fail(file, line, where, text);
    throw std::runtime_error(sare_verilated::take_failure());
}
void vl_finish(const char* file, int line, const char* where) VL_MT_UNSAFE {
    sare_verilated::fail(file, line, where, "$finish");
}
double sc_time_stamp() {
    return 0;
}
