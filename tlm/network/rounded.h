// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>
#include <string>

namespace sare {

/// Returns `x` as text with at most four significant digits, for sentences.
inline std::string rounded(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", x);
    return text;
}

}  // namespace sare
