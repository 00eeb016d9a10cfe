// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/pin_adapter.h"

extern "C" {
std::uint32_t sare_pin_abi() {
    return 99;
}
const sare::pins::router_facts* sare_pin_facts() {
    return nullptr;
}
sare::pins::pin_adapter* sare_pin_make(const sare::pins::router_info&) {
    return nullptr;
}
}
