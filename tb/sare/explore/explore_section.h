// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/results/result_json.h"

namespace sare::cli {

/// Returns the JSON Schema of a file's section `explore`, which only `sare explore` reads.
json explore_section();

}  // namespace sare::cli
