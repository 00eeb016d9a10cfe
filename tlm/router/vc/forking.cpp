// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/machine/fork_step.h"

namespace sare {

template <int N>
void step_forking(vc_surroundings<0, N, false>& around, std::uint64_t* awake, std::uint32_t words,
                  cycle_t t) {
    step_words<0, N, vc_features::forking>(around, awake, words, t);
}
template void step_forking(vc_surroundings<0, 64, false>&, std::uint64_t*, std::uint32_t, cycle_t);
template void step_forking(vc_surroundings<0, 128, false>&, std::uint64_t*, std::uint32_t, cycle_t);
template void step_forking(vc_surroundings<0, 256, false>&, std::uint64_t*, std::uint32_t, cycle_t);
template void step_forking(vc_surroundings<0, 512, false>&, std::uint64_t*, std::uint32_t, cycle_t);
template void step_forking(vc_surroundings<0, 1024, false>&, std::uint64_t*, std::uint32_t, cycle_t);
template void step_forking(vc_surroundings<0, 4096, false>&, std::uint64_t*, std::uint32_t, cycle_t);

}  // namespace sare
