// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sare::cli {

/// Text for XML and HTML, in elements and in attributes; control characters are blanks.
std::string escaped_markup(const std::string& text);

}  // namespace sare::cli
