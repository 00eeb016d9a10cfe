// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/runs/database.h"

#include <functional>

/// Conditions on runs, as people write them: "router.vcs=4 and (latency.mean<40 or not status=completed)".
namespace sare::cli {

/// A condition in SQL over the table `run`, with what is bound to its question marks.
struct condition {
    std::string sql;
    std::vector<sql_value> bound;
    std::vector<std::string> paths;  ///< that it names, each once, in order
};

/// What a path is.
struct path_place {
    std::string column;       ///< of `run`; "": it is none
    std::int64_t number = 0;  ///< else that of the path in `value`
    bool has_numbers = true;  ///< some run's value is one
    bool has_texts = true;
};
/// Throws config::error where no run has it.
using path_lookup = std::function<path_place(const std::string& path)>;

/// What is wrong with a path that is not known, and which is meant: the nearest, or those that end as it
/// does.
std::string unknown_path(const std::string& path, const std::vector<std::string>& known);

/// A comparison (= == != < <= > >=) of a path that a run does not have is false, whatever it is compared
/// with; numbers compare with numbers, texts with texts. config::error in a line for a path that is not
/// found, and for a number where no run has one, or a text.
condition parse_condition(const std::string& text, const path_lookup& find);

}  // namespace sare::cli
