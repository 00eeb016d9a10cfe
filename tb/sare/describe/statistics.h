// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::cli {

/// Returns a description of figures of results, in lines of at most `width` columns: of all if `name` is
/// empty; else of the figures with this name, and of those of the statistic or file with this name. Throws
/// config::error if there are none.
std::string describe_statistics(const std::string& name, std::size_t width);

}  // namespace sare::cli
