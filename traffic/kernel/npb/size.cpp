// SPDX-License-Identifier: Apache-2.0
#include "traffic/kernel/npb/size.h"

namespace sare::traffic {

config::schema<npb_parameters> npb_fields() {
    return config::schema<npb_parameters>()
        .include(kernel_fields())
        .choice("size", &npb_parameters::size,
                {{"S", npb_class::s},
                 {"W", npb_class::w},
                 {"A", npb_class::a},
                 {"B", npb_class::b},
                 {"C", npb_class::c},
                 {"D", npb_class::d},
                 {"E", npb_class::e}},
                "the benchmark's class, of all tasks together")
        .include(executor_fields());
}

}  // namespace sare::traffic
