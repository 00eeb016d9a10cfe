// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

/// Returns text for XML and HTML, in elements and in attributes between double quotes: < > & and " are
/// escaped, and control characters but the line feed become blanks.
std::string escaped_markup(const std::string& text);

}  // namespace sare::cli
