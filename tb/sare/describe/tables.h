// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::cli {

/// Describes the columns of every CSV file that runs and platforms write, as declared, in `width` columns; or
/// of the file `name`. Statistics add more columns (describe_statistics()). Throws config::error if there is
/// no such file.
std::string describe_tables(const std::string& name, std::size_t width);

}  // namespace sare::cli
