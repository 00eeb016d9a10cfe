// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::cli {

/// The columns of every CSV file that runs and platforms write, as they are declared, for this width; or of
/// the file `name`. Statistics add columns of their own (describe_statistics()). config::error where there is
/// no such file.
std::string describe_tables(const std::string& name, std::size_t width);

}  // namespace sare::cli
