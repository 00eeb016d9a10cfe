// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sare::cli {

/// A key of BookSim2's configurations that an import ignores.
struct unmatched_key {
    /// Name of the key.
    std::string_view key;
    std::string_view neutral;  ///< value for which BookSim2 does the same as Sare, so that nothing need be
                               ///< said
    std::string_view why;      ///< reason why any other value has no effect, for a note
};

/// Returns the entry of a key; null if the key is none of these.
const unmatched_key* find_unmatched(const std::string& key);

}  // namespace sare::cli
