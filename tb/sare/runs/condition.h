// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/database.h"

#include <functional>

/// Conditions on runs, as people write them: "router.vcs=4 and (latency.mean<40 or not status=completed)".
namespace sare::cli {

/// A condition as SQL on rows of the table `run`, with the values of its question marks.
struct condition {
    std::string sql;                 ///< expression for WHERE, with question marks
    std::vector<sql_value> bound;    ///< value of each question mark, in order
    std::vector<std::string> paths;  ///< paths that the condition names, each once, in the order of the text
};

/// Place of a path in a store.
struct path_place {
    std::string column;       ///< name of the path's column in the table `run`; "": the path has none
    std::int64_t number = 0;  ///< number of the path in the table `value`, if the path has no column
    bool has_numbers = true;  ///< true: at least one run has a number as its value
    bool has_texts = true;    ///< true: at least one run has a text as its value
};
/// Function that finds a path. Throws config::error if no run has it.
using path_lookup = std::function<path_place(const std::string& path)>;

/// Returns the text of an error about an unknown path, with similar paths among `known`, if there are any:
/// the nearest, or up to four paths with the same last name.
std::string unknown_path(const std::string& path, const std::vector<std::string>& known);

/// Parses a condition. A comparison (= == != < <= > >=) of a path that a run lacks is false, whatever the
/// path is compared with; numbers compare with numbers, texts with texts. Throws config::error, of one line,
/// for text that is no condition, for an unknown path, and for a number where all runs have texts, or the
/// other way round.
condition parse_condition(const std::string& text, const path_lookup& find);

}  // namespace sare::cli
