// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::cli {

/// Describes every figure of results, as declared, in `width` columns; or the figures called `name`, and
/// those of a statistic or file of this name. Throws config::error if there is none.
std::string describe_statistics(const std::string& name, std::size_t width);

}  // namespace sare::cli
