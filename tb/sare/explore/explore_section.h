// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

namespace sare::cli {

/// The section `explore` of a file, as JSON Schema: `sare explore` alone reads it.
json explore_section();

}  // namespace sare::cli
