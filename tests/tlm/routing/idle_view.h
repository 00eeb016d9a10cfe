// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/congestion.h"

namespace sare::test {

/// A router in which nothing waits, for views that differ in some answers.
struct idle_view : congestion_view {
    cycle_t now() const override { return 0; }
    std::uint32_t free(std::uint32_t, std::uint32_t) const override { return 0; }
    std::uint32_t used(std::uint32_t, std::uint32_t) const override { return 0; }
    std::uint32_t waiting(std::uint32_t) const override { return 0; }
    std::uint32_t held(std::uint32_t, std::uint32_t) const override { return 0; }
    std::uint32_t queue(std::uint32_t) const override { return 0; }
    std::uint32_t told(std::uint32_t, std::uint32_t) const override { return 0; }
};

}  // namespace sare::test
