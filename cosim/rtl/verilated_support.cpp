// SPDX-License-Identifier: Apache-2.0
// Part of every library that sare_add_rtl_router() makes.
#include "cosim/rtl/verilated_failure.h"

#include "cosim/rtl/verilated_adapter.h"

#include <stdexcept>

void sare::pins::throw_failure() {
    if (const std::string text = sare_verilated::take_failure(); !text.empty())
        throw std::runtime_error(text);
}

void sare::pins::mute(bool is_muted) {
    sare_verilated::muted() = is_muted;
}
