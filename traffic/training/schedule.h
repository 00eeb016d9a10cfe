// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/training/model.h"

#include <algorithm>

namespace sare::traffic {

/// Passage of a microbatch through a stage of the pipeline in one direction.
struct passage_of_stage {
    /// True: the microbatch passes backwards; false: forwards.
    bool backward = false;
    std::uint32_t microbatch = 0;  ///< number of the microbatch, from 0
    bool last = false;             ///< true: it is the last passage of the step in this stage
};

/// Returns passage `k`, from 0, of the 2 * p.microbatches passages through `stage` in a step, in the order of
/// p.schedule. Does not check the ranges of `k` and `stage`.
inline passage_of_stage passage(const training_parameters& p, std::uint32_t stage, std::uint32_t k) {
    const std::uint32_t m = p.microbatches;
    const bool last = k + 1 == 2 * m;
    if (p.schedule == pipeline_schedule::all_forward_first)
        return k < m ? passage_of_stage{false, k, false} : passage_of_stage{true, 2 * m - 1 - k, last};
    // As many go forwards at first as there are stages behind this one.
    const std::uint32_t ahead = std::min(m, p.pipeline - 1 - stage);
    if (k < ahead) return {false, k, false};
    const std::uint32_t j = k - ahead;
    if (j >= 2 * (m - ahead)) return {true, j - (m - ahead), last};
    return {j % 2 == 1, j % 2 == 1 ? j / 2 : ahead + j / 2, last};
}

}  // namespace sare::traffic
