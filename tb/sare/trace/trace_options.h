// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/commands.h"
#include "traffic/trace/reader.h"

#include <string>
#include <vector>

/// Common parts of the commands `sare trace ...`.
namespace sare::cli {

class command_parser;
class progress_line;

/// The options by which these commands name a trace.
struct trace_options {
    std::string file;  ///< path of the trace
    /// Name of a trace format (traffic::trace_registry); "auto": recognised by the contents of the file.
    std::string format = "auto";

    /// Declares the argument FILE, which must be given, and the option --format. Parsing the command line
    /// writes to this object, which must then still exist at the same address.
    void add_to(command_parser& command);
    /// Opens the trace. Throws config::error if it cannot be read, or its format is unknown.
    std::unique_ptr<traffic::trace_reader> open() const;
};

/// Prints the warnings that `reader` has so far on stderr; call when it has read its trace to the end.
void report_warnings(const traffic::trace_reader& reader);

/// Returns a function to be called with the number of events so far, which shows "WHAT  12,345 events" on
/// `line` (see progress_line). `line` must outlive the function; `what` is not copied.
std::function<void(std::uint64_t)> show_events(progress_line& line, const char* what);

/// Returns the numbers in a text such as "0-3,7", in ascending order, each once; a range whose end is below
/// its begin has none. Throws usage_error, with the name `option`, if the text is empty or has anything else,
/// such as blanks, or if a number is 2^24 or more.
std::vector<std::uint32_t> number_list(const std::string& option, const std::string& text);

void add_trace_info(command_parser& trace, action& chosen);
void add_trace_convert(command_parser& trace, action& chosen);
void add_trace_cut(command_parser& trace, action& chosen);
void add_trace_fit(command_parser& trace, action& chosen);

}  // namespace sare::cli
