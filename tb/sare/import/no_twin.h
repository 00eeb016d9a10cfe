// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace sare::cli {

/// A parameter of BookSim2 of which nothing is made.
struct no_twin {
    std::string_view key;
    std::string_view neutral;  ///< with this value it asks for what is done here anyway
    std::string_view why;
};

/// Null for a key that is not known.
const no_twin* find_no_twin(const std::string& key);

}  // namespace sare::cli
