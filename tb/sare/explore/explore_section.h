// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

namespace sare::cli {

/// Returns the JSON Schema of the section `explore` of a file, which only the command `sare explore` reads.
json explore_section();

/// Returns the JSON Schema of the section `fit` of a file, which only the command `sare fit` reads.
json fit_section();

}  // namespace sare::cli
