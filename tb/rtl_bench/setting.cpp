// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/setting.h"

namespace sare::bench {

setting::setting() {
    table = true;
    model.depth = 4;
    credit_out_delay = 1;
    credit_in_delay = 0;
}

std::string setting::problem() const {
    if (model.vcs % classes != 0) return "--vcs must be a multiple of --classes";
    if (nodes < ports) return "--nodes must be at least --ports, that every port is somebody's way";
    return router_setting::problem();
}

}  // namespace sare::bench
