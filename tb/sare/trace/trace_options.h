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

struct trace_options {
    std::string file, format = "auto";

    void add_to(command_parser& command);
    std::unique_ptr<traffic::trace_reader> open() const;
};

void report_warnings(const traffic::trace_reader& reader);

/// Returns a function that shows "WHAT  12,345 events" on a terminal, if it takes long.
std::function<void(std::uint64_t)> show_events(progress_line& line, const char* what);

/// Returns the numbers in "0-3,7" in ascending order, each once. Throws usage_error.
std::vector<std::uint32_t> number_list(const std::string& option, const std::string& text);

void add_trace_info(command_parser& trace, action& chosen);
void add_trace_convert(command_parser& trace, action& chosen);
void add_trace_cut(command_parser& trace, action& chosen);
void add_trace_fit(command_parser& trace, action& chosen);

}  // namespace sare::cli
