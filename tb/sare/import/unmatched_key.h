// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sare::cli {

/// A key of BookSim2's configurations for which Sare has no parameter, so that an import ignores it.
struct unmatched_key {
    /// Name of the key.
    std::string_view key;
    std::string_view neutral;  ///< value for which BookSim2 behaves as Sare does, so that no note is needed
    std::string_view why;      ///< reason why any other value has no effect, for a note
};

/// Returns the entry of `key`, valid until the program ends; null if there is no entry.
const unmatched_key* find_unmatched(const std::string& key);

}  // namespace sare::cli
