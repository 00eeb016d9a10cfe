// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sare::cli {

/// A parameter of BookSim2 from which nothing is made.
struct unmatched_key {
    std::string_view key;
    std::string_view neutral;  ///< value that asks for what is done here anyway
    std::string_view why;      ///< why another value has no effect, for a note
};

/// Returns the entry of a key; null if the key is unknown.
const unmatched_key* find_unmatched(const std::string& key);

}  // namespace sare::cli
