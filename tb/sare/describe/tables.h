// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::cli {

/// Returns a description of the columns of CSV files that runs and platforms write, in lines of at most
/// `width` columns: of all files if `name` is empty, else of the file `name`. Statistics add more columns
/// (describe_statistics()). Throws config::error if there is no such file.
std::string describe_tables(const std::string& name, std::size_t width);

}  // namespace sare::cli
