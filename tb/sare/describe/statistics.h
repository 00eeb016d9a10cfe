// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::cli {

/// Every figure that results have, as it is declared, for this width; or those that are called `name`, or are
/// of a statistic or a file called so. config::error where there is none.
std::string describe_statistics(const std::string& name, std::size_t width);

}  // namespace sare::cli
